import { billingRoute } from '../../accounts/projects/billing-route.ts';
import { EXCEPTION_KINDS } from '../../payments/transfers/exception.ts';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import {
  Count,
  Int64,
  List,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Uuid,
} from '../../platform/http/schema.ts';
import { type Clock, realNow } from '../../platform/lib/clock.ts';
import { readOverview } from './read-overview.ts';

const OverviewView = Shape('BillingOverview', {
  monthlyRecurringCents: Int64({
    description:
      'What active and past due subscriptions bring in per month at their current prices, from the first paid period on; trials count nothing: a month is a twelfth of a year’s 12 months, 52 weeks or 365 days. Rounded once, halves up. A refund does not lower it: it is what will be billed, not what was kept.',
  }),
  subscriptions: Shape('SubscriptionCounts', {
    incomplete: Count(),
    incomplete_expired: Count(),
    trialing: Count(),
    active: Count(),
    past_due: Count(),
    canceled: Count(),
  }),
  churnedThisMonthCount: Count(
    'Subscriptions that were active and ended in this calendar month of your time zone.',
  ),
  openInvoicesCount: Count(),
  openInvoicesCents: Int64({ description: 'The amount still due on open invoices.' }),
  overdueInvoicesCount: Count(),
  overdueInvoicesCents: Int64(),
  paidThisMonthCount: Count('Invoices paid in this calendar month of your time zone.'),
  paidThisMonthCents: Int64({ description: 'Before refunds, and without what was waived.' }),
  refundedThisMonthCount: Count('Refunds that were proven in this calendar month of your time zone.'),
  refundedThisMonthCents: Int64({
    description: 'What they sent back, of payments of any month; overpayments that went back are in it too.',
  }),
  creditsOutstanding: Int64({ description: 'Prepaid credits all customers still have.' }),
  accountCreditOutstandingCents: Int64(),
  limits: List(
    Shape('LimitUse', {
      projectId: Uuid(),
      projectName: Text(),
      monthlyVolumeLimitCents: Nullable(Int64()),
      volumeCents: Int64({ description: 'Counted so far this month; 0 where there is no volume limit.' }),
      monthlyRequestLimit: Nullable(Int64()),
      requestCount: Count('Counted so far this month; 0 where there is no request limit.'),
    }),
  ),
  failingDeliveriesCount: Count(
    'Webhooks being retried, or given up on in the last 7 days. Across all projects.',
  ),
  openExceptionsCount: Count('Open exceptions of every kind. Across all projects.'),
  openExceptions: List(
    Shape('OpenExceptions', {
      kind: OneOf(EXCEPTION_KINDS, 'A kind of which at least one is open.'),
      count: Count(),
      amountCents: Nullable(Int64({ description: 'All of them together; null for another token.' })),
    }),
  ),
  unreadAddressesCount: Count(
    'Payout addresses whose transactions could not be read for 5 minutes or more, so payments to them are detected late. Across all projects.',
  ),
  disputedPaymentsCount: Count(
    'Payments about which the Solana nodes of this service contradict each other: none is final until enough of them agree. Across all projects.',
  ),
  waivedThisMonthCents: Int64({
    description:
      'What you waived of invoices that you accepted as paid in this calendar month of your time zone.',
  }),
});

export function overviewRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  billingRoute(app, {
    method: 'GET',
    path: '/billing/overview',
    id: 'getBillingOverview',
    sdk: 'billing.overview',
    assistant: 'read',
    tag: 'Overview',
    summary: 'Get the billing overview',
    scopes: ['billing:read'],
    query: Shape(undefined, { projectId: Optional(Uuid('Only this project.')) }),
    success: { status: 200, schema: OverviewView, description: 'As of now.' },
    errors: ['BAD_REQUEST'],
    handle: ({ principal, query }) =>
      readOverview(
        db,
        { merchantId: principal.merchantId, projectId: query.projectId ?? null },
        { now: clock.now(), realNow: realNow(), timeZone: principal.timeZone },
      ),
  });
}
