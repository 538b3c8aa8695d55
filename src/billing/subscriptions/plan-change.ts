import { AppError, badField } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { appliedOf, type Discount } from '../discounts/discount.ts';
import { priceLines } from '../discounts/price-lines.ts';
import {
  type AppliedDiscount,
  amountOfLines,
  type InvoiceLine,
  sumOfDiscounts,
} from '../invoices/invoice.ts';
import { REMAINING_TIME, UNUSED_TIME } from '../invoices/standard-text.ts';
import type { LineTax } from '../pricing/tax.ts';
import { type Period, periodAt } from './period.ts';
import {
  amountBeforeTax,
  nameWithCount,
  partLine,
  periodCents,
  type TaxOf,
  wholePeriod,
} from './plan-lines.ts';
import { prorate } from './prorate.ts';
import { type PeriodPayment, remainingValue } from './remaining-value.ts';
import { isPrepaid, type Plan, recurrenceOf, type Subscription } from './subscription.ts';

export const CHOSEN_BEHAVIORS = ['charge_now', 'next_period', 'reset', 'none'] as const;
export const PRORATION_BEHAVIORS = ['auto', ...CHOSEN_BEHAVIORS] as const;
export type ProrationBehavior = (typeof PRORATION_BEHAVIORS)[number];

/** Effects of a change of plan, to the cent: the same for the preview and for the invoice. */
export interface PlanChange {
  behavior: (typeof CHOSEN_BEHAVIORS)[number];
  prorationDate: Date;
  lines: InvoiceLine[];
  /** Discount on a new period. */
  discount: AppliedDiscount | null;
  /** Credit for the unused time of the old plan. */
  creditCents: Cents;
  chargeCents: Cents;
  /** Account credit that the customer gets back if the old plan was worth more. */
  surplusCents: Cents;
  /** Time from which the new plan applies; if money is due, once it is paid. */
  effectiveAt: Date;
  nextInvoice: { date: Date; amountCents: Cents };
}

export interface ChangeRequest {
  subscription: Subscription;
  /** Plan that the subscription has now. */
  current: Plan<CatalogPrice>;
  next: Plan<CatalogPrice>;
  /** Discount on the current period; the other one is on the periods after it. */
  periodDiscount: Discount | undefined;
  nextDiscount: Discount | undefined;
  /** The payments of the current period, the oldest first. */
  payments: readonly PeriodPayment[];
  taxOf: TaxOf;
  behavior: ProrationBehavior;
  prorationDate: Date;
  now: Date;
}

/**
 * Calculates a plan change. `auto`: a more expensive plan is charged now, a cheaper one starts with the next period,
 * another interval starts a new period.
 */
export function planChange(request: ChangeRequest): PlanChange {
  const { subscription, prorationDate, now } = request;
  const period = currentPeriod(subscription);
  if (prorationDate < period.start || prorationDate >= period.end) {
    throw badField('prorationDate', 'must be in the current period');
  }
  const behavior = resolve(request);
  if (prorationDate > now && (behavior === 'charge_now' || behavior === 'reset')) {
    throw badField('prorationDate', 'can be in the future only with next_period or none');
  }
  switch (behavior) {
    case 'charge_now':
      return chargeNow(request, period);
    case 'reset':
      return reset(request, period);
    case 'none':
      return without(request, behavior, now);
    default:
      return without(request, 'next_period', subscription.paidThrough!);
  }
}

function resolve({
  subscription,
  current,
  next,
  behavior,
  periodDiscount,
  taxOf,
}: ChangeRequest): PlanChange['behavior'] {
  if (subscription.status === 'trialing')
    return resolveInTrial(subscription, behavior, hasSameInterval(current.price, next.price));
  const isSameInterval = hasSameInterval(current.price, next.price);
  const isMoreExpensive =
    periodCents(next, taxOf, periodDiscount) > periodCents(current, taxOf, periodDiscount);
  const resolved = behavior === 'auto' ? automatic(isSameInterval, isMoreExpensive) : behavior;
  if (resolved === 'charge_now' && !(isSameInterval && isMoreExpensive)) {
    throw badField(
      'prorationBehavior',
      'charge_now is only for a more expensive price with the same interval',
    );
  }
  if (resolved === 'none' && !isSameInterval) {
    throw badField('prorationBehavior', 'none is only for a price with the same interval');
  }
  if ((resolved === 'charge_now' || resolved === 'reset') && isPrepaid(subscription)) {
    throw new AppError('INVALID_STATE', {
      message: 'The next period is already paid, so the plan can only change after it (next_period).',
    });
  }
  return resolved;
}

/**
 * Nothing was paid for the trial, so there is nothing to prorate: the plan changes now and the first invoice is for the
 * new one. Once that invoice is paid, a change waits until the paid period is over.
 */
function resolveInTrial(
  subscription: Subscription,
  behavior: ProrationBehavior,
  isSameInterval: boolean,
): PlanChange['behavior'] {
  if (behavior === 'charge_now' || behavior === 'reset') {
    throw badField('prorationBehavior', `cannot be ${behavior} during a trial, which has nothing to prorate`);
  }
  if (behavior === 'auto') return isPrepaid(subscription) ? 'next_period' : 'none';
  if (behavior === 'none' && isPrepaid(subscription) && !isSameInterval) {
    throw badField('prorationBehavior', 'none is only for a price with the same interval');
  }
  return behavior;
}

function automatic(isSameInterval: boolean, isMoreExpensive: boolean): PlanChange['behavior'] {
  if (!isSameInterval) return 'reset';
  return isMoreExpensive ? 'charge_now' : 'next_period';
}

function hasSameInterval(a: CatalogPrice, b: CatalogPrice): boolean {
  return a.recurringInterval === b.recurringInterval && a.recurringIntervalCount === b.recurringIntervalCount;
}

/** The rest of the period at the new price, minus the rest of it at the old one. */
function chargeNow(request: ChangeRequest, period: Period): PlanChange {
  const { current, next, periodDiscount, nextDiscount, taxOf, prorationDate, now } = request;
  const { creditCents, chargeCents } = prorate(
    period,
    prorationDate,
    amountBeforeTax(wholePeriod(current), periodDiscount, current),
    amountBeforeTax(wholePeriod(next), periodDiscount, next),
  );
  const rest = { periodStart: prorationDate, periodEnd: period.end };
  const charge = partLine(REMAINING_TIME + nameWithCount(next), next.price, chargeCents, rest, taxOf);
  const settled = settle(request, creditCents, rest, charge);
  return {
    behavior: 'charge_now',
    prorationDate,
    ...settled,
    discount: null,
    chargeCents,
    effectiveAt: now,
    nextInvoice: { date: period.end, amountCents: periodCents(next, taxOf, nextDiscount) },
  };
}

/** A whole period of the new plan from now on, minus the rest of the old one; a remainder becomes credit. */
function reset(request: ChangeRequest, period: Period): PlanChange {
  const { current, next, periodDiscount, nextDiscount, taxOf, prorationDate, now } = request;
  const fresh = periodAt(prorationDate, recurrenceOf(next.price), 0);
  const bought = {
    ...wholePeriod(next),
    tax: taxOf(next.price),
    periodStart: fresh.start,
    periodEnd: fresh.end,
  };
  const chargeCents = amountBeforeTax(bought, nextDiscount, next);
  const oldCents = amountBeforeTax(wholePeriod(current), periodDiscount, current);
  const { creditCents } = prorate(period, prorationDate, oldCents, chargeCents);
  const rest = { periodStart: prorationDate, periodEnd: period.end };
  const settled = settle(request, creditCents, rest, bought, nextDiscount);
  return {
    behavior: 'reset',
    prorationDate,
    ...settled,
    discount: sumOfDiscounts(settled.lines) > 0n ? appliedOf(nextDiscount!) : null,
    chargeCents,
    effectiveAt: now,
    nextInvoice: { date: fresh.end, amountCents: periodCents(next, taxOf, afterOne(request)) },
  };
}

/**
 * The lines of a change: what is charged, minus as much of the unused time as that covers, each with its own tax. What
 * is left of the unused time becomes credit, with its tax. All of it together is at most what was paid for it and kept.
 */
function settle(
  request: ChangeRequest,
  proratedCents: Cents,
  rest: { periodStart: Date; periodEnd: Date },
  charge: InvoiceLine,
  discount?: Discount,
): Pick<PlanChange, 'lines' | 'creditCents' | 'surplusCents'> {
  const { current, next, payments, prorationDate } = request;
  const paidTax = paidTaxOf(request);
  const unused = (cents: Cents) =>
    partLine(UNUSED_TIME + nameWithCount(current), current.price, -cents, rest, () => paidTax);
  const worthOf = (cents: Cents) => -amountOfLines(priceLines([unused(cents)], undefined, () => undefined));
  const linesOf = (lines: InvoiceLine[]) =>
    priceLines(lines, discount, () => next.price.productId, 'quantity');
  const linesWith = (cents: Cents) => linesOf([unused(cents), charge]);
  const most = remainingValue(payments, prorationDate);
  const creditCents = largest(proratedCents, (cents) => worthOf(cents) <= most);
  const usedCents = largest(creditCents, (cents) => amountOfLines(linesWith(cents)) >= 0n);
  const lines = linesWith(usedCents);
  if (usedCents === creditCents) return { lines, creditCents, surplusCents: 0n };
  // Amount that the credit takes off the invoice. The tax of two parts would not always add up to the tax of the
  // whole.
  const takenOff = amountOfLines(linesOf([charge])) - amountOfLines(lines);
  return { lines, creditCents, surplusCents: worthOf(creditCents) - takenOff };
}

/**
 * Unused time goes back with the tax it was paid with, whatever holds for the price or the customer by now. A price that was
 * never paid for, because the change to it cost nothing, has today's.
 */
function paidTaxOf({ current, payments, taxOf }: ChangeRequest): LineTax | null {
  const last = payments.at(-1)?.invoice;
  const line = last?.billingReason === 'subscription_change' ? last.lines.at(-1) : last?.lines[0];
  return line?.priceId === current.price.id ? line.tax : taxOf(current.price);
}

/** The largest of 0 to most that fits, where everything below something that fits does too. */
function largest(most: Cents, fits: (cents: Cents) => boolean): Cents {
  if (fits(most)) return most;
  let [low, high] = [0n, most];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The discount after a period that used one of its periods up. */
function afterOne({ subscription, nextDiscount }: ChangeRequest): Discount | undefined {
  return subscription.discountPeriodsLeft === 1 ? undefined : nextDiscount;
}

/** Nothing to pay for the change itself. */
function without(request: ChangeRequest, behavior: 'none' | 'next_period', effectiveAt: Date): PlanChange {
  const { subscription, next, nextDiscount, taxOf, prorationDate } = request;
  return {
    behavior,
    prorationDate,
    lines: [],
    discount: null,
    creditCents: 0n,
    chargeCents: 0n,
    surplusCents: 0n,
    effectiveAt,
    nextInvoice: { date: subscription.paidThrough!, amountCents: periodCents(next, taxOf, nextDiscount) },
  };
}

function currentPeriod({ currentPeriodStart, currentPeriodEnd }: Subscription): Period {
  return { start: currentPeriodStart!, end: currentPeriodEnd! };
}
