import type { CatalogPrice } from '../../accounts/catalog/price.ts';
import type { InvoiceLine } from '../../money/invoices/invoice.ts';
import { priceCart } from '../../money/pricing/price-cart.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
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
  behavior: ProrationBehavior;
  prorationDate: Date;
  now: Date;
}

/**
 * Calculates a plan change. `auto`: a more expensive plan is charged now, a cheaper one starts with the next period,
 * another interval starts a new period.
 */
export function planChange(request: ChangeRequest): PlanChange {
  const { subscription, next, prorationDate, now } = request;
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
      return without(request, behavior, now, periodCents(next));
    default:
      return without(request, 'next_period', subscription.paidThrough!, periodCents(next));
  }
}

function resolve({ subscription, current, next, behavior }: ChangeRequest): PlanChange['behavior'] {
  const isSameRhythm = hasSameRhythm(current.price, next.price);
  const isDearer = periodCents(next) > periodCents(current);
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
function chargeNow({ current, next, prorationDate, now }: ChangeRequest, period: Period): PlanChange {
  const nextCents = periodCents(next);
  const { creditCents, chargeCents } = prorate(period, prorationDate, periodCents(current), nextCents);
  const rest = { periodStart: prorationDate, periodEnd: period.end };
  return {
    behavior: 'charge_now',
    prorationDate,
    lines: [
      line(UNUSED_TIME + nameWithCount(current), current.price.id, -creditCents, rest),
      line(REMAINING_TIME + nameWithCount(next), next.price.id, chargeCents, rest),
    ],
    creditCents,
    chargeCents,
    surplusCents: 0n,
    effectiveAt: now,
    nextInvoice: { date: period.end, amountCents: nextCents },
  };
}

/** A whole period of the new plan from now on, minus the rest of the old one; a remainder becomes credit. */
function reset({ current, next, prorationDate, now }: ChangeRequest, period: Period): PlanChange {
  const chargeCents = periodCents(next);
  const { creditCents } = prorate(period, prorationDate, periodCents(current), chargeCents);
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
      {
        ...line(nameOf(next.price), next.price.id, chargeCents, {
          periodStart: fresh.start,
          periodEnd: fresh.end,
        }),
        quantity: BigInt(next.quantity),
        unitAmountCents: next.price.unitAmountCents,
      },
    ],
    creditCents,
    chargeCents,
    surplusCents: creditCents - usedCents,
    effectiveAt: now,
    nextInvoice: { date: fresh.end, amountCents: chargeCents },
  };
}

/** Nothing to pay for the change itself. */
function without(
  { subscription, prorationDate }: ChangeRequest,
  behavior: 'none' | 'next_period',
  effectiveAt: Date,
  amountCents: Cents,
): PlanChange {
  return {
    behavior,
    prorationDate,
    lines: [],
    creditCents: 0n,
    chargeCents: 0n,
    surplusCents: 0n,
    effectiveAt,
    nextInvoice: { date: subscription.paidThrough!, amountCents },
  };
}

function line(
  description: string,
  priceId: string,
  amountCents: Cents,
  period: { periodStart: Date; periodEnd: Date },
): InvoiceLine {
  return { description, quantity: 1n, unitAmountCents: amountCents, amountCents, priceId, ...period };
}

function nameOf({ productName, name }: CatalogPrice): string {
  return name === null ? productName : `${productName} – ${name}`;
}

/** A part of a period has no unit price in whole cents, so how many it is for is in its name. */
function nameWithCount({ price, quantity }: Plan<CatalogPrice>): string {
  return quantity === 1 ? nameOf(price) : `${quantity} × ${nameOf(price)}`;
}

/** What a whole period of a plan costs. */
export function periodCents({ price, quantity }: Plan<CatalogPrice>): Cents {
  const line = { key: price.id, unitAmountCents: price.unitAmountCents, quantity: BigInt(quantity) };
  return priceCart({ lines: [line], field: 'quantity' }).amountCents;
}

function currentPeriod({ currentPeriodStart, currentPeriodEnd }: Subscription): Period {
  return { start: currentPeriodStart!, end: currentPeriodEnd! };
}
