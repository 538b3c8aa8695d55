import assert from 'node:assert';
import type { Project } from '../../accounts/projects/project.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { findPrice } from '../catalog/queries.ts';
import type { LockedSession } from '../checkout-sessions/close-session.ts';
import { lockWholeSession } from '../checkout-sessions/lock-session.ts';
import { findIntentOfInvoice } from '../checkout-sessions/queries.ts';
import { findSubscription, lockSubscription } from '../subscriptions/queries.ts';
import { isLive, type Subscription } from '../subscriptions/subscription.ts';

/** A subscription with everything of it that may be waiting for money, locked. */
export interface LockedSubscription {
  subscription: Subscription;
  project: Project;
  price: CatalogPrice;
  /** The unpaid renewal. */
  renewal: LockedSession | undefined;
  /** The unpaid plan change. */
  change: LockedSession | undefined;
}

const MAX_TRIES = 5;

/**
 * Locks a subscription for a decision: first the intents that money could be moving on, then the subscription, as
 * settlement does. If its open sessions changed in between, they are locked again.
 */
export async function lockSubscriptionWithSessions(
  tx: Tx,
  ref: Ref,
): Promise<LockedSubscription | undefined> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const seen = await findSubscription(tx, ref);
    if (!seen) return undefined;
    const [renewal, change] = await lockSessions(tx, ref.merchantId, [
      isLive(seen) ? seen.renewalInvoiceId : null,
      seen.pendingChange?.invoiceId ?? null,
    ]);
    const subscription = (await lockSubscription(tx, ref))!;
    const isSame =
      isLive(subscription) === isLive(seen) &&
      subscription.renewalInvoiceId === seen.renewalInvoiceId &&
      subscription.pendingChange?.invoiceId === seen.pendingChange?.invoiceId;
    if (!isSame) continue;
    const { merchantId, projectId, priceId } = subscription;
    const project = (await findProject(tx, { merchantId, id: projectId }))!;
    const price = (await findPrice(tx, { merchantId, id: priceId }))!;
    return { subscription, project, price, renewal, change };
  }
  assert.fail('a subscription does not stop changing');
}

async function lockSessions(
  tx: Tx,
  merchantId: string,
  invoiceIds: (string | null)[],
): Promise<(LockedSession | undefined)[]> {
  const intentIds = await Promise.all(
    invoiceIds.map((id) => (id === null ? undefined : findIntentOfInvoice(tx, merchantId, id))),
  );
  const locked = new Map<string, LockedSession>();
  for (const intentId of intentIds.filter((id) => id !== undefined).sort()) {
    locked.set(intentId, await lockWholeSession(tx, merchantId, intentId));
  }
  return intentIds.map((id) => (id === undefined ? undefined : locked.get(id)));
}
