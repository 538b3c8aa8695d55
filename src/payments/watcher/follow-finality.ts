import { firstAnswer } from '../../chain/nodes/chain-node.ts';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { findWatched, type WatchedAccount } from '../../chain/solana/queries.ts';
import type { Finality } from '../../chain/solana/shapes.ts';
import type { InTurn } from '../../platform/traces/tracer.ts';
import { listPendingTransfers } from '../transfers/queries.ts';
import { revertDroppedTransfer } from '../transfers/revert-dropped-transfer.ts';
import type { FinalityTimes } from './finality-times.ts';
import { mapSome } from './map-some.ts';
import { insertUnreadable } from './queries.ts';
import { settleEach, type WatchStep } from './read-account.ts';

interface Pending {
  signature: string;
  destination: string;
  slot: bigint;
  seenAt: Date;
}

/** Maximum that is remembered of one account, so that nobody can fill the database. */
const MAX_REMEMBERED = 100;

/** Maximum of signatures in one getSignatureStatuses call. */
const BATCH = 256;

/**
 * Follows confirmed transfers to finality: final ones are fetched and measured again, from as many nodes as must
 * agree, before they count; one that the nodes dropped is reverted. Returns how many are still pending.
 */
export async function followFinality(step: WatchStep): Promise<number> {
  for (;;) {
    const { looked, groups } = await beginFollowing(step, new Set());
    const over = (await Promise.all(groups)).reduce((sum, count) => sum + count, 0);
    // If all of the oldest are done, the next ones may be too.
    if (looked < BATCH || over < looked) return looked - over;
  }
}

/**
 * The same without waiting for the end: each destination is followed on its own, so that the slowest does not block
 * the others. Those in `busy` are already being followed; they are skipped, and new ones are added until they are
 * done.
 */
export async function beginFollowing(
  step: WatchStep,
  busy: Set<string>,
  { inTurn, times }: { inTurn?: InTurn | undefined; times?: FinalityTimes } = {},
): Promise<{ looked: number; groups: Promise<number>[] }> {
  const { db, quorum, now } = step;
  const waitMs = times?.waitMs() ?? 0;
  const pending = await listPendingTransfers(db, BATCH, {
    seenBy: waitMs > 0 ? new Date(now.getTime() - waitMs) : undefined,
    except: { destinations: [...busy], signatures: quorum.resting() },
  });
  if (pending.length === 0) return { looked: 0, groups: [] };
  // One node until it says final, and another first each time: one that keeps back what is final cannot hold it up.
  const answer = await firstAnswer(quorum.inTurn('finality'), (node) =>
    node.statusesOf(pending.map(({ signature }) => signature)),
  );
  const withStatus = pending.map((transfer) => ({
    ...transfer,
    status: answer?.statuses.get(transfer.signature),
  }));
  for (const { signature, destination, status, seenAt } of withStatus)
    if (status !== undefined)
      times?.note(`${signature} ${destination}`, {
        sinceSeenMs: now.getTime() - seenAt.getTime(),
        isFinal: status === 'finalized',
      });
  for (const transfer of pending)
    if (answer?.refused.has(transfer.signature))
      await noteRefused(step, transfer, answer.refused.get(transfer.signature)!);
  const groups = Map.groupBy(withStatus, ({ destination }) => destination);
  const following = [...groups].map(async ([destination, group]) => {
    busy.add(destination);
    const follow = () => inShareOf(destination, () => followGroup(step, group), { isUrgent: true });
    try {
      return await (inTurn ? inTurn('follow account', follow) : follow());
    } finally {
      busy.delete(destination);
    }
  });
  return { looked: pending.length, groups: following };
}

/** Nobody can follow it, so it is on record for people, and makes room for those that can be followed. */
async function noteRefused(
  { db, quorum, now }: WatchStep,
  { signature, destination, slot }: Pending,
  reason: string,
): Promise<void> {
  quorum.rest(signature, destination);
  await insertUnreadable(db, destination, [{ signature, slot: Number(slot), reason }], now, MAX_REMEMBERED);
}

/** Returns how many of them are over. */
async function followGroup(
  step: WatchStep,
  pending: readonly (Pending & { status: Finality | undefined })[],
): Promise<number> {
  const withStatus = (wanted: Finality) => pending.filter(({ status }) => status === wanted);
  let over = await finalize(step, withStatus('finalized'));
  for (const transfer of withStatus('unknown')) if (await dropIfGone(step, transfer)) over++;
  return over;
}

const FETCH_AT_ONCE = 8;

/** Returns how many could be settled as final. */
async function finalize(step: WatchStep, pending: readonly Pending[]): Promise<number> {
  const { db, quorum, mint, now } = step;
  const accounts = new Map<string, WatchedAccount | undefined>();
  for (const { destination } of pending)
    if (!accounts.has(destination)) accounts.set(destination, await findWatched(db, destination));
  const settled = await mapSome(pending, FETCH_AT_ONCE, async ({ signature, slot, destination: owner }) => {
    const watched = accounts.get(owner);
    if (!watched) return [];
    const { account, merchantId } = watched;
    const destination = { owner, mint, account };
    const { outcome, transaction } = await quorum.agree({ db, signature, destination, slot, now });
    return outcome === 'final'
      ? [{ transaction: transaction!, destination, merchantId, isFinal: true, now }]
      : [];
  });
  const transfers = settled.flat();
  return transfers.length - (await settleEach(step, transfers)).size;
}

/** Gone only if enough nodes say so, each of them past the point where it must know. */
async function dropIfGone(
  { db, quorum, mint, now }: WatchStep,
  { signature, destination: owner, slot }: Pending,
): Promise<boolean> {
  const watched = await findWatched(db, owner);
  if (!watched) return false;
  const destination = { owner, mint, account: watched.account };
  const { outcome } = await quorum.agree({ db, signature, destination, slot, now });
  if (outcome !== 'gone') return false;
  await db.transaction((tx) => revertDroppedTransfer(tx, signature, owner, now));
  return true;
}
