import { findCustomerOrErased } from '../../accounts/customers/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { openSession } from '../checkout-sessions/create-session-with-invoice.ts';
import { changeInvoice } from '../invoices/change-invoice.ts';
import { createInvoice } from '../invoices/create-invoice.ts';
import { describeParties } from '../invoices/describe-parties.ts';
import { emailCustomer } from '../invoices/email-customer.ts';
import { amountOfLines, type Invoice } from '../invoices/invoice.ts';
import { lockAccountCredit, post } from '../ledger/post.ts';
import { changeSubscription } from '../subscriptions/change-subscription.ts';
import type { PlanChange } from '../subscriptions/plan-change.ts';
import {
  NO_NEXT_PLAN,
  type PendingChange,
  type Plan,
  type Subscription,
} from '../subscriptions/subscription.ts';
import { withPlan } from './apply-paid-change.ts';
import { dropChange } from './cancel-subscription.ts';
import { emailPlan } from './email-plan.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import { reopenRenewal } from './reopen-renewal.ts';

export interface ChangePlan {
  agreement: LockedSubscription;
  next: Plan<CatalogPrice>;
  plan: PlanChange;
  destination: string;
  publicUrl: string;
  now: Date;
}

/**
 * Applies a plan change as calculated: immediately if nothing is due, with the next period, or once the customer has
 * paid. It replaces a pending change.
 */
export async function changePlan(tx: Tx, input: ChangePlan): Promise<Subscription> {
  const { agreement, plan, next, now } = input;
  const dropped = await dropChange(tx, agreement, now);
  const subscription = { ...agreement.subscription, pendingChange: null, ...NO_NEXT_PLAN };
  const fresh: LockedSubscription = { ...agreement, subscription, change: undefined };
  if (plan.behavior === 'next_period' || plan.behavior === 'none') {
    const isLater = plan.behavior === 'next_period';
    const changed = isLater
      ? { nextPriceId: next.price.id, nextQuantity: next.quantity }
      : atOnce(subscription, next);
    const stored = await store(tx, fresh, { ...subscription, ...changed }, dropped, now);
    const kind = isLater ? 'plan_change_planned' : 'plan_changed';
    await emailPlan(tx, stored, kind, { of: next, at: plan.effectiveAt });
    return stored;
  }
  return changeForMoney(tx, { ...input, agreement: fresh }, dropped);
}

/** Also the period that is paid ahead, if one is: nothing is charged for the change, now or then. */
function atOnce({ prepaidPriceId }: Subscription, { price, quantity }: Plan): Partial<Subscription> {
  const prepaid = prepaidPriceId && { prepaidPriceId: price.id, prepaidQuantity: quantity };
  return { priceId: price.id, quantity, ...prepaid };
}

async function changeForMoney(tx: Tx, input: ChangePlan, events: NewEvent[]): Promise<Subscription> {
  const { agreement, plan, next, now } = input;
  const { subscription } = agreement;
  const { merchantId, customerId } = subscription;
  const subtotal = amountOfLines(plan.lines);
  const own = await lockAccountCredit(tx, { merchantId, customerId });
  // The credit that a change gives pays for it first: tax can leave a cent due, and nobody gets credit for a change
  // they may not make.
  const available = own + plan.surplusCents;
  const creditCents = available < subtotal ? available : subtotal;
  const draft = { ...input, creditCents, invoiceId: newId(now) };
  const after =
    creditCents === subtotal ? await changeAtOnce(tx, draft, events) : await askForChange(tx, draft, events);
  const orderingKey = subscription.id;
  const base = { merchantId, customerId, orderingKey, invoiceId: draft.invoiceId, now };
  if (plan.surplusCents > 0n) {
    const reason = `unused time, changed to ${next.price.productName}`.slice(0, 255);
    await post(tx, { ...base, deltaCents: plan.surplusCents, counterAccount: 'plan_change', reason });
  }
  if (creditCents > 0n) await post(tx, { ...base, deltaCents: -creditCents, counterAccount: 'invoice' });
  return after;
}

interface Draft extends ChangePlan {
  creditCents: Cents;
  invoiceId: string;
}

/** Credit covers it all: the invoice is paid at opening, and the plan changes now. */
async function changeAtOnce(tx: Tx, draft: Draft, events: NewEvent[]): Promise<Subscription> {
  const { agreement, next, plan, now } = draft;
  const { subscription } = agreement;
  const { merchantId, customerId } = subscription;
  const customer = (await findCustomerOrErased(tx, { merchantId, id: customerId }))!;
  const { invoice, event } = await createInvoice(
    tx,
    {
      id: draft.invoiceId,
      merchantId: subscription.merchantId,
      projectId: subscription.projectId,
      customerId: subscription.customerId,
      externalCustomerId: subscription.externalCustomerId,
      checkoutSessionId: null,
      subscriptionId: subscription.id,
      billingReason: 'subscription_change',
      lines: plan.lines,
      discount: plan.discount,
      tax: describeParties(agreement.project.seller, customer, plan.lines),
      creditAppliedCents: draft.creditCents,
      dueAt: now,
      ...periodOf(plan),
      merchantReference: subscription.merchantReference,
      clientReferenceId: subscription.clientReferenceId,
      metadata: subscription.metadata,
      createdAt: now,
    },
    subscription.id,
  );
  const receipted: Invoice = { ...invoice, status: 'paid', paidAt: now };
  const paid = await changeInvoice(tx, {
    before: invoice,
    after: receipted,
    event: 'invoice.paid',
    orderingKey: subscription.id,
    now,
  });
  await emailCustomer(tx, receipted, { kind: 'receipt' });
  const { behavior: prorationBehavior, prorationDate } = plan;
  const discountId = plan.discount?.id ?? null;
  const changed = withPlan(subscription, { ...next, discountId }, { prorationBehavior, prorationDate });
  const after = { ...changed, latestInvoiceId: invoice.id };
  const stored = await store(tx, agreement, after, [...events, event, paid], now);
  await emailPlan(tx, stored, 'plan_changed', { of: next });
  return stored;
}

const CHANGE_LIFE_MS = DAY_MS;

/** The customer confirms by paying; until then the old plan stays. */
async function askForChange(tx: Tx, draft: Draft, before: NewEvent[]): Promise<Subscription> {
  const { agreement, next, plan, now } = draft;
  const { subscription, project } = agreement;
  const { merchantId, customerId } = subscription;
  const customer = (await findCustomerOrErased(tx, { merchantId, id: customerId }))!;
  const deadlineMs = Math.min(now.getTime() + CHANGE_LIFE_MS, subscription.currentPeriodEnd!.getTime());
  const { session, events } = await openSession(tx, {
    project,
    destination: draft.destination,
    mode: 'subscription',
    origin: 'renewal',
    priceId: next.price.id,
    creditAmount: null,
    lines: plan.lines,
    discount: plan.discount,
    creditAppliedCents: draft.creditCents,
    billingReason: 'subscription_change',
    customer,
    customerEmail: customer.email,
    customerName: customer.name,
    merchantReference: subscription.merchantReference,
    clientReferenceId: subscription.clientReferenceId,
    metadata: subscription.metadata,
    paymentLinkId: null,
    subscriptionId: subscription.id,
    period: { start: periodOf(plan).periodStart, end: periodOf(plan).periodEnd },
    invoiceId: draft.invoiceId,
    successUrl: subscription.successUrl,
    cancelUrl: subscription.cancelUrl,
    publicUrl: draft.publicUrl,
    expiresAt: new Date(deadlineMs),
    now,
  });
  const pendingChange: PendingChange = {
    priceId: next.price.id,
    quantity: next.quantity,
    prorationBehavior: plan.behavior as PendingChange['prorationBehavior'],
    prorationDate: plan.prorationDate,
    invoiceId: draft.invoiceId,
    checkoutUrl: session.checkoutUrl,
    amountDueCents: session.amountCents,
    expiresAt: session.expiresAt,
  };
  const changed = await changeSubscription(tx, {
    before: agreement.subscription,
    after: { ...subscription, pendingChange, latestInvoiceId: draft.invoiceId },
    event: 'subscription.updated',
  });
  await appendEvents(tx, [...before, ...events, changed.event], now);
  const { amountDueCents: dueCents, checkoutUrl: payUrl, expiresAt: at } = pendingChange;
  await emailPlan(tx, changed.subscription, 'plan_change_to_pay', { of: next, dueCents, payUrl, at });
  return changed.subscription;
}

function periodOf({ lines }: PlanChange) {
  const { periodStart, periodEnd } = lines.at(-1)!;
  return { periodStart: periodStart!, periodEnd: periodEnd! };
}

/** Stores a change that takes effect now; a renewal requested under the old terms is requested again. */
async function store(
  tx: Tx,
  agreement: LockedSubscription,
  changed: Subscription,
  before: NewEvent[],
  now: Date,
): Promise<Subscription> {
  const { subscription: after, events } = await reopenRenewal(tx, agreement, changed, now);
  const { subscription, event } = await changeSubscription(tx, {
    before: agreement.subscription,
    after,
    event: 'subscription.updated',
  });
  await appendEvents(tx, [...before, ...events, event], now);
  return subscription;
}
