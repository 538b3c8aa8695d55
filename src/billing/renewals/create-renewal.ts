import type { Customer } from '../../accounts/customers/customer.ts';
import { findCustomerOrErased } from '../../accounts/customers/queries.ts';
import type { Project } from '../../accounts/projects/project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { findPrice } from '../catalog/queries.ts';
import { type OpenSession, openSession } from '../checkout-sessions/create-session-with-invoice.ts';
import { lineOfPrice } from '../checkout-sessions/price-line.ts';
import type { Session } from '../checkout-sessions/session.ts';
import { taxLines } from '../checkout-sessions/tax-lines.ts';
import { appliedOf, type Discount } from '../discounts/discount.ts';
import { priceLines } from '../discounts/price-lines.ts';
import { findDiscount } from '../discounts/queries.ts';
import { changeInvoice } from '../invoices/change-invoice.ts';
import { createInvoice } from '../invoices/create-invoice.ts';
import { describeParties } from '../invoices/describe-parties.ts';
import { type CustomerEmail, emailCustomer } from '../invoices/email-customer.ts';
import {
  type AppliedDiscount,
  amountOfLines,
  type Invoice,
  type InvoiceLine,
  sumOfDiscounts,
} from '../invoices/invoice.ts';
import { lockAccountCredit, post } from '../ledger/post.ts';
import { readRates } from '../pricing/read-rates.ts';
import { changeSubscription } from '../subscriptions/change-subscription.ts';
import {
  advance,
  type NextPeriod,
  nextPeriod,
  nextQuantityOf,
  type Plan,
  prepay,
  recurrenceOf,
  type Subscription,
  withDiscountUsed,
} from '../subscriptions/subscription.ts';
import { graceEndsAt } from '../subscriptions/timeline.ts';
import type { TaxRate } from '../tax-rates/tax-rate.ts';
import { scheduled } from './schedule.ts';

export interface CreateRenewal {
  subscription: Subscription;
  project: Project;
  price: CatalogPrice;
  destination: string;
  publicUrl: string;
  now: Date;
}

/**
 * Requests the next period: account credit is applied first. If it covers everything, nothing is requested; otherwise
 * an invoice and a session stay payable until the grace period ends.
 */
export async function createRenewal(tx: Tx, input: CreateRenewal): Promise<Subscription> {
  const { subscription, price } = input;
  const { merchantId, customerId, nextPriceId } = subscription;
  const next = nextPriceId ? (await findPrice(tx, { merchantId, id: nextPriceId }))! : price;
  const discount = await findDiscountOf(tx, subscription);
  const customer = (await findCustomerOrErased(tx, { merchantId, id: customerId }))!;
  const rates = await readRates(tx, [subscription], [next]);
  const drafted = draftRenewal({ ...input, discount, customer, rates }, next, 0n);
  const total = amountOfLines(drafted.lines);
  const available = await lockAccountCredit(tx, { merchantId, customerId });
  const creditCents = available < total ? available : total;
  const draft = { ...drafted, creditCents };
  const after = creditCents === total ? await payByCredit(tx, draft) : await askCustomer(tx, draft);
  if (creditCents > 0n) await applyCredit(tx, draft);
  return after;
}

/** The discount of its next period. */
async function findDiscountOf(tx: Tx, { merchantId, discountId }: Subscription) {
  return discountId === null ? undefined : findDiscount(tx, { merchantId, id: discountId });
}

export interface DiscountedRenewal extends CreateRenewal {
  discount: Discount | undefined;
  customer: Customer;
  /** Tax rates that its price can mean. */
  rates: readonly TaxRate[];
}

export interface RenewalDraft extends DiscountedRenewal {
  /** The plan of the next period. */
  next: Plan<CatalogPrice>;
  period: NextPeriod;
  lines: InvoiceLine[];
  creditCents: Cents;
  invoiceId: string;
}

export function draftRenewal(
  input: DiscountedRenewal,
  price: CatalogPrice,
  creditCents: Cents,
): RenewalDraft {
  const next = { price, quantity: nextQuantityOf(input.subscription) };
  const period = nextPeriod(input.subscription, recurrenceOf(input.price), recurrenceOf(price));
  const line = { ...lineOfPrice(price, next.quantity), periodStart: period.start, periodEnd: period.end };
  const lines = priceLines(taxLines([line], [price], input), input.discount, () => price.productId);
  return { ...input, next, period, lines, creditCents, invoiceId: newId(input.now) };
}

async function askCustomer(tx: Tx, draft: RenewalDraft): Promise<Subscription> {
  const { subscription, now } = draft;
  const { session, invoice, events } = await openSession(tx, sessionFor(draft));
  const due = await changeSubscription(tx, {
    before: subscription,
    after: askedFor(draft, session),
    event: 'subscription.renewal_due',
  });
  const ending = await announceTrialEnd(tx, due.subscription);
  await appendEvents(tx, [...events, due.event, ...ending.events], now);
  const kind = subscription.status === 'trialing' ? 'trial_ending' : 'renewal';
  await emailCustomer(tx, invoice, { ...emailOf(session), kind });
  return ending.subscription;
}

/** Its own event, for receivers that care for nothing but trials. */
async function announceTrialEnd(tx: Tx, before: Subscription) {
  if (before.status !== 'trialing') return { subscription: before, events: [] };
  const { subscription, event } = await changeSubscription(tx, {
    before,
    after: before,
    event: 'subscription.trial_will_end',
  });
  return { subscription, events: [event] };
}

/** The amount due, and its deadline. */
export function sessionFor(draft: RenewalDraft): OpenSession {
  const { subscription, project, customer, now } = draft;
  const current = { start: subscription.currentPeriodStart!, end: subscription.currentPeriodEnd! };
  return {
    project,
    destination: draft.destination,
    mode: 'subscription',
    origin: 'renewal',
    priceId: draft.next.price.id,
    creditAmount: null,
    lines: draft.lines,
    discount: appliedTo(draft),
    creditAppliedCents: draft.creditCents,
    billingReason: 'subscription_cycle',
    customer,
    customerEmail: customer.email,
    customerName: customer.name,
    merchantReference: subscription.merchantReference,
    clientReferenceId: subscription.clientReferenceId,
    metadata: subscription.metadata,
    paymentLinkId: null,
    subscriptionId: subscription.id,
    period: draft.period,
    invoiceId: draft.invoiceId,
    successUrl: subscription.successUrl,
    cancelUrl: subscription.cancelUrl,
    publicUrl: draft.publicUrl,
    dueAt: current.end,
    expiresAt: graceEndsAt(project.settings, current, now),
    now,
  };
}

/** The subscription while its renewal is open. */
export function askedFor(
  { subscription, project, invoiceId, now }: RenewalDraft,
  session: Session,
): Subscription {
  const opened: Subscription = {
    ...subscription,
    renewalInvoiceId: invoiceId,
    renewalCheckoutUrl: session.checkoutUrl,
    latestInvoiceId: invoiceId,
    graceEndsAt: session.expiresAt,
    remindersSent: 0,
  };
  return scheduled(opened, project, now);
}

export function emailOf({ checkoutUrl, expiresAt }: Session): CustomerEmail {
  return { kind: 'renewal', payUrl: checkoutUrl, endsAt: expiresAt };
}

/** Nothing left to pay: paid when it is opened, without a wallet. */
async function payByCredit(tx: Tx, draft: RenewalDraft): Promise<Subscription> {
  const { subscription, project, price, next, period, now } = draft;
  const opened = await createInvoice(
    tx,
    {
      id: draft.invoiceId,
      merchantId: subscription.merchantId,
      projectId: subscription.projectId,
      customerId: subscription.customerId,
      externalCustomerId: subscription.externalCustomerId,
      checkoutSessionId: null,
      subscriptionId: subscription.id,
      billingReason: 'subscription_cycle',
      lines: draft.lines,
      discount: appliedTo(draft),
      tax: describeParties(project.seller, draft.customer, draft.lines),
      creditAppliedCents: draft.creditCents,
      dueAt: subscription.currentPeriodEnd,
      periodStart: period.start,
      periodEnd: period.end,
      merchantReference: subscription.merchantReference,
      clientReferenceId: subscription.clientReferenceId,
      metadata: subscription.metadata,
      createdAt: now,
    },
    subscription.id,
  );
  const after: Invoice = { ...opened.invoice, status: 'paid', paidAt: now };
  const paid = await changeInvoice(tx, {
    before: opened.invoice,
    after,
    event: 'invoice.paid',
    orderingKey: subscription.id,
    now,
  });
  await emailCustomer(tx, after, { kind: 'receipt' });
  const discountId = appliedTo(draft)?.id ?? null;
  const before = { ...withDiscountUsed(subscription, discountId), latestInvoiceId: draft.invoiceId };
  const bought = { ...next, discountId };
  if (now < subscription.currentPeriodEnd!) {
    const prepaid = await changeSubscription(tx, {
      before: subscription,
      after: scheduled(prepay(before, period, bought), project, null),
      event: 'subscription.updated',
    });
    await appendEvents(tx, [opened.event, paid, prepaid.event], now);
    return prepaid.subscription;
  }
  const renewed = await changeSubscription(tx, {
    before: subscription,
    after: scheduled(advance(before, price, bought), project, null),
    event: 'subscription.renewed',
  });
  await appendEvents(tx, [opened.event, paid, renewed.event], now);
  return renewed.subscription;
}

/** A discount that takes nothing off is not on the invoice, and uses nothing up. */
function appliedTo({ lines, discount }: RenewalDraft): AppliedDiscount | null {
  return discount && sumOfDiscounts(lines) > 0n ? appliedOf(discount) : null;
}

async function applyCredit(
  tx: Tx,
  { subscription, creditCents, invoiceId, now }: RenewalDraft,
): Promise<void> {
  await post(tx, {
    merchantId: subscription.merchantId,
    customerId: subscription.customerId,
    deltaCents: -creditCents,
    counterAccount: 'invoice',
    invoiceId,
    orderingKey: subscription.id,
    now,
  });
}
