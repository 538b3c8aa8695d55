import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import {
  Count,
  Int64,
  List,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { RANGES } from './period.ts';
import { readRevenue } from './read-revenue.ts';
import { TopLists } from './top-lists.ts';
import { TopCustomerView, TopProductView } from './views.ts';

const LocalDate = (description: string) => Text({ max: 10, description });

const Totals = Shape('RevenueTotals', {
  grossCents: Int64({ description: 'Received by payments that succeeded, before refunds. Tips are in it.' }),
  refundedCents: Int64({ description: 'Sent back of such payments, by when the refund was proven.' }),
  netCents: Int64({ description: 'Gross minus refunded; negative when more was sent back than received.' }),
  paymentsCount: Count(),
  refundsCount: Count(),
  checkoutsOpenedCount: Count(
    'Checkout sessions created in the period, by you, a payment link or a till; renewals are not in it.',
  ),
  checkoutsPaidCount: Count('Those of them that have been paid by now.'),
  newSubscribersCount: Count('Subscriptions that began to be paid for: created, or past their trial.'),
  lostSubscribersCount: Count('Subscriptions that were paid for and ended.'),
  subscribersAtStartCount: Count('Subscriptions that were paid for when the period began.'),
});

const Point = Shape('RevenuePoint', {
  startsAt: Timestamp('The first moment of the day, or of the hour if the period is one day.'),
  endsAt: Timestamp('The first moment after it.'),
  grossCents: Int64(),
  refundedCents: Int64(),
  netCents: Int64(),
  paymentsCount: Count(),
  previousNetCents: Int64({
    description: 'Of the whole day or hour in the same place of the period before.',
  }),
});

const RevenueView = Shape('Revenue', {
  timeZone: Text({ max: 64, description: 'The days are those of this time zone, which is the merchant’s.' }),
  from: LocalDate('The first day.'),
  to: LocalDate('The last day.'),
  previousFrom: LocalDate('The first day of the period before, which has as many days.'),
  previousTo: LocalDate('Its last day.'),
  comparedUntil: Timestamp(
    'If the period is not over, `previous` stops here: as much of the period before has passed then as of this one, to the quarter of an hour.',
  ),
  current: Totals,
  previous: Totals,
  points: List(Point),
  monthlyRecurringCents: Int64({
    description: 'As of now, as in the billing overview.',
  }),
  subscribersCount: Count('Subscriptions that are paid for now, overdue ones included.'),
  renewals: Shape('RenewalForecast', {
    until: Timestamp('30 days from now.'),
    count: Count('Renewals that fall due by then; those that are set to end are not in it.'),
    cents: Int64({
      description:
        'At the prices they will have, before discounts, account credit and tax that is added to a price.',
    }),
  }),
  topProducts: List(TopProductView),
  topCustomers: List(TopCustomerView),
});

const RevenueQuery = Shape(undefined, {
  projectId: Optional(Uuid('Only this project.')),
  range: Optional(OneOf(RANGES, 'Days up to today; 30d if nothing is given.')),
  from: Optional(LocalDate('The first day, as YYYY-MM-DD. Needs `to`, excludes `range`.')),
  to: Optional(LocalDate('The last day, as YYYY-MM-DD. A period has at most 366 days.')),
});

export function revenueRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  const tops = new TopLists();
  billingRoute(app, {
    method: 'GET',
    path: '/billing/revenue',
    id: 'getRevenue',
    sdk: 'billing.revenue',
    assistant: 'read',
    tag: 'Overview',
    summary: 'Get revenue and growth of a period',
    description:
      'Received and refunded money by day, beside the same length of time before; subscribers, checkouts, and what renews next. Every payment is in it the moment it succeeds; for dates of your own with more than 10,000 payments, the top products and customers can be up to a minute old.',
    scopes: ['billing:read', 'payments:read'],
    query: RevenueQuery,
    success: { status: 200, schema: RevenueView, description: 'As of now.' },
    errors: ['BAD_REQUEST'],
    async handle({ principal: { merchantId, timeZone }, query }) {
      const { projectId, range, from, to } = query;
      const scope = { merchantId, projectId: projectId ?? null };
      return readRevenue({ db, tops }, scope, { range, from, to }, timeZone, clock.now());
    },
  });
}
