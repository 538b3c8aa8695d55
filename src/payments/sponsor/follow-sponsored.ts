import { findClosing } from '../../accounts/merchants/closing-queries.ts';
import { listFound, readFinalBlock, readLapseHeight } from '../../chain/nodes/lapse.ts';
import type { Witnesses } from '../../chain/nodes/witnesses.ts';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { MAX_STATUSES } from '../../chain/solana/signature-statuses.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { addSeconds } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { giveUpOrder } from '../offers/release-order-key.ts';
import {
  claimUnderWay,
  listPaidInVain,
  SPONSORED_TO_END,
  updateConfirmed,
  updateDropped,
  updateLanded,
  updateLapseHeights,
  updateSent,
} from './queries.ts';
import type { Sponsored } from './sponsor.ts';
import { ignoreFailure, SENT, send } from './sponsor-payment.ts';

export interface FollowParts {
  db: Database;
  rpc: Rpc;
  witnesses: Witnesses;
  log: Logger;
}

const AGAIN_SECONDS = 2;

/**
 * Follows payments whose fee is ours to their end: those that no block has taken yet are sent again, until they land or
 * are too old to. What lapsed cost nothing, so its fee can be spent again.
 */
export async function followSponsored({ db, rpc, witnesses, log }: FollowParts, now: Date): Promise<void> {
  const underWay = await claimUnderWay(db, now, addSeconds(now, AGAIN_SECONDS), MAX_STATUSES);
  if (underWay.length === 0) return;
  const reading = await inShareOf(SENT, () => readEnds(witnesses, underWay), { isUrgent: true });
  if (!reading) return;
  const landed: string[] = [];
  const over: Ended[] = [];
  const waiting: Sponsored[] = [];
  const confirmed: string[] = [];
  for (const [i, sponsored] of underWay.entries()) {
    const { merchantId, intentId, signature } = sponsored;
    const status = reading.statuses[i];
    const ended = (hasLanded: boolean) => over.push({ merchantId, id: intentId, signature, hasLanded });
    if (status?.commitment === 'finalized' && status.hasFailed) ended(true);
    else if (status?.commitment === 'finalized') landed.push(signature);
    else if (!status && reading.lapsed.has(signature)) ended(false);
    else if (!status) waiting.push(sponsored);
    else if (status.commitment === 'confirmed' && !status.hasFailed) confirmed.push(signature);
  }
  // Also of what has landed: it may be dropped again until it is final.
  const unknown = underWay.filter(({ lapsesAtHeight }) => lapsesAtHeight === null);
  if (reading.newLapseHeight !== undefined && unknown.length > 0)
    await updateLapseHeights(
      db,
      unknown.map(({ signature }) => signature),
      reading.newLapseHeight,
    );
  if (landed.length > 0) await updateLanded(db, landed, { hasFailed: false });
  if (confirmed.length > 0) await updateConfirmed(db, confirmed, now);
  await eachAlone({ db, log }, SPONSORED_TO_END, now, async (alone) => {
    for (const ended of over) await alone(ended, () => db.transaction((tx) => end(tx, ended, now)));
  });
  await Promise.all(waiting.map(({ transaction }) => send(rpc, transaction).catch(ignoreFailure)));
  if (waiting.length > 0)
    await updateSent(
      db,
      waiting.map(({ signature }) => signature),
    );
}

/** The heights first: what has not landed by then is looked for afterwards. Undefined while no node answers. */
async function readEnds(witnesses: Witnesses, underWay: readonly Sponsored[]) {
  const nodes = witnesses.counting();
  const isNew = underWay.some(({ lapsesAtHeight }) => lapsesAtHeight === null);
  const newLapseHeight = isNew ? await readLapseHeight(nodes) : undefined;
  const final = await readFinalBlock(nodes);
  const old = underWay.flatMap(({ signature, lapsesAtHeight }) =>
    final !== undefined && lapsesAtHeight !== null && final.height > lapsesAtHeight ? [signature] : [],
  );
  const found = old.length > 0 ? await listFound(nodes, old, final!) : undefined;
  const lapsed = new Set(found && old.filter((signature) => !found.has(signature)));
  const signatures = underWay.map(({ signature }) => signature);
  const statuses = await witnesses.statuses(signatures, { searchTransactionHistory: true });
  return statuses && { statuses, lapsed, newLapseHeight };
}

/** A payment that lapsed, or landed and failed; `id` is that of its intent. */
interface Ended extends Ref {
  signature: string;
  hasLanded: boolean;
}

/**
 * Ends the orders of a merchant that is open again whose payments lapsed or failed while it was closed: nothing is written
 * of a closed one, and nobody comes back to them.
 */
export async function endWhileClosed(tx: Tx, merchantId: string, now: Date): Promise<void> {
  for (const order of await listPaidInVain(tx, merchantId)) await giveUpOrder(tx, order, now);
}

/** Both or neither: what fails comes again. The order of a merchant that has been moved ends where it is now. */
async function end(tx: Tx, { signature, hasLanded, ...order }: Ended, now: Date): Promise<void> {
  if (hasLanded) await updateLanded(tx, [signature], { hasFailed: true });
  else await updateDropped(tx, signature);
  if (!(await findClosing(tx, order.merchantId))?.closedAt) await giveUpOrder(tx, order, now);
}
