import { type Config, mintOf } from '../../config/config.ts';
import {
  describeCalls,
  EXAMPLE_SHOP,
  estimateCalls,
  readShopSize,
  type ShopSize,
} from '../../operations/doctor/estimate-calls.ts';
import { learnNetwork, probeNode } from '../../operations/doctor/probe-node.ts';
import { nodeName } from '../../payments/watcher/disagreements.ts';
import { findHolder } from '../../platform/db/data-folder-lock.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { connectionIn } from '../../platform/db/embedded-postgres.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { CommandFailed, type CommandOutput } from './context.ts';

/** Measures the configured nodes, one after the other, or one that is not configured yet. */
export async function probeCommand(
  config: Config,
  { print, say }: CommandOutput,
  url: string | true,
): Promise<void> {
  const urls = url === true ? config.SOLANA_RPC_URLS : [readUrl(url)];
  if (urls.length === 0)
    throw new CommandFailed('no node is set in SOLANA_RPC_URLS; name one: --probe <url>');
  const findings: { node?: string; check: string; ok: boolean; detail: string }[] = [];
  for (const [i, each] of urls.entries()) {
    const node = nodeName(each);
    say(`${node}:`);
    const known = url === true ? undefined : await learnNetwork(each).catch(() => undefined);
    const { network, mint } = known ?? { network: config.FLORIN_NETWORK, mint: mintOf(config) };
    const callsPerSecond = config.SOLANA_MAX_CALLS_PER_SECOND;
    const socketUrl = i === 0 && url === true ? config.SOLANA_WS_URL : socketOf(each);
    await probeNode({ url: each, socketUrl, network, mint, callsPerSecond }, (check, ok, detail) => {
      findings.push({ node, check, ok, detail });
      say(`${ok ? '✓' : '✗'} ${check}: ${detail}`);
    });
  }
  const calls = await describeShop(config, url !== true);
  findings.push({ check: CALLS, ok: true, detail: calls });
  say(`${CALLS}: ${calls}`);
  const ok = findings.every((finding) => finding.ok);
  print({ ok, findings }, ok ? 'All of it fits.' : 'Some of it does not fit.');
  if (!ok) process.exitCode = 1;
}

const CALLS = 'calls a month';

/** The estimate for the shops of this installation, or for an example; with notifications where they are set, or are to be. */
async function describeShop(config: Config, isToBe: boolean): Promise<string> {
  const own = await readOwnShop(config);
  const shop = own ?? EXAMPLE_SHOP;
  const isHeard = isToBe || config.SOLANA_WS_URL !== undefined;
  return describeCalls(shop, estimateCalls(shop, { isHeard, lookMs: config.WATCH_POLL_MS }), !own);
}

/** Undefined where there is no database yet, or none that answers: nothing is started for it. */
async function readOwnShop(config: Config): Promise<ShopSize | undefined> {
  const folder = config.FLORIN_DATA;
  const isServed = !config.DATABASE_URL && (await findHolder(folder))?.purpose === 'service';
  const connection = config.DATABASE_URL ?? (isServed ? connectionIn(folder) : undefined);
  if (!connection) return undefined;
  const db = openDatabase({ connection, preparedStatements: config.DATABASE_PREPARED_STATEMENTS });
  try {
    return await readShopSize(db, realNow());
  } catch {
    return undefined;
  } finally {
    await db.close();
  }
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return text;
  throw new CommandFailed('--probe takes the http(s):// URL of a Solana RPC node');
}

/** Most providers have both under one name. */
function socketOf(url: string): string {
  return url.replace(/^http/, 'ws');
}
