import type { Queryable } from '../../platform/db/database.ts';
import { addSeconds, elapsedMs } from '../../platform/lib/clock.ts';
import { TokenBuckets } from '../../platform/limits/token-buckets.ts';
import {
  claimRefundChecks,
  updateCheck,
  updateCheckByReference,
  updateCheckSooner,
  updatePrepared,
} from './check-queries.ts';
import type { RefundRef } from './queries.ts';
import { landsUntil, nextCheckAt, type Refund } from './refund.ts';

/** A look that was begun and never ended is due again after this. */
const LEASE_SECONDS = 30;

export interface RefundCheck {
  ref: RefundRef;
  leaseUntil: Date;
}

/** Refunds whose reference is due for a lookup, leased to the caller. */
export async function claimDueRefundChecks(db: Queryable, now: Date, limit: number): Promise<RefundCheck[]> {
  const leaseUntil = addSeconds(now, LEASE_SECONDS);
  const refs = await claimRefundChecks(db, now, leaseUntil, limit);
  return refs.map((ref) => ({ ref, leaseUntil }));
}

/** After a look: when the next one is due, and from which transaction on. */
export async function scheduleRefundCheck(
  db: Queryable,
  { ref, leaseUntil }: RefundCheck,
  { refund, checkedSignature, now }: { refund: Refund; checkedSignature: string | null; now: Date },
): Promise<void> {
  await updateCheck(db, ref, leaseUntil, {
    checkAt: nextCheckAt(refund, now),
    checkedSignature,
    lookedAt: now,
  });
}

/** Each look costs an RPC call: a page that is read again and again brings one every few seconds. */
const looks = new TokenBuckets({ perSecond: 0.2, burst: 1 });

/** Somebody reads a refund that can be sent: it may have been, from a wallet that nobody watches. */
export async function requestRefundCheck(db: Queryable, { merchantId, id, status }: Refund, now: Date) {
  if (status === 'ready' && looks.take(id, elapsedMs()).allowed)
    await updateCheckSooner(db, merchantId, [id], now);
}

/** A transaction was sent: look soon, and offer no other one meanwhile. */
export async function noteRefundsSent(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await updatePrepared(db, merchantId, ids, { now, until: landsUntil(now), isOnlyOne: false });
}

/** A transaction that names these accounts was seen: if one is the reference of a refund, look it up now. */
export async function wakeRefundChecks(db: Queryable, accounts: readonly string[], now: Date): Promise<void> {
  await updateCheckByReference(db, accounts, now);
}
