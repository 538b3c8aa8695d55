import { amountOfLines, type Invoice } from '../../money/invoices/invoice.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { secondsBetween } from './prorate.ts';

/** A paid invoice for the current period or a part of it, and how much of its total has arrived and stayed. */
export interface PeriodPayment {
  invoice: Pick<
    Invoice,
    'billingReason' | 'lines' | 'totalCents' | 'creditAppliedCents' | 'periodStart' | 'periodEnd'
  >;
  keptCents: Cents;
  /** What the period was paid with that a change cut short to begin this one. */
  before?: readonly PeriodPayment[];
}

/**
 * The most that the rest of a period is worth, with tax: its share of what was paid for the plan, in money or by account
 * credit, without what was waived or refunded. Undefined if nothing was: then the price
 * alone decides. Takes the oldest payment first.
 */
export function keptWorth(payments: readonly PeriodPayment[], at: Date): Cents | undefined {
  if (payments.every(isWhole)) return undefined;
  const shares = payments.map((payment, n) => restOf(payment, n === 0, at));
  const [cents, of] = shares.reduce((a, b) => [a[0] * b[1] + b[0] * a[1], a[1] * b[1]], [0n, 1n]);
  return (2n * cents + of) / (2n * of);
}

function isWhole({ invoice, keptCents, before = [] }: PeriodPayment): boolean {
  return keptCents >= invoice.totalCents && before.every(isWhole);
}

/** Numerator and denominator, so that only the sum is rounded. */
type Fraction = readonly [bigint, bigint];

function restOf(payment: PeriodPayment, isFirst: boolean, at: Date): Fraction {
  const { periodStart, periodEnd } = payment.invoice;
  const whole = secondsBetween(periodStart!, periodEnd!);
  const rest = secondsBetween(at, periodEnd!);
  const [cents, of] = keptForPlan(payment, isFirst);
  return [cents * (rest < whole ? rest : whole), of * whole];
}

/**
 * A beginning or a renewal can have other lines, which bear their share of what is gone. A change that began the period
 * was also paid for with unused time of the one before.
 */
function keptForPlan({ invoice, keptCents, before = [] }: PeriodPayment, isFirst: boolean): Fraction {
  const { billingReason, lines, totalCents, creditAppliedCents } = invoice;
  const kept = keptCents + creditAppliedCents;
  const own = amountOfLines([lines[0]!]);
  if (billingReason === 'subscription_change') {
    if (!isFirst) return [kept, 1n];
    const most = keptWorth(before, lines[0]!.periodStart!);
    return [kept + (most !== undefined && most < -own ? most : -own), 1n];
  }
  const paid = totalCents + creditAppliedCents;
  return paid === 0n ? [0n, 1n] : [own * kept, paid];
}
