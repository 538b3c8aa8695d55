import { randomInt } from 'node:crypto';
import { type ChainNode, firstAnswer } from '../../chain/nodes/chain-node.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import type { Destination } from '../../chain/solana/measure.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { RefundTransfer } from '../refunds/check-queries.ts';
import type { Refund } from '../refunds/refund.ts';
import type { Findings } from '../refunds/settle-refund.ts';
import type { FoundTransfer } from '../refunds/store-transfers.ts';
import { oldestFirst } from './list-back.ts';
import { measureRefund, type NamedRefunds } from './measure-refund.ts';
import type { WatchStep } from './read-account.ts';
import type { ReadTransaction } from './read-once.ts';

/** Data shared by the lookups of one pass: a transaction that sends ten refunds is read once. */
export interface LookStep extends WatchStep {
  read: ReadTransaction;
  named: NamedRefunds;
}

/** Maximum of transactions read in one lookup: a flooded reference must not use up the calls. */
const MAX_READ = 20;
/** A final transaction that no node could show for this long is passed over. */
const UNREADABLE_SECONDS = 3600;
/** Age at which a transaction is listed everywhere: a node that indexes late adds nothing older. */
const SETTLED_SECONDS = 300;

export interface Look {
  findings: Findings;
  checkedSignature: string | null;
  /** Something is confirmed, and not yet final, or was not read yet. */
  isPending: boolean;
}

/** Reads what is new under a refund's reference, and what became of what was only confirmed. */
export async function lookUpRefund(
  step: LookStep,
  refund: Refund,
  known: readonly RefundTransfer[],
): Promise<Look> {
  const { mint, quorum } = step;
  const owner = refund.address!;
  const destination = { owner, mint, account: await associatedAccount(owner, mint) };
  const listed = await listNew(quorum.inTurn(`refund ${refund.id}`), refund);
  const transfers: FoundTransfer[] = [];
  let { checkedSignature } = refund;
  let isUnbroken = true;
  const isKnown = ({ signature, isFinal }: SignatureInfo) =>
    known.some((each) => each.signature === signature && each.isFinal === isFinal);
  const unread = listed.filter((info) => !isKnown(info));
  const chosen = chooseUnread(unread);
  for (const info of listed) {
    const read = isKnown(info)
      ? { isDone: info.isFinal }
      : chosen.has(info)
        ? await readOne(step, refund, destination, info)
        : { isDone: false };
    if (read.transfer) transfers.push(read.transfer);
    isUnbroken &&= read.isDone && isOlderThan(info, SETTLED_SECONDS, step.now);
    if (isUnbroken) checkedSignature = info.signature;
  }
  const gone = await listGone(step, destination, known, listed);
  const fresh = transfers.filter((found) => isNews(found, known));
  const final = new Set([...known, ...fresh].filter((each) => each.isFinal).map((each) => each.signature));
  const isPending =
    unread.length > chosen.size ||
    [...known, ...fresh].some(({ signature }) => !final.has(signature) && !gone.includes(signature));
  return { findings: { transfers: fresh, gone }, checkedSignature, isPending };
}

/**
 * Chooses some of the oldest, some of the newest and any of those between, where more is unread than one lookup may read: what
 * strangers add to a public reference hides no payment for long.
 */
function chooseUnread(unread: readonly SignatureInfo[]): Set<SignatureInfo> {
  if (unread.length <= MAX_READ) return new Set(unread);
  const chosen = new Set([...unread.slice(0, MAX_READ / 2), ...unread.slice(-MAX_READ / 4)]);
  while (chosen.size < MAX_READ) chosen.add(unread[randomInt(unread.length)]!);
  return chosen;
}

/** True if a transfer changes the books. One that is final in them stays final, whatever a node says. */
function isNews(found: RefundTransfer, known: readonly RefundTransfer[]): boolean {
  return !known.some(({ signature, isFinal }) => signature === found.signature && isFinal === found.isFinal);
}

/** Oldest first, from the first node that can say. */
async function listNew(nodes: readonly ChainNode[], refund: Refund): Promise<SignatureInfo[]> {
  const until = refund.checkedSignature ?? undefined;
  let failure: unknown;
  for (const node of nodes) {
    try {
      const { infos } = await node.signatures(refund.referenceAddress, { until });
      // A node that does not have what was checked last lists what is older, too.
      const known = infos.findIndex(({ signature }) => signature === until);
      return oldestFirst(known < 0 ? infos : infos.slice(0, known));
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      failure = error;
    }
  }
  throw failure;
}

interface ReadOne {
  transfer?: FoundTransfer;
  /** Nothing about it can change any more. */
  isDone: boolean;
}

async function readOne(
  step: LookStep,
  refund: Refund,
  destination: Destination,
  { signature, slot, isFinal, blockTime }: SignatureInfo,
): Promise<ReadOne> {
  const { db, quorum, read, now } = step;
  if (!isFinal) {
    const shown = await firstAnswer(quorum.counting(), (node) => read(node, signature, 'confirmed'));
    return { isDone: false, ...(shown && (await transferOf(step, refund, destination, shown, false))) };
  }
  const question = { db, signature, destination, slot: BigInt(slot), read, now };
  const { outcome, transaction } = await quorum.agree(question);
  if (outcome === 'final')
    return { isDone: true, ...(await transferOf(step, refund, destination, transaction!, true)) };
  return { isDone: outcome === 'gone' || isOlderThan({ blockTime }, UNREADABLE_SECONDS, now) };
}

function isOlderThan({ blockTime }: Pick<SignatureInfo, 'blockTime'>, seconds: number, now: Date): boolean {
  return blockTime !== null && blockTime * 1000 < now.getTime() - seconds * 1000;
}

async function transferOf(
  { db, named }: LookStep,
  refund: Refund,
  destination: Destination,
  transaction: LandedTransaction,
  isFinal: boolean,
): Promise<{ transfer?: FoundTransfer }> {
  const claimants = await named(refund.merchantId, transaction);
  const measured = await measureRefund(db, refund, destination, transaction, claimants);
  if (measured.baseUnits === 0n) return {};
  const { signature, slot, blockTime } = transaction;
  return { transfer: { signature, slot: BigInt(slot), blockTime, ...measured, isFinal } };
}

/** Confirmed before, and dropped since by the word of enough nodes. */
async function listGone(
  { db, quorum, read, now }: LookStep,
  destination: Destination,
  known: readonly RefundTransfer[],
  listed: readonly SignatureInfo[],
): Promise<string[]> {
  const gone: string[] = [];
  for (const { signature, slot, isFinal } of known) {
    if (isFinal || listed.some((info) => info.signature === signature)) continue;
    const { outcome } = await quorum.agree({ db, signature, destination, slot, read, now });
    if (outcome === 'gone') gone.push(signature);
  }
  return gone;
}
