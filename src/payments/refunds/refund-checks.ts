import type { Database, Queryable } from '../../platform/db/database.ts';
import { addSeconds, elapsedMs } from '../../platform/lib/clock.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { TokenBuckets } from '../../platform/limits/token-buckets.ts';
import {
  claimRefundChecks,
  updateCheckByReference,
  updateCheckSooner,
  updateChecks,
  updatePrepared,
  updateSentBeyond,
  type WhichRefunds,
} from './check-queries.ts';
import { isLookedUpWhenRead, landsUntil, nextCheckAt, type Refund } from './refund.ts';

export type { WhichRefunds };

/** A look that was begun and never ended is due again after this. */
const LEASE_SECONDS = 30;

export interface ClaimedChecks {
  refs: Ref[];
  leaseUntil: Date;
}

/** Refunds whose reference is due for a lookup, leased to the caller. */
export async function claimDueRefundChecks(
  db: Queryable,
  which: WhichRefunds,
  now: Date,
  limit: number,
): Promise<ClaimedChecks> {
  const leaseUntil = addSeconds(now, LEASE_SECONDS);
  return { refs: await claimRefundChecks(db, which, { now, leaseUntil, limit }), leaseUntil };
}

/** Refund after a lookup, and the transaction from which the next one reads. */
export interface RefundLook {
  refund: Refund;
  checkedSignature: string | null;
  /** Something is confirmed, and not yet final: it is followed closely, whatever has become of the refund. */
  isPending: boolean;
  /** The transaction that was prepared or sent last before the look. */
  sending: LookedSending;
}

export interface LookedSending {
  preparedAt: Date | null;
  /** It can no longer land. */
  isLapsed: boolean;
  lapsesAtHeight: bigint | null;
}

const PENDING_SECONDS = 1;

/** Schedules the next lookups after these looks. */
export async function scheduleRefundChecks(
  db: Database,
  leaseUntil: Date,
  looks: readonly RefundLook[],
  now: Date,
): Promise<void> {
  const checked = looks.map(({ refund, checkedSignature, isPending, sending }) => {
    const { merchantId, id } = refund;
    const checkAt = isPending ? addSeconds(now, PENDING_SECONDS) : nextCheckAt(refund, now);
    return { ...sending, merchantId, id, checkAt, checkedSignature };
  });
  // Several rows at once, which somebody may be preparing: a deadlock is tried again.
  await db.transaction((tx) => updateChecks(tx, leaseUntil, checked));
}

/** Each look costs an RPC call: a page that is read again and again brings one every few seconds. */
const looks = new TokenBuckets({ perSecond: 0.2, burst: 1 }, 'refund looks');

/** Somebody reads a refund: it may have been sent, once or once more, from a wallet that nobody watches. */
export async function requestRefundCheck(db: Queryable, refund: Refund, now: Date) {
  const { merchantId, id } = refund;
  if (isLookedUpWhenRead(refund, now) && looks.take(id, elapsedMs()).allowed)
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

/** A transaction that sends more than is due is about to be sent: it is the merchant's, from whichever wallet. */
export async function noteSentBeyond(db: Queryable, ref: Ref, signature: string, now: Date): Promise<void> {
  await updateSentBeyond(db, ref, { signature, now, until: landsUntil(now) });
}

/** A transaction that names these accounts was seen: if one is the reference of a refund, look it up now. */
export async function wakeRefundChecks(db: Queryable, accounts: readonly string[], now: Date): Promise<void> {
  await updateCheckByReference(db, accounts, now);
}
