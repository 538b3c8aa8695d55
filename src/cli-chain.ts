import { generateKey } from './access/generate-key.ts';
import { SCOPES } from './access/key.ts';
import { revokeKey } from './access/revoke-key.ts';
import { type CommandContext, CommandFailed } from './cli-context.ts';
import { type Config, mintOf } from './config.ts';
import { findIntent } from './intents/find-intent.ts';
import { realNow } from './lib/clock.ts';
import { isUuid } from './lib/ids.ts';
import { parseJson } from './lib/json.ts';
import { toDecimal } from './solana/pay-url.ts';
import { createRpc } from './solana/rpc.ts';
import { chainNodes } from './watcher/chain.ts';
import { reconcile } from './watcher/reconcile.ts';

const ACTOR = 'operator';

/** Pays an intent with test money through the running service, as its merchant could. */
export async function payCommand(
  { config, db, print }: CommandContext,
  intentId: string,
  options: { amountCents?: string; outcome?: string },
): Promise<void> {
  const intent = isUuid(intentId) ? await findIntent(db, intentId.toLowerCase()) : undefined;
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
      throw new CommandFailed(`the service does not answer at ${serviceUrl(config)}: is it running?`);
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

/** Reads the chain again from the start and compares every amount with the books. */
export async function reconcileCommand(
  { config, db, print, say }: CommandContext,
  options: { rpcUrl?: string },
): Promise<void> {
  const urls = options.rpcUrl ? [options.rpcUrl] : config.SOLANA_RPC_URLS;
  if (urls.length === 0)
    throw new CommandFailed(
      'say which node to read with --rpc-url; the running sandbox prints its own at start',
    );
  const rpc = createRpc({ urls, maxPerSecond: config.SOLANA_MAX_CALLS_PER_SECOND });
  const [node] = chainNodes(rpc);
  const report = await reconcile(db, node!, mintOf(config), ({ account, accounts, transactions }) =>
    say(`  ${account} of ${accounts} accounts, ${transactions} transactions`),
  );
  const differences = report.differences.map(
    ({ signature, booked, onChain }) => `${signature}: booked ${amount(booked)}, on chain ${amount(onChain)}`,
  );
  const unreadable = report.unreadable.map(
    ({ destination, signature, problem }) => `${signature ?? destination}: not compared: ${problem}`,
  );
  const summary =
    `${report.transactions} transactions of ${report.accounts} accounts: ${differences.length} differences` +
    `${unreadable.length > 0 ? `, ${unreadable.length} not compared` : ''}.`;
  print(report, [...differences, ...unreadable, summary].join('\n'));
  if (differences.length + unreadable.length > 0) process.exitCode = 1;
}

function amount(units: bigint | null): string {
  return units === null ? 'nothing' : `${toDecimal(units)} USDC`;
}
