import { MAX_ACCOUNTS, type Snapshot } from '../../chain/nodes/account-snapshots.ts';
import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { listEveryWatched, type WatchedAccount } from '../../chain/solana/queries.ts';
import { sumWaived, type WaivedSums } from '../../intents/stats-queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { listProvenRefunds, listRefundTransfers } from '../refunds/check-queries.ts';
import { countFinalTransfers } from '../transfers/booked-queries.ts';
import { mapSome } from '../watcher/map-some.ts';
import type { WatchStep } from '../watcher/read-account.ts';
import { compareAccount } from './compare-account.ts';
import { compareRefund } from './compare-refund.ts';
import { Interrupted, patientNode } from './patient-node.ts';
import { repairAccount } from './repair-account.ts';
import { addFindings, type Findings, noFindings, type ReconcileReport } from './report.ts';

export interface ReconcileInput {
  db: Database;
  node: ChainNode;
  mint: string;
  /** Only what is in blocks of this time or later. */
  since?: Date | undefined;
  /** Fetch every transaction, also where balances prove the amount in the books. */
  isEach?: boolean;
  /** Number of transactions that are proven at once, at least: for each of these stretches one is fetched. */
  atOnce?: number;
  /** Settle a payment that the books lack as if the watcher had just found it. */
  repair?: WatchStep | undefined;
  /** End with what was compared so far. */
  signal?: AbortSignal | undefined;
  earlier?: EarlierFindings | undefined;
  onProgress?(progress: ReconcileProgress): void;
}

/** Findings about everything that was compared completely, by the account's destination or the refund's id. */
export interface EarlierFindings {
  find(name: string): Findings | undefined;
  keep(name: string, findings: Findings): Promise<void>;
}

export interface ReconcileProgress {
  accounts: number;
  accountsDone: number;
  refunds: number;
  refundsDone: number;
  /** Transfers in the books, of which about so many transactions are to be compared. */
  booked: number;
  transactions: number;
}

const AT_ONCE = 1_000;
/** Accounts and refunds that are under way. */
const UNDER_WAY = 16;

/**
 * Compares the final history of every account on one node, and that of every refund that was sent, transaction by transaction,
 * with the books. What cannot be read is listed in the report; everything else is still compared.
 */
export async function reconcile(input: ReconcileInput): Promise<ReconcileReport> {
  const { db, since, isEach = false, atOnce = AT_ONCE, mint, repair } = input;
  const node = patientNode(input.node, input.signal);
  const accounts = await listEveryWatched(db);
  const refunds = await listProvenRefunds(db, since);
  const waived = await sumWaived(db);
  const booked = await countFinalTransfers(db, since);
  const run = new Run(input, { accounts: accounts.length, refunds: refunds.length, booked });
  const snapshotOf = sharedSnapshots(node, accounts);
  await mapSome(accounts, UNDER_WAY, (account) =>
    run.compare('accountsDone', account.destination, async (found) => {
      const snapshot = (isFresh: boolean) => snapshotOf(account, isFresh);
      const onTransactions = () => run.tell();
      const toCompare = { db, node, mint, account, since, isEach, atOnce, snapshot, onTransactions };
      const differing = await compareAccount(toCompare, found);
      if (repair) await repairAccount({ db, node, account, since, repair, differing }, found);
    }),
  );
  await mapSome(refunds, UNDER_WAY, (refund) =>
    run.compare('refundsDone', refund.id, async (found) => {
      const transfers = (await listRefundTransfers(db, refund)).filter(({ isFinal }) => isFinal);
      await compareRefund({ db, node, mint, refund, transfers }, found);
    }),
  );
  const order = [...accounts.map(({ destination }) => destination), ...refunds.map(({ id }) => id)];
  return run.report(order, waived);
}

/** Snapshots of the accounts, a hundred in one call: what is compared soon is asked about together. */
function sharedSnapshots(node: ChainNode, accounts: readonly WatchedAccount[]) {
  const places = new Map(accounts.map(({ destination }, i) => [destination, i]));
  const taken = new Map<string, Promise<Snapshot>>();
  return async ({ destination, account }: WatchedAccount, isFresh: boolean): Promise<Snapshot> => {
    if (isFresh) return node.snapshot(account, { fresh: true });
    const at = places.get(destination)!;
    if (!taken.has(destination))
      for (const each of accounts.slice(at, at + MAX_ACCOUNTS)) {
        const snapshot = node.snapshot(each.account, { fresh: true });
        snapshot.catch(() => {});
        taken.set(each.destination, snapshot);
      }
    const snapshot = taken.get(destination)!;
    taken.delete(destination);
    return snapshot;
  };
}

type Kind = 'accountsDone' | 'refundsDone';

/** One run over all accounts and refunds: what was found, and how far it is. */
class Run {
  readonly #input: ReconcileInput;
  readonly #found = new Map<string, Findings>();
  readonly #counts: Pick<ReconcileProgress, 'accounts' | 'refunds' | 'booked'>;
  readonly #done: Record<Kind, number> = { accountsDone: 0, refundsDone: 0 };
  /** Findings of what is under way. */
  readonly #current = new Set<Findings>();
  #transactions = 0;

  constructor(input: ReconcileInput, counts: Pick<ReconcileProgress, 'accounts' | 'refunds' | 'booked'>) {
    this.#input = input;
    this.#counts = counts;
  }

  /** Compares one of them, unless an earlier run did. What was found until an interruption is kept. */
  async compare(kind: Kind, name: string, work: (found: Findings) => Promise<void>): Promise<void> {
    const { earlier, signal } = this.#input;
    const known = earlier?.find(name);
    const found = known ?? noFindings();
    this.#found.set(name, found);
    if (!known) {
      if (signal?.aborted) return;
      this.#current.add(found);
      try {
        await work(found);
      } catch (error) {
        if (error instanceof Interrupted) return;
        throw error;
      } finally {
        this.#current.delete(found);
      }
      await earlier?.keep(name, found);
    }
    this.#done[kind]++;
    this.#transactions += found.transactions;
    this.tell();
  }

  tell(): void {
    let transactions = this.#transactions;
    for (const found of this.#current) transactions += found.transactions;
    this.#input.onProgress?.({ ...this.#counts, ...this.#done, transactions });
  }

  /** Everything that was found, in this order. */
  report(order: readonly string[], waived: WaivedSums): ReconcileReport {
    const { accounts, refunds } = this.#counts;
    const { accountsDone, refundsDone } = this.#done;
    const left = accounts - accountsDone + refunds - refundsDone;
    const report: ReconcileReport = { accounts, refunds, left, waived, ...noFindings() };
    for (const name of order) addFindings(report, this.#found.get(name) ?? noFindings());
    return report;
  }
}
