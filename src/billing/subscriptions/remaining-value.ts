import type { Cents } from '../../platform/lib/money.ts';
import { amountOfLines, type Invoice } from '../invoices/invoice.ts';
import { shareDown } from './prorate.ts';

/** A paid invoice that began the current period, or changed the plan since then. */
export interface PeriodPayment {
  invoice: Pick<
    Invoice,
    'billingReason' | 'lines' | 'totalCents' | 'creditAppliedCents' | 'periodStart' | 'periodEnd'
  >;
  /** Part of its total that has arrived and stayed. */
  keptCents: Cents;
  /** Part of it that account credit paid: less than was applied if the customer had spent it before a late payment. */
  creditPaidCents: Cents;
  /** Account credit that the change also gave for unused time, minus what was taken back. */
  givenCents: Cents;
}

/**
 * The most that the rest of a period is worth, with tax: its share of what was paid for the plan, in money or by account
 * credit, without what was waived, refunded or given back as credit. A price says nothing about it: a plan that was never
 * paid for is worth nothing. Takes the oldest payment first.
 */
export function remainingValue(payments: readonly PeriodPayment[], at: Date): Cents {
  const worth = payments.reduce<Worth | undefined>(worthAfter, undefined);
  return worth ? atLeastNothing(restOf(worth, at)) : 0n;
}

/**
 * Payment of a period when it began, as a numerator and a denominator: only what is left of it is rounded. Less than nothing where
 * credit was given for money that has gone back since.
 */
interface Worth {
  cents: bigint;
  of: bigint;
  periodStart: Date;
  periodEnd: Date;
}

/** A deficit does not shrink with time. */
function restOf({ cents, of, periodStart, periodEnd }: Worth, at: Date): Cents {
  if (cents < 0n) return cents;
  return shareDown(cents, { start: periodStart, end: periodEnd }, at, of);
}

/**
 * A beginning or a renewal can have other lines, which bear their share of what is gone. What a change begins is paid for
 * with money, and with what it took over of unused time, as far as that is still there. What an earlier change gave beyond that is missing
 * from it: the credit may be what paid for it.
 */
function worthAfter(before: Worth | undefined, { invoice, ...paidWith }: PeriodPayment): Worth {
  const { billingReason, lines, totalCents, creditAppliedCents } = invoice;
  const period = { periodStart: invoice.periodStart!, periodEnd: invoice.periodEnd! };
  const { keptCents, creditPaidCents, givenCents } = paidWith;
  const kept = keptCents + creditPaidCents;
  const own = amountOfLines([lines[0]!]);
  if (billingReason === 'subscription_change') {
    const left = (before ? restOf(before, lines[0]!.periodStart!) : 0n) - givenCents;
    return { ...period, cents: kept + (left < -own ? left : -own), of: 1n };
  }
  const paid = totalCents + creditAppliedCents;
  return { ...period, ...(paid === 0n ? { cents: 0n, of: 1n } : { cents: own * kept, of: paid }) };
}

function atLeastNothing(cents: Cents): Cents {
  return cents > 0n ? cents : 0n;
}
