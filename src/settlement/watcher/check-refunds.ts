import { associatedAccount } from '../../chain/solana/associated-account.ts';
import type { Destination } from '../../chain/solana/measure.ts';
import { RpcFailure } from '../../chain/solana/rpc.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { listRefundTransfers, type RefundTransfer } from '../refunds/check-queries.ts';
import { findRefund } from '../refunds/queries.ts';
import type { Refund } from '../refunds/refund.ts';
import { claimDueRefundChecks, type RefundCheck, scheduleRefundCheck } from '../refunds/refund-checks.ts';
import { settleRefund } from '../refunds/settle-refund.ts';
import type { ChainNode } from './chain.ts';
import { oldestFirst } from './list-new.ts';
import { mapSome } from './map-some.ts';
import { measureRefund } from './measure-refund.ts';
import { fetchTransaction, type WatchStep } from './read-account.ts';

/** So many looks at once, and so many transactions read in one: a reference that is flooded must not use up the calls. */
const BATCH = 32;
const AT_ONCE = 8;
const MAX_READ = 20;
/** A final transaction that no node could show for this long is passed over. */
const UNREADABLE_SECONDS = 3600;
/** What is this old is listed everywhere: a node that indexes late adds nothing before it. */
const SETTLED_SECONDS = 300;

/** Looks up the references of refunds whose turn it is. Answers how many. */
export async function checkRefunds(step: WatchStep, log: Logger): Promise<number> {
  const { db, now } = step;
  const due = await claimDueRefundChecks(db, now, BATCH);
  await mapSome(due, AT_ONCE, (check) =>
    checkRefund(step, check).catch((error: unknown) => {
      // The others have their turn all the same, and this one again when its lease is over.
      log.warn({ refund: check.ref.id, err: error }, 'looking up a refund failed; retrying');
    }),
  );
  return due.length;
}

async function checkRefund(step: WatchStep, check: RefundCheck): Promise<void> {
  const { db, now, wakeWebhooks } = step;
  const { ref } = check;
  const refund = await findRefund(db, ref);
  if (!refund?.address) return;
  const { findings, checkedSignature } = await look(step, refund);
  const isNews = findings.transfers.length > 0 || findings.gone.length > 0;
  const after = isNews ? await settleRefund(db, ref, findings, step) : refund;
  if (after.sequence !== refund.sequence) wakeWebhooks();
  await scheduleRefundCheck(db, check, { refund: after, checkedSignature, now });
}

interface Look {
  findings: { transfers: RefundTransfer[]; gone: string[] };
  checkedSignature: string | null;
}

/** Reads what is new under a refund's reference, and what became of what was only confirmed. */
async function look(step: WatchStep, refund: Refund): Promise<Look> {
  const { db, mint, quorum } = step;
  const owner = refund.address!;
  const destination = { owner, mint, account: await associatedAccount(owner, mint) };
  const known = await listRefundTransfers(db, refund);
  const listed = await listNew(quorum.inTurn(`refund ${refund.id}`), refund);
  const transfers: RefundTransfer[] = [];
  let { checkedSignature } = refund;
  let isUnbroken = true;
  for (const info of listed.slice(0, MAX_READ)) {
    const read = await readOne(step, refund, destination, info);
    if (read.transfer) transfers.push(read.transfer);
    isUnbroken &&= read.isDone && isOlderThan(info, SETTLED_SECONDS, step.now);
    if (isUnbroken) checkedSignature = info.signature;
  }
  const gone = await listGone(step, destination, known, listed);
  return {
    findings: { transfers: transfers.filter((found) => isNews(found, known)), gone },
    checkedSignature,
  };
}

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
      return oldestFirst(infos);
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      failure = error;
    }
  }
  throw failure;
}

interface ReadOne {
  transfer?: RefundTransfer;
  /** Nothing about it can change any more. */
  isDone: boolean;
}

async function readOne(
  step: WatchStep,
  refund: Refund,
  destination: Destination,
  { signature, slot, isFinal, blockTime }: SignatureInfo,
): Promise<ReadOne> {
  const { db, quorum, now } = step;
  if (!isFinal) {
    for (const node of quorum.counting()) {
      const shown = await fetchTransaction(node, signature, 'confirmed');
      if (typeof shown === 'string') continue;
      return { isDone: false, ...(await transferOf(db, refund, destination, shown, false)) };
    }
    return { isDone: false };
  }
  const { outcome, transaction } = await quorum.agree({
    db,
    signature,
    destination,
    slot: BigInt(slot),
    now,
  });
  if (outcome === 'final')
    return { isDone: true, ...(await transferOf(db, refund, destination, transaction!, true)) };
  return { isDone: outcome === 'gone' || isOlderThan({ blockTime }, UNREADABLE_SECONDS, now) };
}

function isOlderThan({ blockTime }: Pick<SignatureInfo, 'blockTime'>, seconds: number, now: Date): boolean {
  return blockTime !== null && blockTime * 1000 < now.getTime() - seconds * 1000;
}

async function transferOf(
  db: Queryable,
  refund: Refund,
  destination: Destination,
  transaction: LandedTransaction,
  isFinal: boolean,
): Promise<{ transfer?: RefundTransfer }> {
  const baseUnits = await measureRefund(db, refund.id, destination, transaction);
  if (baseUnits === 0n) return {};
  const { signature, slot, blockTime } = transaction;
  return { transfer: { signature, slot: BigInt(slot), blockTime, baseUnits, isFinal } };
}

/** Confirmed before, and dropped since by the word of enough nodes. */
async function listGone(
  { db, quorum, now }: WatchStep,
  destination: Destination,
  known: readonly RefundTransfer[],
  listed: readonly SignatureInfo[],
): Promise<string[]> {
  const gone: string[] = [];
  for (const { signature, slot, isFinal } of known) {
    if (isFinal || listed.some((info) => info.signature === signature)) continue;
    const { outcome } = await quorum.agree({ db, signature, destination, slot, now });
    if (outcome === 'gone') gone.push(signature);
  }
  return gone;
}
