import type { Queryable } from '../../platform/db/database.ts';
import { dateAt } from '../../platform/lib/local-days.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { monthlyCents } from '../overview/monthly-cents.ts';
import { readRevenue } from '../overview/read-revenue.ts';
import { readTaxReport } from '../overview/tax-report.ts';
import { TopLists } from '../overview/top-lists.ts';
import { ACCOUNTS, type Account } from './account.ts';
import type { BooksPeriod } from './fact.ts';
import { monthOf } from './month.ts';
import {
  listOpenBefore,
  type OpenInvoice,
  sumExceptions,
  sumRecurringBefore,
  sumSponsoredFees,
} from './month-queries.ts';
import { sumAccounts } from './read-journal.ts';

/** More open invoices than these are counted and summed, and not listed. */
const MAX_LISTED = 200;

export interface MonthChoice {
  merchantId: string;
  /** Null: all projects, and what belongs to none. */
  projectId: string | null;
  month: string;
  timeZone: string;
}

export type MonthlyReport = Awaited<ReturnType<typeof readMonthlyReport>>;

/**
 * A month of a business. Every number is read where `GET /billing/revenue`, the tax report and the general ledger read
 * theirs, so all of them agree to the cent. In a snapshot they are also of one moment.
 */
export async function readMonthlyReport(snapshot: Queryable, choice: MonthChoice, now: Date) {
  const { merchantId, projectId, month, timeZone } = choice;
  const { firstDay, lastDay, from, to } = monthOf(month, timeZone);
  const scope = { merchantId, projectId };
  const period: BooksPeriod = { ...scope, from, to, timeZone };
  const days = { from: firstDay, to: lastDay };
  const sources = { db: snapshot, tops: new TopLists() };
  const revenue = await readRevenue(sources, scope, days, timeZone, now);
  const isOver = to <= now;
  const recurringCents = isOver
    ? saturateInt64(monthlyCents(await sumRecurringBefore(snapshot, scope, to)))
    : revenue.monthlyRecurringCents;
  const open = await listOpenBefore(snapshot, scope, to, MAX_LISTED);
  const { newSubscribersCount, lostSubscribersCount, subscribersAtStartCount } = revenue.current;
  return {
    ...{ month, projectId, timeZone, from, to, isOver, createdAt: now, currency: 'USD' },
    revenue: pickRevenue(revenue.current),
    days: revenue.points
      .filter(({ startsAt }) => startsAt <= now)
      .map((point) => ({ date: dateAt(point.startsAt, timeZone), ...pickDay(point) })),
    taxes: await readTaxReport(snapshot, period),
    accounts: presentAccounts(await sumAccounts(snapshot, period)),
    subscribers: {
      atStartCount: subscribersAtStartCount,
      newCount: newSubscribersCount,
      lostCount: lostSubscribersCount,
      atEndCount: subscribersAtStartCount + newSubscribersCount - lostSubscribersCount,
      monthlyRecurringCents: recurringCents,
    },
    topProducts: revenue.topProducts,
    topCustomers: revenue.topCustomers,
    openInvoices: {
      count: open.count,
      cents: saturateInt64(open.cents),
      invoices: open.invoices.map(presentInvoice),
    },
    exceptions: (await sumExceptions(snapshot, period)).map((sum) => ({
      ...sum,
      raisedCents: sum.raisedCents === null ? null : saturateInt64(sum.raisedCents),
      openCents: sum.openCents === null ? null : saturateInt64(sum.openCents),
    })),
    sponsoredFees: await sumSponsoredFees(snapshot, period),
  };
}

type Current = Awaited<ReturnType<typeof readRevenue>>['current'];
type Point = Awaited<ReturnType<typeof readRevenue>>['points'][number];

function pickRevenue({ grossCents, refundedCents, netCents, paymentsCount, refundsCount }: Current) {
  return { grossCents, refundedCents, netCents, paymentsCount, refundsCount };
}

function pickDay({ grossCents, refundedCents, netCents, paymentsCount }: Point) {
  return { grossCents, refundedCents, netCents, paymentsCount };
}

/** The accounts that something moved, in the order of their codes. */
function presentAccounts(sums: Awaited<ReturnType<typeof sumAccounts>>) {
  return (Object.keys(ACCOUNTS) as Account[]).flatMap((account) => {
    const sum = sums.get(account);
    if (!sum) return [];
    return [
      {
        ...ACCOUNTS[account],
        debitCents: saturateInt64(sum.debitCents),
        creditCents: saturateInt64(sum.creditCents),
        balanceCents: saturateInt64(sum.debitCents - sum.creditCents),
      },
    ];
  });
}

function presentInvoice({ id, dueCents, ...invoice }: OpenInvoice) {
  return { invoiceId: id, ...invoice, amountDueCents: dueCents };
}
