import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { measureReceived } from '../../chain/solana/measure.ts';
import { listEveryWatched, type WatchedAccount } from '../../chain/solana/queries.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import { forgetUnlisted } from '../../chain/solana/watched-account.ts';
import { sumWaived, type WaivedSums } from '../../intents/stats-queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';
import { listProvenRefunds, listRefundTransfers, type ProvenRefund } from '../refunds/check-queries.ts';
import { listNamedRefunds } from '../refunds/queries.ts';
import { listFinalTransfers } from '../transfers/queries.ts';
import { listBack, oldestFirst } from './list-back.ts';
import { type MeasuredRefund, measureRefund } from './measure-refund.ts';
import { fetchTransaction, settleAll, type WatchStep } from './read-account.ts';

export interface Difference {
  destination: string;
  signature: string;
  /** Base units that arrived according to our books, and according to the chain. */
  booked: bigint | null;
  onChain: bigint | null;
}

/** Item that could not be compared: one transaction, or (without a signature) the rest of an account's history. */
export interface NotCompared {
  destination: string;
  signature: string | null;
  problem: string;
}

export interface ReconcileReport {
  accounts: number;
  /** Number of refunds for which the books know of sent money. */
  refunds: number;
  transactions: number;
  /** The total that merchants have waived, which never arrived on chain. */
  waived: WaivedSums;
  differences: Difference[];
  /** Entries that the books lacked and have now. */
  repaired: Difference[];
  unreadable: NotCompared[];
}

/**
 * Reads every account's whole final history again, and that of every refund that was sent, and compares it, transaction
 * by transaction, with the books. What cannot be read is listed in the report; everything else is still compared. With
 * `repair`, a payment that the books lack is settled as if the watcher had just found it.
 */
export async function reconcile(
  db: Database,
  node: ChainNode,
  mint: string,
  onProgress: (done: { account: number; accounts: number; transactions: number }) => void,
  repair?: WatchStep,
): Promise<ReconcileReport> {
  const accounts = await listEveryWatched(db);
  const report: ReconcileReport = {
    accounts: accounts.length,
    refunds: 0,
    transactions: 0,
    waived: await sumWaived(db),
    differences: [],
    repaired: [],
    unreadable: [],
  };
  for (const [i, account] of accounts.entries()) {
    await reconcileAccount(db, node, mint, account, report, repair);
    onProgress({ account: i + 1, accounts: accounts.length, transactions: report.transactions });
  }
  for (const refund of await listProvenRefunds(db)) await reconcileRefund(db, node, mint, refund, report);
  return report;
}

async function reconcileAccount(
  db: Database,
  node: ChainNode,
  mint: string,
  account: WatchedAccount,
  report: ReconcileReport,
  repair: WatchStep | undefined,
) {
  const { destination } = account;
  const booked = new Map(
    (await listFinalTransfers(db, destination)).map((row) => [row.signature, row.receivedBaseUnits]),
  );
  const { infos, problem } = await listFinal(node, account);
  const foundBefore = report.differences.length + report.unreadable.length;
  for (const info of oldestFirst(infos)) {
    const { signature } = info;
    const transaction = await fetchTransaction(node, signature, 'finalized');
    const inBooks = booked.get(signature) ?? null;
    booked.delete(signature);
    if (typeof transaction === 'string') {
      report.unreadable.push({ destination, signature, problem: transaction });
      continue;
    }
    report.transactions++;
    const onChain = measureReceived(transaction, { owner: destination, mint, account: account.account });
    if (onChain === (inBooks ?? 0n)) continue;
    const isRepaired = inBooks === null && repair && (await settleMissed(node, info, account, repair));
    report[isRepaired ? 'repaired' : 'differences'].push({
      destination,
      signature,
      booked: inBooks,
      onChain,
    });
  }
  // Transactions beyond an incomplete list may still be on the chain.
  if (problem !== undefined) report.unreadable.push({ destination, signature: null, problem });
  else
    for (const [signature, units] of booked) {
      // Money found by its reference need not touch the account; it brought nothing there.
      if (units > 0n) report.differences.push({ destination, signature, booked: units, onChain: null });
    }
  const isWhole = report.differences.length + report.unreadable.length === foundBefore;
  if (repair && isWhole && account.unlistedFrom !== null) await forgetUnlisted(db, destination);
}

/**
 * Settles a missed transaction in the ordinary way, so that enough nodes must agree, and orders, invoices and
 * webhooks follow.
 */
async function settleMissed(
  node: ChainNode,
  info: SignatureInfo,
  account: WatchedAccount,
  repair: WatchStep,
): Promise<boolean> {
  const { unread, undecided } = await settleAll(node, [info], { ...repair, account });
  return unread.size + undecided.size === 0;
}

/** The block time of the first of them. */
function oldestOf(transfers: readonly { blockTime: Date }[]): Date {
  return new Date(Math.min(...transfers.map(({ blockTime }) => blockTime.getTime())));
}

/** The same for what was sent back: found by the refund's reference, measured at its address. */
async function reconcileRefund(
  db: Database,
  node: ChainNode,
  mint: string,
  refund: ProvenRefund,
  report: ReconcileReport,
) {
  const { merchantId, address: owner, referenceAddress } = refund;
  report.refunds++;
  const final = (await listRefundTransfers(db, refund)).filter(({ isFinal }) => isFinal);
  const booked = new Map(final.map(({ signature, baseUnits }) => [signature, baseUnits]));
  const destination = { owner, mint, account: await associatedAccount(owner, mint) };
  const { infos, problem } = await listFinal(
    node,
    { account: referenceAddress, watchSince: new Date(0) },
    oldestOf(final),
  );
  const read: ReadRefund[] = [];
  let provenUnits = 0n;
  for (const { signature } of infos) {
    const transaction = await fetchTransaction(node, signature, 'finalized');
    const inBooks = booked.get(signature) ?? null;
    booked.delete(signature);
    if (typeof transaction === 'string') {
      report.unreadable.push({ destination: owner, signature, problem: transaction });
      provenUnits += inBooks ?? 0n;
      continue;
    }
    report.transactions++;
    const named = await listNamedRefunds(db, merchantId, transaction.accounts);
    const measured = await measureRefund(db, refund, destination, transaction, named);
    provenUnits += least(inBooks ?? 0n, measured.baseUnits);
    read.push({ signature, booked: inBooks, ...measured });
  }
  for (const each of read) {
    const { signature, booked, baseUnits: onChain } = each;
    if (isBooked(refund, each, provenUnits)) continue;
    report.differences.push({ destination: owner, signature, booked, onChain });
  }
  if (problem !== undefined) report.unreadable.push({ destination: owner, signature: null, problem });
  else
    for (const [signature, units] of booked)
      report.differences.push({ destination: owner, signature, booked: units, onChain: null });
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

/** The final history as far as the node lists it, and what was wrong with the rest. */
async function listFinal(
  node: ChainNode,
  { account, watchSince }: Pick<WatchedAccount, 'account' | 'watchSince'>,
  /** Time from which on the node must have everything. */
  needed = watchSince,
): Promise<{ infos: SignatureInfo[]; problem: string | undefined }> {
  const isOurs = ({ blockTime }: SignatureInfo) =>
    blockTime === null || blockTime * 1000 >= watchSince.getTime();
  const into = new Map<string, SignatureInfo>();
  const problem = await problemWith(async () => {
    const { unnamedCount, hasEnded } = await listBack(node, account, {
      into,
      isEnough: (oldest) => !isOurs(oldest),
    });
    if (unnamedCount > 0) return `the node lists ${unnamedCount} entries that name no transaction`;
    const horizon = hasEnded ? await node.horizon(await node.finalSlot()) : undefined;
    const isShort = horizon !== undefined && horizon.slot > 0 && horizon.time > needed;
    return isShort ? `the node has nothing from before ${horizon.time.toISOString()}` : undefined;
  });
  return { infos: [...into.values()].filter((info) => info.isFinal && isOurs(info)), problem };
}

async function problemWith(list: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof RpcFailure) return error.message;
    throw error;
  }
}
