import type { EmailSource } from '../../accounts/customers/customer.ts';
import { findOrCreateCustomer } from '../../accounts/customers/find-or-create-customer.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Discount, startingDiscount } from '../discounts/discount.ts';
import { findDiscount } from '../discounts/queries.ts';
import { insertSubscription } from '../subscriptions/change-subscription.ts';
import { newSubscription, type Subscription } from '../subscriptions/subscription.ts';
import { findTrial } from '../trials/queries.ts';
import { nameTrialCustomer } from '../trials/reserve-trial.ts';
import { orderingKeyOf } from './change-session.ts';
import { updateBuyer } from './queries.ts';
import { type Session, seatsOf } from './session.ts';

export interface Registered {
  session: Session;
  /** Its event is not written yet: the caller does that, after the invoice's. */
  subscription: Subscription | undefined;
}

/**
 * The first money of an anonymous checkout: creates the customer from what was typed or signed and, for a subscription price,
 * the subscription, whose first payment has started to arrive. An address that a stranger typed finds nobody, so each purchase has
 * a customer of its own.
 */
export async function registerBuyer(tx: Tx, before: Session, now: Date): Promise<Registered> {
  const { merchantId, projectId, mode } = before;
  const customer = await findOrCreateCustomer(tx, {
    merchantId,
    projectId,
    externalCustomerId: before.externalCustomerId,
    email: before.customerEmail,
    emailSource: await sourceOf(tx, before),
    name: before.customerName,
    isNeeded: mode !== 'one_time',
    now,
  });
  const given = before.discount && (await findDiscount(tx, { merchantId, id: before.discount.id }));
  const subscription =
    mode === 'subscription' ? subscriptionOf(before, customer!.id, given ?? undefined, now) : undefined;
  if (subscription) await insertSubscription(tx, subscription);
  const session: Session = {
    ...before,
    customerId: customer?.id ?? null,
    subscriptionId: subscription?.id ?? null,
  };
  await updateBuyer(tx, session);
  if (subscription?.trialDays) await nameTrialCustomer(tx, session);
  return { session, subscription };
}

/**
 * A stranger's trial that does not count as typed began in the mailbox of its address. What a reference names may be the account of the
 * person who typed it.
 */
async function sourceOf(tx: Tx, session: Session): Promise<EmailSource> {
  const trial = session.trialDays === null ? undefined : await findTrial(tx, session);
  return trial?.isTyped === false && session.clientReferenceId === null ? 'mailbox' : 'typed';
}

/** Its id has been the ordering key of everything that was said about the session, so that it all stays in order. */
function subscriptionOf(
  session: Session,
  customerId: string,
  given: Discount | undefined,
  now: Date,
): Subscription {
  return newSubscription({
    id: orderingKeyOf(session),
    merchantId: session.merchantId,
    projectId: session.projectId,
    customerId,
    externalCustomerId: session.externalCustomerId,
    priceId: session.priceId!,
    quantity: seatsOf(session.lines),
    ...startingDiscount(given),
    merchantReference: session.merchantReference,
    clientReferenceId: session.clientReferenceId,
    metadata: session.metadata,
    trialDays: session.trialDays,
    successUrl: session.successUrl,
    cancelUrl: session.cancelUrl,
    createdAt: now,
  });
}
