import type { CatalogPrice } from '../../accounts/catalog/price.ts';
import { type AppliedDiscount, amountOfLines, type InvoiceLine } from '../../money/invoices/invoice.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { appliedOf, type Discount } from '../discounts/discount.ts';
import { discountLines } from '../discounts/discount-lines.ts';
import { type Period, periodAt } from './period.ts';
import { prorate } from './prorate.ts';
import { isPrepaid, type Plan, recurrenceOf, type Subscription } from './subscription.ts';

export const CHOSEN_BEHAVIORS = ['charge_now', 'next_period', 'reset', 'none'] as const;
export const PRORATION_BEHAVIORS = ['auto', ...CHOSEN_BEHAVIORS] as const;
export type ProrationBehavior = (typeof PRORATION_BEHAVIORS)[number];

/** What a change of plan would do, to the cent: the same for the preview and for the invoice. */
export interface PlanChange {
  behavior: (typeof CHOSEN_BEHAVIORS)[number];
  prorationDate: Date;
  lines: InvoiceLine[];
  /** What a new period costs less by. */
  discount: AppliedDiscount | null;
  /** For the unused time of the old plan. */
  creditCents: Cents;
  chargeCents: Cents;
  /** What the customer gets back as account credit, when the old plan was worth more. */
  surplusCents: Cents;
  /** When the new plan holds; where money is due, once it is paid. */
  effectiveAt: Date;
  nextInvoice: { date: Date; amountCents: Cents };
}

export interface ChangeRequest {
  subscription: Subscription;
  /** What the subscription has now. */
  current: Plan<CatalogPrice>;
  next: Plan<CatalogPrice>;
  /** What the current period costs less by, and what the ones after it do. */
  periodDiscount: Discount | undefined;
  nextDiscount: Discount | undefined;
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
}: ChangeRequest): PlanChange['behavior'] {
  if (subscription.status === 'trialing')
    return resolveInTrial(subscription, behavior, hasSameRhythm(current.price, next.price));
  const isSameRhythm = hasSameRhythm(current.price, next.price);
  const isDearer = periodCents(next, periodDiscount) > periodCents(current, periodDiscount);
  const resolved = behavior === 'auto' ? automatic(isSameRhythm, isDearer) : behavior;
  if (resolved === 'charge_now' && !(isSameRhythm && isDearer)) {
    throw badField(
      'prorationBehavior',
      'charge_now is only for a more expensive price with the same interval',
    );
  }
  if (resolved === 'none' && !isSameRhythm) {
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
  isSameRhythm: boolean,
): PlanChange['behavior'] {
  if (behavior === 'charge_now' || behavior === 'reset') {
    throw badField('prorationBehavior', `cannot be ${behavior} during a trial, which has nothing to prorate`);
  }
  if (behavior === 'auto') return isPrepaid(subscription) ? 'next_period' : 'none';
  if (behavior === 'none' && isPrepaid(subscription) && !isSameRhythm) {
    throw badField('prorationBehavior', 'none is only for a price with the same interval');
  }
  return behavior;
}

function automatic(isSameRhythm: boolean, isDearer: boolean): PlanChange['behavior'] {
  if (!isSameRhythm) return 'reset';
  return isDearer ? 'charge_now' : 'next_period';
}

function hasSameRhythm(a: CatalogPrice, b: CatalogPrice): boolean {
  return a.recurringInterval === b.recurringInterval && a.recurringIntervalCount === b.recurringIntervalCount;
}

/** How the lines of a change start, as stored; pages translate them. */
export const UNUSED_TIME = 'Unused time: ';
export const REMAINING_TIME = 'Remaining time: ';

/** The rest of the period at the new price, minus the rest of it at the old one. */
function chargeNow(request: ChangeRequest, period: Period): PlanChange {
  const { current, next, periodDiscount, nextDiscount, prorationDate, now } = request;
  const { creditCents, chargeCents } = prorate(
    period,
    prorationDate,
    periodCents(current, periodDiscount),
    periodCents(next, periodDiscount),
  );
  const rest = { periodStart: prorationDate, periodEnd: period.end };
  return {
    behavior: 'charge_now',
    prorationDate,
    lines: [
      line(UNUSED_TIME + nameWithCount(current), current.price.id, -creditCents, rest),
      line(REMAINING_TIME + nameWithCount(next), next.price.id, chargeCents, rest),
    ],
    discount: null,
    creditCents,
    chargeCents,
    surplusCents: 0n,
    effectiveAt: now,
    nextInvoice: { date: period.end, amountCents: periodCents(next, nextDiscount) },
  };
}

/** A whole period of the new plan from now on, minus the rest of the old one; a remainder becomes credit. */
function reset(request: ChangeRequest, period: Period): PlanChange {
  const { current, next, periodDiscount, nextDiscount, prorationDate, now } = request;
  const [bought] = discountLines([wholePeriod(next)], nextDiscount, () => next.price.productId, 'quantity');
  const chargeCents = amountOfLines([bought!]);
  const oldCents = periodCents(current, periodDiscount);
  const { creditCents } = prorate(period, prorationDate, oldCents, chargeCents);
  const usedCents = creditCents < chargeCents ? creditCents : chargeCents;
  const fresh = periodAt(prorationDate, recurrenceOf(next.price), 0);
  return {
    behavior: 'reset',
    prorationDate,
    lines: [
      line(UNUSED_TIME + nameWithCount(current), current.price.id, -usedCents, {
        periodStart: prorationDate,
        periodEnd: period.end,
      }),
      { ...bought!, periodStart: fresh.start, periodEnd: fresh.end },
    ],
    discount: bought!.discountCents > 0n ? appliedOf(nextDiscount!) : null,
    creditCents,
    chargeCents,
    surplusCents: creditCents - usedCents,
    effectiveAt: now,
    nextInvoice: { date: fresh.end, amountCents: periodCents(next, afterOne(request)) },
  };
}

/** The discount after a period that used one of its periods up. */
function afterOne({ subscription, nextDiscount }: ChangeRequest): Discount | undefined {
  return subscription.discountPeriodsLeft === 1 ? undefined : nextDiscount;
}

/** Nothing to pay for the change itself. */
function without(request: ChangeRequest, behavior: 'none' | 'next_period', effectiveAt: Date): PlanChange {
  const { subscription, next, nextDiscount, prorationDate } = request;
  return {
    behavior,
    prorationDate,
    lines: [],
    discount: null,
    creditCents: 0n,
    chargeCents: 0n,
    surplusCents: 0n,
    effectiveAt,
    nextInvoice: { date: subscription.paidThrough!, amountCents: periodCents(next, nextDiscount) },
  };
}

function line(
  description: string,
  priceId: string,
  amountCents: Cents,
  period: { periodStart: Date; periodEnd: Date },
): InvoiceLine {
  return {
    description,
    quantity: 1n,
    unitAmountCents: amountCents,
    amountCents,
    discountCents: 0n,
    priceId,
    ...period,
  };
}

function nameOf({ productName, name }: CatalogPrice): string {
  return name === null ? productName : `${productName} – ${name}`;
}

/** A part of a period has no unit price in whole cents, so how many it is for is in its name. */
function nameWithCount({ price, quantity }: Plan<CatalogPrice>): string {
  return quantity === 1 ? nameOf(price) : `${quantity} × ${nameOf(price)}`;
}

/** What a whole period of a plan costs, with a discount or without. */
export function periodCents(plan: Plan<CatalogPrice>, discount?: Discount): Cents {
  const { productId } = plan.price;
  return amountOfLines(discountLines([wholePeriod(plan)], discount, () => productId, 'quantity'));
}

function wholePeriod({ price, quantity }: Plan<CatalogPrice>): InvoiceLine {
  const { id: priceId, unitAmountCents } = price;
  const amount = {
    quantity: BigInt(quantity),
    unitAmountCents,
    amountCents: unitAmountCents * BigInt(quantity),
  };
  return {
    description: nameOf(price),
    ...amount,
    discountCents: 0n,
    priceId,
    periodStart: null,
    periodEnd: null,
  };
}

function currentPeriod({ currentPeriodStart, currentPeriodEnd }: Subscription): Period {
  return { start: currentPeriodStart!, end: currentPeriodEnd! };
}
