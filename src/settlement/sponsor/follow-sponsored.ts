import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { type Rpc, RpcFailure } from '../../chain/solana/rpc.ts';
import { integer } from '../../chain/solana/shapes.ts';
import { MAX_STATUSES, readStatuses } from '../../chain/solana/signature-statuses.ts';
import type { Database } from '../../platform/db/database.ts';
import { addSeconds } from '../../platform/lib/clock.ts';
import { giveUpOrder } from '../offers/release-order-key.ts';
import {
  claimUnderWay,
  returnFees,
  updateConfirmed,
  updateDropped,
  updateLanded,
  updateSent,
} from './queries.ts';
import type { Sponsored } from './sponsor.ts';
import { ignoreFailure, SENT, send } from './sponsor-payment.ts';

export interface FollowParts {
  db: Database;
  rpc: Rpc;
}

const AGAIN_SECONDS = 2;
/** Nodes are not all at the same block: a transaction counts as lost only well past its last valid block. */
const MARGIN_BLOCKS = 32n;

/**
 * Follows payments whose fee is ours to their end: those that no block has taken yet are sent again, until they land or
 * are too old to. What lapsed cost nothing, so its fee can be spent again.
 */
export async function followSponsored({ db, rpc }: FollowParts, now: Date): Promise<void> {
  const underWay = await claimUnderWay(db, now, addSeconds(now, AGAIN_SECONDS), MAX_STATUSES);
  if (underWay.length === 0) return;
  const reading = await inShareOf(SENT, () => readEnds(rpc, underWay), { isUrgent: true });
  if (!reading) return;
  const { height, statuses } = reading;
  const landed: { signature: string; hasFailed: boolean }[] = [];
  const lapsed: Sponsored[] = [];
  const waiting: Sponsored[] = [];
  const confirmed: string[] = [];
  for (const [i, sponsored] of underWay.entries()) {
    const status = statuses[i];
    if (status?.commitment === 'finalized')
      landed.push({ signature: sponsored.signature, hasFailed: status.hasFailed });
    else if (!status && height > sponsored.lastValidBlockHeight + MARGIN_BLOCKS) lapsed.push(sponsored);
    else if (!status) waiting.push(sponsored);
    else if (status.commitment === 'confirmed' && !status.hasFailed) confirmed.push(sponsored.signature);
  }
  if (landed.length > 0) await updateLanded(db, landed);
  if (confirmed.length > 0) await updateConfirmed(db, confirmed, now);
  if (lapsed.length > 0) await drop(db, lapsed);
  const failed = new Set(landed.flatMap(({ signature, hasFailed }) => (hasFailed ? signature : [])));
  for (const { merchantId, intentId } of [
    ...lapsed,
    ...underWay.filter((each) => failed.has(each.signature)),
  ])
    await db.transaction((tx) => giveUpOrder(tx, { merchantId, id: intentId }, now));
  await Promise.all(waiting.map(({ transaction }) => send(rpc, transaction).catch(ignoreFailure)));
  if (waiting.length > 0)
    await updateSent(
      db,
      waiting.map(({ signature }) => signature),
    );
}

/** The height first: what has not landed by then is looked for afterwards. Undefined while no node answers. */
async function readEnds(rpc: Rpc, underWay: readonly Sponsored[]) {
  try {
    const height = await rpc.ask('getBlockHeight', [{ commitment: 'finalized' }], (value) =>
      BigInt(integer(value, 'block height')),
    );
    const signatures = underWay.map(({ signature }) => signature);
    return { height, statuses: await readStatuses(rpc, signatures, { searchTransactionHistory: true }) };
  } catch (error) {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  }
}

async function drop(db: Database, lapsed: readonly Sponsored[]): Promise<void> {
  await db.transaction(async (tx) => {
    const signatures = lapsed.map(({ signature }) => signature);
    for (const returned of await updateDropped(tx, signatures)) await returnFees(tx, returned);
  });
}
