import { setTimeout as sleep } from 'node:timers/promises';
import type { Rpc } from './chain/solana/rpc.ts';
import type { EnsureWatched } from './chain/solana/watched-account.ts';
import { type Config, mintOf } from './config.ts';
import { openNodes } from './nodes.ts';
import { FINALITY_SLOTS, generosity, startOwnChain } from './own-chain.ts';
import type { Database } from './platform/db/database.ts';
import type { Clock } from './platform/lib/clock.ts';
import type { Logger } from './platform/lib/log.ts';
import type { Metrics } from './platform/lib/metrics.ts';
import { runDueWork } from './settlement/due-work/run-due-work.ts';
import { TestWallet } from './settlement/sandbox/test-wallet.ts';
import type { NodeChecks } from './settlement/watcher/check-nodes.ts';
import { startWatcher, type Watcher } from './settlement/watcher/start-watcher.ts';

export interface ChainParts {
  config: Config;
  db: Database;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  ensureWatched: EnsureWatched;
  publicUrl(): string;
  /** Called when events were committed. */
  wakeWebhooks(): void;
  /** Called if the nodes turn out to belong to another network: then nothing may continue. */
  onWrongNetwork(error: Error): void;
}

export interface Chain {
  rpc: Rpc;
  /** The sandbox's own node, for wallets and curious people. */
  sandboxUrl: string | undefined;
  wallet: TestWallet | undefined;
  /** Only in the sandbox: gives test SOL to an address that has little. */
  fund?: ((address: string) => Promise<void>) | undefined;
  /** Only in the sandbox: makes an owner's token account, as their first payment would. */
  createAccount?: ((owner: string) => Promise<unknown>) | undefined;
  /** Runs whatever the time has made due, after the chain was read up to now. */
  runDue(): Promise<void>;
  stop(): Promise<void>;
}

/** The network as configured: its nodes, the sandbox's own chain where there is no other, and the watcher. */
export async function openChain(parts: ChainParts): Promise<Chain> {
  const { config, clock } = parts;
  const isWatcher = config.FLORIN_ROLES.includes('watcher');
  const isOwn = config.FLORIN_NETWORK === 'sandbox' && config.SOLANA_RPC_URLS.length === 0 && isWatcher;
  const own = isOwn ? await startOwnChain(config, clock) : undefined;
  const sandbox = own?.chain;
  const urls = sandbox ? [sandbox.rpcUrl] : config.SOLANA_RPC_URLS;
  const mint = mintOf(config);
  const { rpc, quorum, checks } = openNodes(parts, urls, isWatcher);
  let watcher: Watcher | undefined;
  const stopping = new AbortController();
  const started = isWatcher
    ? startWhenChecked(parts, checks, stopping.signal, () => {
        const { WATCH_POLL_MS: pollMs, WATCH_FINALITY_MS: finalityMs } = config;
        const wsUrl = sandbox?.wsUrl ?? config.SOLANA_WS_URL;
        const wsMaxAccounts = config.SOLANA_WS_MAX_ACCOUNTS;
        watcher = startWatcher({ ...parts, quorum, checks, wsUrl, wsMaxAccounts, mint, pollMs, finalityMs });
      })
    : Promise.resolve();
  if (sandbox) await started;
  return {
    rpc,
    sandboxUrl: sandbox?.rpcUrl,
    wallet: sandbox && new TestWallet(sandbox, rpc, mint),
    ...(sandbox && generosity(sandbox, rpc)),
    async runDue() {
      await sandbox?.advanceSlots(FINALITY_SLOTS);
      await watcher?.lookAtAll();
      await runDueWork({ ...parts, mint }, clock.now());
    },
    async stop() {
      stopping.abort();
      await started;
      await watcher?.stop();
      await own?.stop();
    },
  };
}

const RECHECK_MS = 5_000;

/** Begins with the first node that answers; the others are asked again. Nodes of another network end it. */
async function startWhenChecked(
  parts: ChainParts,
  checks: NodeChecks,
  signal: AbortSignal,
  start: () => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (await checks.checkFirst()) {
        if (!signal.aborted) start();
        return;
      }
    } catch (error) {
      return parts.onWrongNetwork(error as Error);
    }
    await sleep(RECHECK_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
