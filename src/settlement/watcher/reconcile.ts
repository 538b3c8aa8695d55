import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { measureReceived } from '../../chain/solana/measure.ts';
import { listEveryWatched, type WatchedAccount } from '../../chain/solana/queries.ts';
import { RpcFailure } from '../../chain/solana/rpc.ts';
import type { SignatureInfo, SignatureList } from '../../chain/solana/shapes.ts';
import { sumWaived, type WaivedSums } from '../../money/intents/stats-queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { listProvenRefunds, listRefundTransfers, type ProvenRefund } from '../refunds/check-queries.ts';
import { listNamedRefunds } from '../refunds/queries.ts';
import { listFinalTransfers } from '../transfers/queries.ts';
import type { ChainNode } from './chain.ts';
import { oldestFirst } from './list-new.ts';
import { measureRefund } from './measure-refund.ts';
import { fetchTransaction, settleAll, type WatchStep } from './read-account.ts';

export interface Difference {
  destination: string;
  signature: string;
  /** What our books say arrived, and what the chain says, in base units. */
  booked: bigint | null;
  onChain: bigint | null;
}

/** What could not be compared: one transaction, or (without a signature) the rest of an account's history. */
export interface NotCompared {
  destination: string;
  signature: string | null;
  problem: string;
}

export interface ReconcileReport {
  accounts: number;
  /** Those for which the books know of money that was sent. */
  refunds: number;
  transactions: number;
  /** The total that merchants have waived, which never arrived on chain. */
  waived: WaivedSums;
  differences: Difference[];
  /** What the books lacked and have now. */
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
  // What the node did not list to the end may still be on the chain.
  if (problem !== undefined) report.unreadable.push({ destination, signature: null, problem });
  else
    for (const [signature, units] of booked) {
      // Money found by its reference need not touch the account; it brought nothing there.
      if (units > 0n) report.differences.push({ destination, signature, booked: units, onChain: null });
    }
}

/** By the ordinary way, so that enough nodes must agree, and orders, invoices and webhooks follow. */
async function settleMissed(
  node: ChainNode,
  info: SignatureInfo,
  account: WatchedAccount,
  repair: WatchStep,
): Promise<boolean> {
  const { unread, undecided } = await settleAll(node, [info], { ...repair, account });
  return unread.size + undecided.size === 0;
}

/** The same for what was sent back: found by the refund's reference, measured at its address. */
async function reconcileRefund(
  db: Database,
  node: ChainNode,
  mint: string,
  refund: ProvenRefund,
  report: ReconcileReport,
) {
  const { id, address: owner, referenceAddress } = refund;
  report.refunds++;
  const final = (await listRefundTransfers(db, refund)).filter(({ isFinal }) => isFinal);
  const booked = new Map(final.map(({ signature, baseUnits }) => [signature, baseUnits]));
  const destination = { owner, mint, account: await associatedAccount(owner, mint) };
  const { infos, problem } = await listFinal(node, { account: referenceAddress, watchSince: new Date(0) });
  for (const { signature } of infos) {
    const transaction = await fetchTransaction(node, signature, 'finalized');
    const inBooks = booked.get(signature) ?? null;
    booked.delete(signature);
    if (typeof transaction === 'string') {
      report.unreadable.push({ destination: owner, signature, problem: transaction });
      continue;
    }
    report.transactions++;
    const named = await listNamedRefunds(db, transaction.accounts);
    const onChain = measureRefund(id, destination, transaction, named);
    if (onChain !== (inBooks ?? 0n))
      report.differences.push({ destination: owner, signature, booked: inBooks, onChain });
  }
  if (problem !== undefined) report.unreadable.push({ destination: owner, signature: null, problem });
  else
    for (const [signature, units] of booked)
      report.differences.push({ destination: owner, signature, booked: units, onChain: null });
}

/** The final history as far as the node lists it, and what was wrong with the rest. */
async function listFinal(
  node: ChainNode,
  { account, watchSince }: Pick<WatchedAccount, 'account' | 'watchSince'>,
): Promise<{ infos: SignatureInfo[]; problem: string | undefined }> {
  const found: SignatureInfo[] = [];
  const isOurs = ({ blockTime }: SignatureInfo) =>
    blockTime === null || blockTime * 1000 >= watchSince.getTime();
  let unnamed = 0;
  for (let before: string | undefined; ; ) {
    let page: SignatureList;
    try {
      page = await node.signatures(account, { before });
    } catch (error) {
      if (error instanceof RpcFailure) return { infos: found, problem: error.message };
      throw error;
    }
    unnamed += page.unnamedCount;
    found.push(...page.infos.filter((info) => info.isFinal && isOurs(info)));
    const oldest = oldestFirst(page.infos)[0];
    // A short page proves nothing: only an empty one is the end.
    if (!oldest || !isOurs(oldest))
      return {
        infos: found,
        problem: unnamed > 0 ? `the node lists ${unnamed} entries that name no transaction` : undefined,
      };
    before = oldest.signature;
  }
}
