import type { Database } from '../db/database.ts';
import { listFinalArrivals } from '../settlement/arrivals.ts';
import { measureReceived } from '../solana/measure.ts';
import type { SignatureInfo } from '../solana/shapes.ts';
import { listEveryWatched, type WatchedAccount } from '../solana/watched-account.ts';
import { type ChainNode, PAGE } from './chain.ts';

export interface Difference {
  destination: string;
  signature: string;
  /** What our books say arrived, and what the chain says, in base units. */
  booked: bigint | null;
  onChain: bigint | null;
}

export interface ReconcileReport {
  accounts: number;
  transactions: number;
  differences: Difference[];
}

/** Reads every account's whole final history again and compares it, transaction by transaction, with the books. */
export async function reconcile(
  db: Database,
  node: ChainNode,
  mint: string,
  onProgress: (done: { account: number; accounts: number; transactions: number }) => void,
): Promise<ReconcileReport> {
  const accounts = await listEveryWatched(db);
  const report: ReconcileReport = { accounts: accounts.length, transactions: 0, differences: [] };
  for (const [i, account] of accounts.entries()) {
    await reconcileAccount(db, node, mint, account, report);
    onProgress({ account: i + 1, accounts: accounts.length, transactions: report.transactions });
  }
  return report;
}

async function reconcileAccount(
  db: Database,
  node: ChainNode,
  mint: string,
  account: WatchedAccount,
  report: ReconcileReport,
) {
  const { destination } = account;
  const booked = new Map(
    (await listFinalArrivals(db, destination)).map((row) => [row.signature, row.receivedBaseUnits]),
  );
  for (const { signature } of await listFinal(node, account)) {
    const transaction = await node.transaction(signature, 'finalized');
    const onChain =
      transaction && measureReceived(transaction, { owner: destination, mint, account: account.account });
    const inBooks = booked.get(signature) ?? null;
    booked.delete(signature);
    report.transactions++;
    if (onChain !== inBooks && (onChain ?? 0n) !== (inBooks ?? 0n))
      report.differences.push({ destination, signature, booked: inBooks, onChain });
  }
  for (const [signature, units] of booked) {
    // Money found by its reference need not touch the account; it brought nothing there.
    if (units > 0n) report.differences.push({ destination, signature, booked: units, onChain: null });
  }
}

async function listFinal(node: ChainNode, { account, watchSince }: WatchedAccount): Promise<SignatureInfo[]> {
  const found: SignatureInfo[] = [];
  for (let before: string | undefined; ; ) {
    const page = await node.signatures(account, { before });
    found.push(
      ...page.filter((info) => info.isFinal && (info.blockTime ?? 0) * 1000 >= watchSince.getTime()),
    );
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || (oldest.blockTime ?? 0) * 1000 < watchSince.getTime()) return found;
    before = oldest.signature;
  }
}
