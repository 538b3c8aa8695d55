import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { listFound, readFinalHeight, readLapseHeight } from '../../chain/nodes/lapse.ts';
import { findWatched, type WatchedAccount } from '../../chain/solana/queries.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Intent } from '../../intents/intent.ts';
import type { MerchantTurns } from '../../intents/merchant-turns.ts';
import { claimReferenceCheck, scheduleReferenceCheck } from '../../intents/reference-checks.ts';
import { addSeconds } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { giveUpOrder } from '../offers/release-order-key.ts';
import { noteClaim } from '../transfers/note-claim.ts';
import { listKnownSignatures } from '../transfers/queries.ts';
import { settleTransfers } from '../transfers/settle-transfers.ts';
import { listRefuted } from './disagreement-queries.ts';
import {
  deleteSubmittedSignature,
  isBooked,
  listSubmittedSignatures,
  listUnreadableAmong,
  type SubmittedSignature,
  updateLapseHeight,
} from './queries.ts';
import { fetchTransaction, type WatchStep } from './read-account.ts';
import { setAsideUnreadable } from './unreadable.ts';

/** Maximum transactions read in one check; a flooded reference must not use up the calls for the rest. */
const MAX_READ = 5;
const AGAIN_SECONDS = 15;
/** A transaction that somebody only names is looked for this long: by then it has landed, or was never sent. */
const NAMED_LIFE_SECONDS = 120;

interface Look extends WatchStep {
  intent: Intent;
  account: WatchedAccount;
  log: Logger;
}

/**
 * Checks intents by their own reference, while their page is open or a payer reports a payment, and a few times
 * afterwards: this finds payments with the wrong token or to the wrong place, and a transaction the payer submitted. One at
 * each call, of the merchant whose turn it is: the accounts are the truth, this only finds what never touched them.
 */
export async function checkReferences(step: WatchStep, log: Logger, turns: MerchantTurns): Promise<void> {
  const { db, now } = step;
  const check = await claimReferenceCheck(db, now, turns);
  if (!check) return;
  const { intent } = check;
  const account = await findWatched(db, intent.destinationAddress);
  const look = account && { ...step, intent, account, log };
  const isOver = !look || [await readSubmitted(look), await readByReference(look)].every(Boolean);
  await scheduleReferenceCheck(db, check, now, isOver ? undefined : addSeconds(now, AGAIN_SECONDS));
}

/** Reads what the payer has named; true when none of it is still to be read. */
async function readSubmitted(look: Look): Promise<boolean> {
  const { db, intent, now } = look;
  let isOver = true;
  for (const submitted of await listSubmittedSignatures(db, intent)) {
    const { signature } = submitted;
    const end = await readEnd(look, submitted);
    if (end === 'open') {
      isOver = false;
      continue;
    }
    await db.transaction(async (tx) => {
      if (!(await deleteSubmittedSignature(tx, intent, signature))) isOver = false;
      if (end === 'in_vain') await giveUpOrder(tx, intent, now);
    });
  }
  return isOver;
}

/** Returns what became of it: it may still land, nothing more is to be found out, or what we have sent pays nothing. */
async function readEnd(look: Look, submitted: SubmittedSignature): Promise<'open' | 'known' | 'in_vain'> {
  const { signature, submittedAt, wasSent } = submitted;
  if (await readNamed(look, signature)) {
    if (!wasSent || (await isBooked(look.db, look.intent, signature))) return 'known';
    // It would have paid, so the books have it unless a node tells nonsense.
    return (await hasFailed(look, signature)) ? 'in_vain' : readLapsed(look, submitted);
  }
  if (!wasSent) return addSeconds(submittedAt, NAMED_LIFE_SECONDS) <= look.now ? 'known' : 'open';
  return readLapsed(look, submitted);
}

/** True if every node that counts shows that it failed. */
async function hasFailed({ quorum }: Look, signature: string): Promise<boolean> {
  for (const node of quorum.counting()) {
    const transaction = await node.transaction(signature, 'confirmed').catch(unread);
    if (!transaction?.hasFailed) return false;
  }
  return true;
}

/** One that we have sent and no node shows: it stays open until every node says that it can no longer land. */
async function readLapsed(look: Look, submitted: SubmittedSignature): Promise<'open' | 'known' | 'in_vain'> {
  const { db, intent, quorum } = look;
  const { signature, lapsesAtHeight } = submitted;
  const nodes = quorum.counting();
  if (lapsesAtHeight === null) {
    const height = await readLapseHeight(nodes);
    if (height !== undefined) await updateLapseHeight(db, intent, signature, height);
    return 'open';
  }
  const final = await readFinalHeight(nodes);
  if (final === undefined || final <= lapsesAtHeight) return 'open';
  const found = await listFound(nodes, [signature]);
  if (!found) return 'open';
  // One that a node has and cannot show is for the reading of the account.
  return found.has(signature) ? 'known' : 'in_vain';
}

/** True when some node shows that it is about this payment, or all show that it is not. */
async function readNamed(look: Look, signature: string): Promise<boolean> {
  const { quorum, intent, account } = look;
  let isShownByAll = true;
  let isShown = false;
  for (const node of quorum.counting()) {
    const transaction = await node.transaction(signature, 'confirmed').catch(unread);
    if (transaction && concerns(transaction, intent, account)) {
      await settle(look, transaction);
      await noteClaim(look.db, intent, transaction, look.now);
      if (await isBooked(look.db, intent, signature)) return true;
      isShown = true;
    }
    if (!transaction) isShownByAll = false;
  }
  return isShown || isShownByAll;
}

function unread(error: unknown): null {
  if (error instanceof RpcFailure) return null;
  throw error;
}

/** Anyone can submit any transaction: one that is not about this payment, or is older, leaves no trace. */
function concerns(
  { accounts, blockTime }: LandedTransaction,
  { referenceAddress }: Intent,
  { account, watchSince }: WatchedAccount,
): boolean {
  return blockTime >= watchSince && (accounts.includes(account) || accounts.includes(referenceAddress));
}

/**
 * True when what names the intent was read: from one node while it is open, another each time, and from every node that counts
 * once its deadline has passed, where what one of them left out is found.
 */
async function readByReference(look: Look): Promise<boolean> {
  const { quorum, intent, now } = look;
  const isOver = intent.expiresAt <= now;
  let isWhole = true;
  for (const node of isOver ? quorum.counting() : quorum.inTurn(`reference ${intent.id}`)) {
    try {
      isWhole = (await readFrom(node, look)) && isWhole;
      if (!isOver) return isWhole;
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      isWhole = false;
    }
  }
  return isWhole;
}

async function readFrom(node: ChainNode, look: Look): Promise<boolean> {
  const { db, intent, account, log } = look;
  const { infos } = await node.signatures(intent.referenceAddress, {});
  const listed = infos.map(({ signature }) => signature);
  const known = await listKnownSignatures(db, account.destination, listed);
  const done = new Set([
    ...known.map(({ signature }) => signature),
    ...(await listUnreadableAmong(db, account.destination, listed)),
  ]);
  const unread = infos.filter(({ signature }) => !done.has(signature)).reverse();
  for (const { signature, slot } of unread.slice(0, MAX_READ)) {
    const transaction = await fetchTransaction(node, signature, 'confirmed');
    if (typeof transaction !== 'string') await settle(look, transaction);
    else await setAsideUnreadable(look, [{ signature, slot, reason: transaction }], log);
  }
  return unread.length <= MAX_READ;
}

/** Settles a transaction as seen, not as final: its finality is followed like any other's. */
async function settle(look: Look, transaction: LandedTransaction): Promise<void> {
  const { db, mint, account, now } = look;
  const { merchantId } = account;
  if ((await listRefuted(db, account.destination, [transaction.signature])).length > 0) return;
  const destination = { owner: account.destination, mint, account: account.account };
  await settleTransfers(look, [{ transaction, destination, merchantId, isFinal: false, now }]);
}
