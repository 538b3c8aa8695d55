import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import type { WatchedAccount } from '../../chain/solana/queries.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import { forgetUnlisted } from '../../chain/solana/watched-account.ts';
import type { Database } from '../../platform/db/database.ts';
import { settleAll, type WatchStep } from '../watcher/read-account.ts';
import type { Findings } from './report.ts';

export interface AccountToRepair {
  db: Database;
  node: ChainNode;
  account: WatchedAccount;
  /** Older blocks were left out. */
  since: Date | undefined;
  repair: WatchStep;
  /** Transactions that differ, by signature. */
  differing: ReadonlyMap<string, SignatureInfo>;
}

/**
 * Settles the payments that the books lack, the oldest first, in the ordinary way: so enough nodes must agree, and orders,
 * invoices and webhooks follow. Once nothing is missing, no part of the history counts as never read.
 */
export async function repairAccount(
  { db, node, account, since, repair, differing }: AccountToRepair,
  found: Findings,
): Promise<void> {
  for (const difference of [...found.differences]) {
    const info = difference.booked === null ? differing.get(difference.signature) : undefined;
    if (!info) continue;
    const { unread, undecided } = await settleAll(node, [info], { ...repair, account });
    if (unread.size + undecided.size > 0) continue;
    found.differences = found.differences.filter((one) => one !== difference);
    found.repaired.push(difference);
  }
  const { unlistedFrom } = account;
  const isWhole = found.differences.length + found.unreadable.length === 0;
  if (isWhole && unlistedFrom !== null && (!since || since <= unlistedFrom))
    await forgetUnlisted(db, account.destination);
}
