import { type ChainNode, chainNodes } from '../../chain/nodes/chain-node.ts';
import { toDecimal } from '../../chain/solana/pay-url.ts';
import { mintOf } from '../../config/config.ts';
import { reconcile } from '../../payments/reconcile/reconcile.ts';
import {
  addFindings,
  type Difference,
  type NotCompared,
  noFindings,
  type ReconcileReport,
} from '../../payments/reconcile/report.ts';
import { nodeName } from '../../payments/watcher/disagreements.ts';
import { mapSome } from '../../payments/watcher/map-some.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { formatUsd } from '../../platform/lib/format.ts';
import { createLog } from '../../platform/lib/log.ts';
import { Metrics } from '../../platform/lib/metrics.ts';
import { followClock } from '../../sandbox/move-clock.ts';
import { openNodes } from '../../service/open-nodes.ts';
import { openOwnChain } from '../../service/own-chain.ts';
import { type CommandContext, CommandFailed } from './context.ts';
import { untilInterrupted } from './interruption.ts';
import { openProgressFile, type ProgressFile, type RunSettings } from './open-progress-file.ts';
import { sayProgress } from './say-progress.ts';

export interface ReconcileOptions {
  rpcUrl?: string;
  repair?: boolean;
  since?: Date;
  everyTransaction?: boolean;
  progress?: string;
}

type OfNode<Item> = Item & { node: string };

/** The report of all nodes. Transactions are counted once for each. */
interface WholeReport extends ReconcileReport {
  differences: OfNode<Difference>[];
  repaired: OfNode<Difference>[];
  unreadable: OfNode<NotCompared>[];
}

/** Compares every amount in the books with the chain, node by node. */
export async function reconcileCommand(context: CommandContext, options: ReconcileOptions): Promise<void> {
  const { config, db } = context;
  // One node that somebody names is enough to compare with, and not to credit by.
  if (options.repair && options.rpcUrl)
    throw new CommandFailed('--repair believes the nodes of SOLANA_RPC_URLS only: leave out --rpc-url');
  const urls = options.rpcUrl ? [options.rpcUrl] : config.SOLANA_RPC_URLS;
  if (urls.length > 0) return reconcileWith(context, urls, options);
  const own = await openOwnChain(config, db);
  if (!own)
    throw new CommandFailed(
      `there is no sandbox chain in ${config.FLORIN_DATA}: run this with the service’s settings, or set a node with --rpc-url`,
    );
  try {
    await reconcileWith(context, [own.rpcUrl], options);
  } finally {
    await own.close();
  }
}

async function reconcileWith(
  context: CommandContext,
  urls: readonly string[],
  options: ReconcileOptions,
): Promise<void> {
  const { print, say } = context;
  const names = urls.map(nodeName);
  const file = options.progress && (await openProgressFile(options.progress, settingsOf(context, options)));
  if (file && file.count > 0) say(`  ${file.count} accounts and refunds were compared by an earlier run`);
  const interruption = untilInterrupted('interrupted');
  const { signal } = interruption;
  try {
    const reports = await reconcileNodes(context, urls, { options, file: file || undefined, signal });
    const report = wholeOf(reports, names);
    if (file && report.left === 0) await file.delete();
    print(report, textOf(report, options));
    if (report.differences.length + report.unreadable.length + report.left > 0) process.exitCode = 1;
  } finally {
    interruption.stop();
    if (file) await file.close();
  }
}

/** Runs that compare the same things with the same nodes can share a file. */
function settingsOf({ config }: CommandContext, options: ReconcileOptions): RunSettings {
  return {
    network: config.FLORIN_NETWORK,
    nodes: (options.rpcUrl ? [options.rpcUrl] : config.SOLANA_RPC_URLS).map(nodeName),
    since: options.since?.toISOString() ?? null,
    everyTransaction: options.everyTransaction ?? false,
    repair: options.repair ?? false,
  };
}

interface Run {
  options: ReconcileOptions;
  file: ProgressFile | undefined;
  signal: AbortSignal;
}

/**
 * Compares with each node on its own: one that leaves out what the books have, or agrees with them by mistake, would hide a
 * difference. They share the calls per second. One that repairs the books changes what the next one is compared with.
 */
async function reconcileNodes(
  { config, db, say }: CommandContext,
  urls: readonly string[],
  { options, file, signal }: Run,
): Promise<ReconcileReport[]> {
  const { since, everyTransaction: isEach = false, repair: isRepairing = false } = options;
  const nodeParts = { config, log: createLog('silent'), metrics: new Metrics() };
  const { rpc, quorum, checks } = openNodes(nodeParts, urls, isRepairing);
  if (isRepairing) await checks.checkFirst();
  const mint = mintOf(config);
  const clock = systemClock();
  await followClock(db, clock);
  const compare = (node: ChainNode) =>
    reconcile({
      ...{ db, node, mint, since, isEach, signal },
      repair: isRepairing ? { db, quorum, mint, now: clock.now(), wakeWebhooks() {} } : undefined,
      earlier: file?.ofNode(String(node.index)),
      onProgress: sayProgress(nodeName(urls[node.index]!), isEach, say),
    });
  return mapSome(chainNodes(rpc), isRepairing ? 1 : urls.length, compare);
}

function wholeOf(reports: readonly ReconcileReport[], names: readonly string[]): WholeReport {
  const { accounts, refunds, waived } = reports[0]!;
  const left = reports.reduce((sum, one) => sum + one.left, 0);
  const whole = { accounts, refunds, left, waived, ...noFindings() } as WholeReport;
  for (const [i, { transactions, fetched, differences, repaired, unreadable }] of reports.entries()) {
    const named = <Item>(items: readonly Item[]) => items.map((item) => ({ ...item, node: names[i]! }));
    addFindings(whole, {
      ...{ transactions, fetched, differences: named(differences) },
      ...{ repaired: named(repaired), unreadable: named(unreadable) },
    });
  }
  return whole;
}

function textOf(report: WholeReport, { progress }: ReconcileOptions): string {
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
  const { accounts, refunds, transactions, fetched, waived, left } = report;
  const counts = [
    `${differences.length} differences`,
    ...(repaired.length > 0 ? [`${repaired.length} repaired`] : []),
    ...(unreadable.length > 0 ? [`${unreadable.length} not compared`] : []),
  ];
  const goOn = progress === undefined ? '' : ' The same command continues from here.';
  return [
    ...repaired,
    ...differences,
    ...unreadable,
    ...(waived.payments > 0n
      ? [`Waived of ${waived.payments} payments accepted as paid: ${formatUsd(waived.cents, 'en')}.`]
      : []),
    `${transactions} transactions of ${accounts} accounts and ${refunds} refunds (${fetched} fetched): ${counts.join(', ')}.`,
    ...(left > 0 ? [`Interrupted: ${left} accounts and refunds were not compared to the end.${goOn}`] : []),
  ].join('\n');
}

function amount(units: bigint | null): string {
  return units === null ? 'nothing' : `${toDecimal(units)} USDC`;
}
