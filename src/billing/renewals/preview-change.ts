import { hash } from 'node:crypto';
import { findCustomerOrErased } from '../../accounts/customers/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { inState } from '../../platform/lib/in-state.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { findPrice } from '../catalog/queries.ts';
import { requireOnSale } from '../checkout-sessions/price-line.ts';
import { listDiscountsByRef } from '../discounts/queries.ts';
import { amountOfLines } from '../invoices/invoice.ts';
import { findInvoice } from '../invoices/queries.ts';
import { type PlanChange, type ProrationBehavior, planChange } from '../subscriptions/plan-change.ts';
import { isRunning, type Plan, type Subscription } from '../subscriptions/subscription.ts';
import { readPeriodPayments } from './period-payments.ts';
import { requireSettled, requireUnpaidChange } from './require-settled.ts';
import { taxOfPrices } from './tax-of-prices.ts';

export interface ChangeInput {
  subscription: Subscription;
  price: CatalogPrice;
  priceId: string;
  quantity: number;
  behavior: ProrationBehavior;
  prorationDate: Date;
  now: Date;
}

export interface WorkedOut {
  plan: PlanChange;
  next: Plan<CatalogPrice>;
  accountCreditAppliedCents: Cents;
  amountDueCents: Cents;
  /** Everything the calculation depends on. */
  fingerprint: string;
}

/** Calculates what a change would cost right now, for both the preview and the change itself. */
export async function workOut(db: Queryable, input: ChangeInput): Promise<WorkedOut> {
  const { subscription, price, quantity, behavior, prorationDate, now } = input;
  const { merchantId, projectId, customerId } = subscription;
  requireChangeable(subscription, now);
  const nextPrice = await findPrice(db, { merchantId, id: input.priceId, projectId });
  if (!nextPrice) throw badField('priceId', 'must be the id of a price of this project');
  if (nextPrice.billingMode !== 'subscription')
    throw badField('priceId', 'must be the id of a subscription price');
  const isSamePrice = nextPrice.id === price.id;
  if (isSamePrice && quantity === subscription.quantity) {
    throw badField('priceId', 'is already the subscription’s price');
  }
  // A customer on a plan that is no longer sold can still change its quantity.
  if (!isSamePrice) requireOnSale(nextPrice);
  await requireUnpaidChange(db, subscription);
  await requireSettled(db, subscription);
  const current = { price, quantity: subscription.quantity };
  const next = { price: nextPrice, quantity };
  const discounts = await listDiscountsOf(db, subscription);
  const customer = (await findCustomerOrErased(db, { merchantId, id: customerId }))!;
  const taxOf = await taxOfPrices(db, { merchantId, projectId, customer }, [price, nextPrice]);
  const payments = await readPeriodPayments(db, subscription);
  const request = {
    subscription,
    current,
    next,
    ...discounts,
    payments,
    taxOf,
    behavior,
    prorationDate,
    now,
  };
  const plan = planChange(request);
  const subtotal = amountOfLines(plan.lines);
  const ownCents = customer.accountCreditCents + (await creditOfPending(db, subscription));
  const available = ownCents + plan.surplusCents;
  const accountCreditAppliedCents = available < subtotal ? available : subtotal;
  return {
    plan,
    next,
    accountCreditAppliedCents,
    amountDueCents: subtotal - accountCreditAppliedCents,
    fingerprint: fingerprintOf(subscription, current, next, available, plan),
  };
}

/** The price of the change: without one, more or less of the price there is. */
export function changedPriceOf(
  { priceId, quantity }: { priceId?: string; quantity?: number },
  subscription: Subscription,
): string {
  if (priceId !== undefined) return priceId.toLowerCase();
  if (quantity === undefined) throw badField('priceId', 'or quantity is required');
  return subscription.priceId;
}

async function listDiscountsOf(db: Queryable, subscription: Subscription) {
  const { merchantId, periodDiscountId, discountId } = subscription;
  const ids = [periodDiscountId, discountId].filter((id) => id !== null);
  const found = await listDiscountsByRef(
    db,
    [...new Set(ids)].map((id) => ({ merchantId, id })),
  );
  return {
    periodDiscount: found.find(({ id }) => id === periodDiscountId),
    nextDiscount: found.find(({ id }) => id === discountId),
  };
}

/** Returns the account credit that a change awaiting payment gives back when a newer one replaces it. */
async function creditOfPending(db: Queryable, { merchantId, pendingChange }: Subscription): Promise<Cents> {
  if (!pendingChange) return 0n;
  return (await findInvoice(db, { merchantId, id: pendingChange.invoiceId }))!.creditAppliedCents;
}

function requireChangeable(subscription: Subscription, now: Date): void {
  const { status, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  if (!isRunning(subscription)) {
    throw new AppError('INVALID_STATE', {
      message: `${inState(status, 'subscription')} cannot change its plan.`,
    });
  }
  if (currentPeriodEnd! <= now) {
    throw new AppError('INVALID_STATE', {
      message: 'The billing period has just ended; try again in a moment.',
    });
  }
  if (cancelAtPeriodEnd) {
    throw new AppError('INVALID_STATE', {
      message: 'This subscription is about to end; undo the cancellation before you change its plan.',
    });
  }
}

function fingerprintOf(
  { id, priceId, sequence, paidThrough, currentPeriodEnd, renewalInvoiceId }: Subscription,
  current: Plan<CatalogPrice>,
  next: Plan<CatalogPrice>,
  available: Cents,
  plan: PlanChange,
): string {
  const facts = [
    id,
    priceId,
    sequence,
    paidThrough?.toISOString(),
    currentPeriodEnd?.toISOString(),
    renewalInvoiceId,
    current.price.unitAmountCents,
    current.quantity,
    next.price.id,
    next.price.unitAmountCents,
    next.quantity,
    available,
    plan.creditCents,
    plan.surplusCents,
    ...plan.lines.map(({ taxCents }) => taxCents),
    plan.nextInvoice.amountCents,
  ];
  return hash('sha256', facts.join(' '), 'base64url');
}

export const TOKEN_LIFE_MS = 15 * 60_000;

export interface PreviewToken {
  priceId: string;
  quantity: number;
  /** Behavior as requested; `chosen` is what it resolved to. */
  behavior: ProrationBehavior;
  chosen: PlanChange['behavior'];
  prorationDate: Date;
  fingerprint: string;
  expiresAt: Date;
}

/** Sealed, so that what was shown is what is billed and it cannot be forged. */
export function sealToken(secrets: SecretBox, token: Omit<PreviewToken, 'expiresAt'>, now: Date) {
  const expiresAt = new Date(now.getTime() + TOKEN_LIFE_MS);
  const text = JSON.stringify({ ...token, expiresAt });
  return { previewToken: secrets.seal(`preview ${text}`).toString('base64url'), expiresAt };
}

export function openToken(secrets: SecretBox, sealed: string, now: Date): PreviewToken {
  const token = readToken(secrets, sealed);
  if (token.expiresAt <= now) throw new AppError('PREVIEW_STALE');
  return token;
}

function readToken(secrets: SecretBox, sealed: string): PreviewToken {
  try {
    const text = secrets.open(Buffer.from(sealed, 'base64url'));
    if (!text.startsWith('preview ')) throw new Error('sealed for something else');
    const token = JSON.parse(text.slice('preview '.length)) as PreviewToken;
    return {
      ...token,
      prorationDate: new Date(token.prorationDate),
      expiresAt: new Date(token.expiresAt),
    };
  } catch {
    throw badField('previewToken', 'must be a token from a preview');
  }
}
