import { monthOf } from '../../accounts/projects/volume.ts';
import { SUBSCRIPTION_STATUSES } from '../../billing/subscriptions/subscription.ts';
import { UNREAD_MINUTES } from '../../payments/watcher/read-watch-report.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { addDays, addMinutes } from '../../platform/lib/clock.ts';
import { dateAt, startOfDate } from '../../platform/lib/local-days.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { monthlyCents } from './monthly-cents.ts';
import {
  countChurned,
  countDisputedPayments,
  countFailingDeliveries,
  countSubscriptions,
  countUnreadAddresses,
  listLimitUse,
  type Scope,
  sumBalances,
  sumOpenExceptions,
  sumOpenInvoices,
  sumPaidInvoices,
  sumRecurring,
  sumRefunds,
} from './queries.ts';

const FAILED_DAYS = 7;

/** A merchant's billing in numbers, of one project or of all. */
export async function readOverview(
  db: Queryable,
  scope: Scope,
  { now, realNow, timeZone }: { now: Date; realNow: Date; timeZone: string },
) {
  const monthStart = startOfDate(`${dateAt(now, timeZone).slice(0, 7)}-01`, timeZone);
  const failedSince = addDays(realNow, -FAILED_DAYS);
  const [open, paid, balances, limits, failing, exceptions, unread, disputed] = await Promise.all([
    sumOpenInvoices(db, scope, now),
    sumPaidInvoices(db, scope, monthStart),
    sumBalances(db, scope),
    listLimitUse(db, scope, monthOf(now)),
    countFailingDeliveries(db, scope.merchantId, failedSince),
    sumOpenExceptions(db, scope.merchantId),
    countUnreadAddresses(db, scope.merchantId, addMinutes(realNow, -UNREAD_MINUTES)),
    countDisputedPayments(db, scope.merchantId),
  ]);
  const [recurring, counts, churned, refunds] = await Promise.all([
    sumRecurring(db, scope),
    countSubscriptions(db, scope),
    countChurned(db, scope, monthStart),
    sumRefunds(db, scope, monthStart),
  ]);
  const countOf = (status: string) => counts.find((row) => row.status === status)?.count ?? 0n;
  return {
    monthlyRecurringCents: saturateInt64(monthlyCents(recurring)),
    subscriptions: Object.fromEntries(
      SUBSCRIPTION_STATUSES.map((status) => [status, countOf(status)]),
    ) as Record<(typeof SUBSCRIPTION_STATUSES)[number], bigint>,
    churnedThisMonthCount: churned,
    openInvoicesCount: open.openCount,
    openInvoicesCents: saturateInt64(open.openCents),
    overdueInvoicesCount: open.overdueCount,
    overdueInvoicesCents: saturateInt64(open.overdueCents),
    paidThisMonthCount: paid.paidCount,
    paidThisMonthCents: saturateInt64(paid.paidCents),
    refundedThisMonthCount: refunds.refundedCount,
    refundedThisMonthCents: saturateInt64(refunds.refundedCents),
    creditsOutstanding: saturateInt64(balances.credits),
    accountCreditOutstandingCents: saturateInt64(balances.cents),
    limits: limits.map((use) => ({ ...use, volumeCents: saturateInt64(use.volumeCents) })),
    failingDeliveriesCount: failing,
    openExceptionsCount: exceptions.reduce((sum, { count }) => sum + count, 0n),
    openExceptions: exceptions.map(({ amountCents, ...each }) => ({
      ...each,
      amountCents: amountCents === null ? null : saturateInt64(amountCents),
    })),
    unreadAddressesCount: unread,
    disputedPaymentsCount: disputed,
    waivedThisMonthCents: saturateInt64(paid.waivedCents),
  };
}
