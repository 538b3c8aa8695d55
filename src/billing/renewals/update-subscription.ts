import { requireNotErased } from '../../accounts/customers/require-not-erased.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { isSameMetadata, type MetadataChange, mergeMetadata } from '../../platform/lib/metadata.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { requireDestination } from '../checkout-sessions/destination.ts';
import { checkReturnUrl } from '../checkout-sessions/return-url.ts';
import { lockAccountCredit } from '../ledger/post.ts';
import { changeSubscription, storeSubscriptionQuietly } from '../subscriptions/change-subscription.ts';
import type { PlanChange, ProrationBehavior } from '../subscriptions/plan-change.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { cancelSubscription, undoCancel } from './cancel-subscription.ts';
import { changePlan } from './change-plan.ts';
import { lockSubscriptionWithSessions } from './lock-subscription.ts';
import { lockPeriodPayments } from './period-payments.ts';
import { changedPriceOf, openToken, workOut } from './preview-change.ts';

export interface UpdateSubscription {
  merchantId: string;
  id: string;
  change: {
    priceId?: string;
    quantity?: number;
    prorationBehavior?: ProrationBehavior;
    previewToken?: string;
    cancelAtPeriodEnd?: boolean;
    successUrl?: string | null;
    cancelUrl?: string | null;
    metadata?: MetadataChange;
  };
  allowLoopback: boolean;
  isAgent: boolean;
  /** Payout address as looked up before; it is watched. */
  destination: string | undefined;
  publicUrl: string;
  secrets: SecretBox;
  now: Date;
}

/** Changes a subscription as its merchant requests: if it continues, and its plan. */
export async function updateSubscription(tx: Tx, input: UpdateSubscription): Promise<Subscription> {
  const { merchantId, id, change, now } = input;
  const ref = { merchantId, id };
  if (isPlanChange(change)) await lockPeriodPayments(tx, ref);
  const agreement = await lockSubscriptionWithSessions(tx, ref);
  if (!agreement) throw new AppError('NOT_FOUND');
  const { cancelAtPeriodEnd } = change;
  if (isPlanChange(change) && cancelAtPeriodEnd === true) {
    throw badField('cancelAtPeriodEnd', 'cannot be combined with priceId or quantity');
  }
  if (!isPlanChange(change) && (change.prorationBehavior ?? change.previewToken) !== undefined) {
    throw badField('priceId', 'is required with prorationBehavior or previewToken');
  }
  let subscription = await setDetails(tx, agreement.subscription, input);
  if (cancelAtPeriodEnd === false) subscription = await undoCancel(tx, ref, now);
  if (cancelAtPeriodEnd === true && !subscription.cancelAtPeriodEnd) {
    return cancelSubscription(tx, ref, { atPeriodEnd: true, now });
  }
  return isPlanChange(change) ? changeTo(tx, input) : subscription;
}

function isPlanChange({ priceId, quantity }: UpdateSubscription['change']): boolean {
  return priceId !== undefined || quantity !== undefined;
}

/** Future renewals and changes send the customer there, and carry the metadata. */
async function setDetails(
  tx: Tx,
  before: Subscription,
  { change, allowLoopback, now }: UpdateSubscription,
): Promise<Subscription> {
  if ((change.metadata ?? change.successUrl ?? change.cancelUrl) !== undefined)
    await requireNotErased(tx, before.merchantId, before.customerId);
  const wanted = (field: 'successUrl' | 'cancelUrl') =>
    change[field] === undefined ? before[field] : checkReturnUrl(field, change[field], { allowLoopback });
  const metadata = mergeMetadata(before.metadata, change.metadata);
  const after = { ...before, successUrl: wanted('successUrl'), cancelUrl: wanted('cancelUrl'), metadata };
  const isSame = after.successUrl === before.successUrl && after.cancelUrl === before.cancelUrl;
  if (isSame && isSameMetadata(before.metadata, metadata)) return before;
  if (isPlanChange(change)) {
    // Its event is written with the plan change, which must still match a preview from a moment ago.
    await storeSubscriptionQuietly(tx, after);
    return after;
  }
  const { subscription, event } = await changeSubscription(tx, {
    before,
    after,
    event: 'subscription.updated',
  });
  await appendEvents(tx, [event], now);
  return subscription;
}

/** Changes the plan: with a token exactly as shown, or not at all; without one, as of now. */
async function changeTo(tx: Tx, input: UpdateSubscription): Promise<Subscription> {
  const { merchantId, change, secrets, publicUrl, now } = input;
  const agreement = (await lockSubscriptionWithSessions(tx, { merchantId, id: input.id }))!;
  const { subscription, project, price } = agreement;
  if (project.archivedAt) throw new AppError('INVALID_STATE', { message: 'This project is archived.' });
  const priceId = changedPriceOf(change, subscription);
  const token = change.previewToken === undefined ? undefined : openToken(secrets, change.previewToken, now);
  if (token && token.priceId !== priceId) throw badField('previewToken', 'is for a different price');
  if (token && change.quantity !== undefined && change.quantity !== token.quantity) {
    throw badField('previewToken', 'is for a different quantity');
  }
  const given = change.prorationBehavior;
  if (token && given !== undefined && given !== token.behavior && given !== token.chosen) {
    throw badField('prorationBehavior', 'must match the preview that the previewToken is from');
  }
  // From here on the customer's credit is locked, so what is calculated is what is billed.
  await lockAccountCredit(tx, { merchantId, customerId: subscription.customerId });
  const worked = await workOut(tx, {
    subscription,
    price,
    priceId,
    quantity: token?.quantity ?? change.quantity ?? subscription.quantity,
    behavior: token?.behavior ?? change.prorationBehavior ?? 'auto',
    prorationDate: token?.prorationDate ?? now,
    now,
  });
  if (input.isAgent) requireCharge(worked.plan);
  if (token && token.fingerprint !== worked.fingerprint) throw new AppError('PREVIEW_STALE');
  const { projectId } = subscription;
  const destination = await requireDestination(tx, { merchantId, projectId }, input.destination);
  const { next, plan } = worked;
  return changePlan(tx, { agreement, next, plan, destination, publicUrl, now });
}

/**
 * An assistant changes a plan for money, or from the next period on, whether it says so or `auto` decides. What gives a
 * plan or account credit without a charge is for a person.
 */
function requireCharge({ behavior }: PlanChange): void {
  if (behavior === 'charge_now' || behavior === 'next_period') return;
  throw new AppError('FORBIDDEN', {
    message: `Assistants change a plan with prorationBehavior charge_now or next_period only, and this change would be ${behavior}. A person makes it, in the dashboard.`,
  });
}
