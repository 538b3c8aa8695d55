import { toDecimal } from './chain/solana/pay-url.ts';
import { createRpc } from './chain/solana/rpc.ts';
import { type CommandContext, CommandFailed } from './cli-context.ts';
import { type Config, mintOf } from './config.ts';
import { findIntentAnywhere } from './money/intents/queries.ts';
import type { WaivedSums } from './money/intents/stats-queries.ts';
import { openOwnChain } from './own-chain.ts';
import { generateKey } from './platform/access/generate-key.ts';
import { SCOPES } from './platform/access/key.ts';
import { revokeKey } from './platform/access/revoke-key.ts';
import { realNow } from './platform/lib/clock.ts';
import { formatUsd } from './platform/lib/format.ts';
import { isUuid } from './platform/lib/ids.ts';
import { parseJson } from './platform/lib/json.ts';
import { chainNodes } from './settlement/watcher/chain.ts';
import { nodeName } from './settlement/watcher/disagreements.ts';
import { type Difference, type NotCompared, reconcile } from './settlement/watcher/reconcile.ts';

const ACTOR = 'operator';

/** Pays an intent with test money through the running service, as its merchant could. */
export async function payCommand(
  { config, db, print }: CommandContext,
  intentId: string,
  options: { amountCents?: string; outcome?: string },
): Promise<void> {
  const intent = isUuid(intentId) ? await findIntentAnywhere(db, intentId.toLowerCase()) : undefined;
  if (!intent) throw new CommandFailed(`there is no payment intent ${intentId}`);
  const { merchantId } = intent;
  const { environment } = config;
  const now = realNow();
  const ceiling = { scopes: SCOPES, expiresAt: null };
  const key = await db.transaction((tx) =>
    generateKey(tx, { merchantId, actor: ACTOR, environment, name: 'florin pay', ceiling, now }),
  );
  try {
    const body = `{"paymentIntentId":"${intent.id}"${options.amountCents ? `,"amountCents":${options.amountCents}` : ''}${options.outcome ? `,"outcome":${JSON.stringify(options.outcome)}` : ''}}`;
    const response = await fetch(`${serviceUrl(config)}/api/v2/sandbox/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json' },
      body,
    }).catch(() => {
      throw new CommandFailed(`the service at ${serviceUrl(config)} does not answer; is it running?`);
    });
    const answer = parseJson(await response.text()) as { signature?: string; error?: { message: string } };
    if (!answer.signature)
      throw new CommandFailed(answer.error?.message ?? `the service answered ${response.status}`);
    print({ signature: answer.signature }, `Sent. Transaction ${answer.signature}`);
  } finally {
    await db.transaction((tx) => revokeKey(tx, { merchantId, keyId: key.id, actor: ACTOR, now: realNow() }));
  }
}

function serviceUrl(config: Config): string {
  return (
    config.PUBLIC_URL ??
    `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${config.PORT}`
  );
}

interface ReconcileReport {
  accounts: number;
  refunds: number;
  /** Compared, over all nodes. */
  transactions: number;
  waived: WaivedSums;
  differences: (Difference & { node: string })[];
  unreadable: (NotCompared & { node: string })[];
}

/** Reads the chain again from the start and compares every amount with the books, node by node. */
export async function reconcileCommand(context: CommandContext, options: { rpcUrl?: string }): Promise<void> {
  const { config, db } = context;
  const urls = options.rpcUrl ? [options.rpcUrl] : config.SOLANA_RPC_URLS;
  if (urls.length > 0) return reconcileWith(context, urls);
  const own = await openOwnChain(config, db);
  if (!own)
    throw new CommandFailed(
      `there is no sandbox chain in ${config.FLORIN_DATA}: run this with the service’s settings, or set a node with --rpc-url`,
    );
  try {
    await reconcileWith(context, [own.rpcUrl]);
  } finally {
    await own.close();
  }
}

async function reconcileWith(
  { config, db, print, say }: CommandContext,
  urls: readonly string[],
): Promise<void> {
  const rpc = createRpc({ urls, maxPerSecond: config.SOLANA_MAX_CALLS_PER_SECOND });
  const report: ReconcileReport = {
    accounts: 0,
    refunds: 0,
    transactions: 0,
    waived: { payments: 0n, cents: 0n },
    differences: [],
    unreadable: [],
  };
  // Each node on its own: one that leaves out what the books have, or agrees with them by mistake, would hide a
  // difference.
  for (const node of chainNodes(rpc)) {
    const name = nodeName(urls[node.index]!);
    const one = await reconcile(db, node, mintOf(config), ({ account, accounts, transactions }) =>
      say(`  ${name}: ${account} of ${accounts} accounts, ${transactions} transactions`),
    );
    report.accounts = one.accounts;
    report.refunds = one.refunds;
    report.waived = one.waived;
    report.transactions += one.transactions;
    report.differences.push(...one.differences.map((difference) => ({ ...difference, node: name })));
    report.unreadable.push(...one.unreadable.map((missing) => ({ ...missing, node: name })));
  }
  const differences = report.differences.map(
    ({ signature, booked, onChain, node }) =>
      `${signature}: booked ${amount(booked)}, on chain ${amount(onChain)}, says ${node}`,
  );
  const unreadable = report.unreadable.map(
    ({ destination, signature, problem, node }) =>
      `${signature ?? destination}: not compared with ${node}: ${problem}`,
  );
  const summary =
    `${report.transactions} transactions of ${report.accounts} accounts and ${report.refunds} refunds: ${differences.length} differences` +
    `${unreadable.length > 0 ? `, ${unreadable.length} not compared` : ''}.`;
  const { payments, cents } = report.waived;
  const waived =
    payments > 0n ? [`Waived of ${payments} payments accepted as paid: ${formatUsd(cents, 'en')}.`] : [];
  print(report, [...differences, ...unreadable, ...waived, summary].join('\n'));
  if (differences.length + unreadable.length > 0) process.exitCode = 1;
}

function amount(units: bigint | null): string {
  return units === null ? 'nothing' : `${toDecimal(units)} USDC`;
}
