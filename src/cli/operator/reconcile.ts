import { chainNodes } from '../../chain/nodes/chain-node.ts';
import { toDecimal } from '../../chain/solana/pay-url.ts';
import { mintOf } from '../../config/config.ts';
import type { WaivedSums } from '../../intents/stats-queries.ts';
import { nodeName } from '../../payments/watcher/disagreements.ts';
import { type Difference, type NotCompared, reconcile } from '../../payments/watcher/reconcile.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { formatUsd } from '../../platform/lib/format.ts';
import { createLog } from '../../platform/lib/log.ts';
import { Metrics } from '../../platform/lib/metrics.ts';
import { followClock } from '../../sandbox/move-clock.ts';
import { openNodes } from '../../service/open-nodes.ts';
import { openOwnChain } from '../../service/own-chain.ts';
import { type CommandContext, CommandFailed } from './context.ts';

interface ReconcileReport {
  accounts: number;
  refunds: number;
  /** Compared, over all nodes. */
  transactions: number;
  waived: WaivedSums;
  differences: (Difference & { node: string })[];
  repaired: (Difference & { node: string })[];
  unreadable: (NotCompared & { node: string })[];
}

/** Reads the chain again from the start and compares every amount with the books, node by node. */
export async function reconcileCommand(
  context: CommandContext,
  options: { rpcUrl?: string; repair?: boolean },
): Promise<void> {
  const { config, db } = context;
  const isRepairing = options.repair ?? false;
  // One node that somebody names is enough to compare with, and not to credit by.
  if (isRepairing && options.rpcUrl)
    throw new CommandFailed('--repair believes the nodes of SOLANA_RPC_URLS only: leave out --rpc-url');
  const urls = options.rpcUrl ? [options.rpcUrl] : config.SOLANA_RPC_URLS;
  if (urls.length > 0) return reconcileWith(context, urls, isRepairing);
  const own = await openOwnChain(config, db);
  if (!own)
    throw new CommandFailed(
      `there is no sandbox chain in ${config.FLORIN_DATA}: run this with the service’s settings, or set a node with --rpc-url`,
    );
  try {
    await reconcileWith(context, [own.rpcUrl], isRepairing);
  } finally {
    await own.close();
  }
}

async function reconcileWith(
  { config, db, print, say }: CommandContext,
  urls: readonly string[],
  isRepairing: boolean,
): Promise<void> {
  const nodeParts = { config, log: createLog('silent'), metrics: new Metrics() };
  const { rpc, quorum, checks } = openNodes(nodeParts, urls, isRepairing);
  if (isRepairing) await checks.checkFirst();
  const report: ReconcileReport = {
    accounts: 0,
    refunds: 0,
    transactions: 0,
    waived: { payments: 0n, cents: 0n },
    differences: [],
    repaired: [],
    unreadable: [],
  };
  const mint = mintOf(config);
  const clock = systemClock();
  await followClock(db, clock);
  const step = () => ({ db, quorum, mint, now: clock.now(), wakeWebhooks() {} });
  // Each node on its own: one that leaves out what the books have, or agrees with them by mistake, would hide a
  // difference.
  for (const node of chainNodes(rpc)) {
    const name = nodeName(urls[node.index]!);
    const one = await reconcile(
      db,
      node,
      mint,
      ({ account, accounts, transactions }) =>
        say(`  ${name}: ${account} of ${accounts} accounts, ${transactions} transactions`),
      isRepairing ? step() : undefined,
    );
    report.accounts = one.accounts;
    report.refunds = one.refunds;
    report.waived = one.waived;
    report.transactions += one.transactions;
    report.differences.push(...one.differences.map((difference) => ({ ...difference, node: name })));
    report.repaired.push(...one.repaired.map((difference) => ({ ...difference, node: name })));
    report.unreadable.push(...one.unreadable.map((missing) => ({ ...missing, node: name })));
  }
  print(report, textOf(report));
  if (report.differences.length + report.unreadable.length > 0) process.exitCode = 1;
}

function textOf(report: ReconcileReport): string {
  const repaired = report.repaired.map(
    ({ signature, onChain }) => `${signature}: ${amount(onChain)} credited, which the books lacked`,
  );
  const differences = report.differences.map(
    ({ signature, booked, onChain, node }) =>
      `${signature}: booked ${amount(booked)}, on chain ${amount(onChain)}, says ${node}`,
  );
  const unreadable = report.unreadable.map(
    ({ destination, signature, problem, node }) =>
      `${signature ?? destination}: not compared with ${node}: ${problem}`,
  );
  const { accounts, refunds, transactions, waived } = report;
  const counts = [
    `${differences.length} differences`,
    ...(repaired.length > 0 ? [`${repaired.length} repaired`] : []),
    ...(unreadable.length > 0 ? [`${unreadable.length} not compared`] : []),
  ];
  return [
    ...repaired,
    ...differences,
    ...unreadable,
    ...(waived.payments > 0n
      ? [`Waived of ${waived.payments} payments accepted as paid: ${formatUsd(waived.cents, 'en')}.`]
      : []),
    `${transactions} transactions of ${accounts} accounts and ${refunds} refunds: ${counts.join(', ')}.`,
  ].join('\n');
}

function amount(units: bigint | null): string {
  return units === null ? 'nothing' : `${toDecimal(units)} USDC`;
}
