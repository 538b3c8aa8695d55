import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import type { Database } from '../../platform/db/database.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';
import type { ProvenRefund, RefundTransfer } from '../refunds/check-queries.ts';
import { listNamedRefunds } from '../refunds/queries.ts';
import { listBack } from '../watcher/list-back.ts';
import { type MeasuredRefund, measureRefund } from '../watcher/measure-refund.ts';
import { fetchTransaction } from '../watcher/read-account.ts';
import { problemOfEnd, problemWith, unnamedEntries } from './list-problem.ts';
import type { Findings } from './report.ts';

export interface RefundToCompare {
  db: Database;
  node: ChainNode;
  mint: string;
  refund: ProvenRefund;
  /** Its final transfers. */
  transfers: readonly RefundTransfer[];
}

/** Compares what was sent back: found by the refund's reference, measured at its address. */
export async function compareRefund(
  { db, node, mint, refund, transfers }: RefundToCompare,
  found: Findings,
): Promise<void> {
  const { merchantId, address: owner, referenceAddress } = refund;
  const booked = new Map(transfers.map(({ signature, baseUnits }) => [signature, baseUnits]));
  const destination = { owner, mint, account: await associatedAccount(owner, mint) };
  const { infos, problem } = await listFinal(node, referenceAddress, oldestOf(transfers));
  const read: ReadRefund[] = [];
  let provenUnits = 0n;
  for (const { signature } of infos) {
    const transaction = await fetchTransaction(node, signature, 'finalized');
    const inBooks = booked.get(signature) ?? null;
    booked.delete(signature);
    if (typeof transaction === 'string') {
      found.unreadable.push({ destination: owner, signature, problem: transaction });
      provenUnits += inBooks ?? 0n;
      continue;
    }
    found.transactions++;
    found.fetched++;
    const named = await listNamedRefunds(db, merchantId, transaction.accounts);
    const measured = await measureRefund(db, refund, destination, transaction, named);
    provenUnits += least(inBooks ?? 0n, measured.baseUnits);
    read.push({ signature, booked: inBooks, ...measured });
  }
  for (const each of read) {
    const { signature, booked, baseUnits: onChain } = each;
    if (isBooked(refund, each, provenUnits)) continue;
    found.differences.push({ destination: owner, signature, booked, onChain });
  }
  if (problem !== undefined) found.unreadable.push({ destination: owner, signature: null, problem });
  else
    for (const [signature, units] of booked)
      found.differences.push({ destination: owner, signature, booked: units, onChain: null });
}

interface ReadRefund extends MeasuredRefund {
  signature: string;
  booked: bigint | null;
}

/**
 * True if the books have what counts of a transfer: all that the merchant sent. Of a stranger's money they may have less where
 * the rest of what is proven leaves nothing due.
 */
function isBooked(
  { status, amountCents, sentSignature }: ProvenRefund,
  { signature, booked: inBooks, baseUnits, ownBaseUnits }: ReadRefund,
  provenUnits: bigint,
): boolean {
  const booked = inBooks ?? 0n;
  if (booked === baseUnits) return true;
  const own = signature === sentSignature ? baseUnits : ownBaseUnits;
  const isGivenUp = status === 'canceled' || status === 'expired';
  const isDue = !isGivenUp && provenUnits < centsToBaseUnits(amountCents);
  return !isDue && own <= booked && booked < baseUnits;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The whole final history of a reference as far as the node lists it, and what was wrong with the rest. */
async function listFinal(
  node: ChainNode,
  reference: string,
  /** Time from which on the node must have everything. */
  needed: Date,
): Promise<{ infos: SignatureInfo[]; problem: string | undefined }> {
  const into = new Map<string, SignatureInfo>();
  const problem = await problemWith(async () => {
    const { unnamedCount } = await listBack(node, reference, { into, isEnough: () => false });
    return unnamedCount > 0
      ? unnamedEntries(unnamedCount)
      : problemOfEnd(node, await node.finalSlot(), needed);
  });
  return { infos: [...into.values()].filter(({ isFinal }) => isFinal), problem };
}

/** The block time of the first of them. */
function oldestOf(transfers: readonly { blockTime: Date }[]): Date {
  return new Date(Math.min(...transfers.map(({ blockTime }) => blockTime.getTime())));
}
