import { setTimeout as sleep } from 'node:timers/promises';
import type { Witnesses } from '../chain/nodes/witnesses.ts';
import type { Rpc } from '../chain/solana/rpc.ts';
import type { EnsureWatched } from '../chain/solana/watched-account.ts';
import { type Config, mintOf } from '../config/config.ts';
import { runDueWork } from '../operations/due-work/run-due-work.ts';
import { checkAllAccounts } from '../payments/watcher/check-all-accounts.ts';
import type { NodeChecks } from '../payments/watcher/check-nodes.ts';
import { startWatcher, type Watcher } from '../payments/watcher/start-watcher.ts';
import type { Database } from '../platform/db/database.ts';
import type { Clock } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { Metrics } from '../platform/lib/metrics.ts';
import { Scheduler } from '../platform/lib/scheduler.ts';
import { TestWallet } from '../sandbox/test-wallet.ts';
import { openNodes } from './open-nodes.ts';
import type { Traces } from './open-traces.ts';
import { FINALITY_SLOTS, startOwnChain } from './own-chain.ts';
import { type Gifts, ownSandbox, remoteSandbox } from './sandbox.ts';

export interface ChainParts {
  config: Config;
  db: Database;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  ensureWatched: EnsureWatched;
  publicUrl(): string;
  /** Port of the sandbox's own chain; absent: any free one. */
  chainPort?: number | undefined;
  /** Absent where no collector is set. */
  traces?: Traces | undefined;
  /** Called when events were committed. */
  wakeWebhooks(): void;
  /** Called if the nodes turn out to belong to another network: then nothing may continue. */
  onWrongNetwork(error: Error): void;
}

/** Connection to the chain, with gifts only in the sandbox. */
export interface Chain extends Partial<Gifts> {
  rpc: Rpc;
  witnesses: Witnesses;
  /** The sandbox's own node, for wallets and curious people. */
  sandboxUrl: string | undefined;
  wallet: TestWallet | undefined;
  /** Runs whatever the time has made due, after the chain was read up to now. */
  runDue(): Promise<void>;
  stop(): Promise<void>;
}

/** The network as configured: its nodes, the sandbox's own chain where there is no other, and the watcher. */
export async function openChain(parts: ChainParts): Promise<Chain> {
  const { config, clock } = parts;
  const isWatcher = config.FLORIN_ROLES.includes('watcher');
  const isOwn = config.FLORIN_NETWORK === 'sandbox' && config.SOLANA_RPC_URLS.length === 0 && isWatcher;
  const own = isOwn
    ? await startOwnChain(config, clock, parts.chainPort === undefined ? {} : { port: parts.chainPort })
    : undefined;
  const urls = own ? [own.chain.rpcUrl] : config.SOLANA_RPC_URLS;
  const mint = mintOf(config);
  const { rpc, quorum, witnesses, checks } = openNodes(parts, urls, isWatcher);
  const scheduler = new Scheduler();
  const { signal } = scheduler;
  const sandbox = own ? ownSandbox(own.chain, rpc) : remoteSandbox(parts, rpc, scheduler);
  const watching = {
    ...parts,
    ...watchSettings(config, own?.chain.wsUrl),
    quorum,
    checks,
    mint,
    inTurn: parts.traces?.inTurn,
  };
  let watcher: Watcher | undefined;
  const started = isWatcher
    ? startWhenChecked(parts, checks, signal, () => {
        watcher = startWatcher(watching);
      })
    : Promise.resolve();
  if (own) await started;
  return {
    rpc,
    witnesses,
    sandboxUrl: own?.chain.rpcUrl,
    wallet: sandbox && new TestWallet(sandbox.controls, rpc, mint),
    ...sandbox?.gifts,
    async runDue() {
      if (sandbox) {
        await sandbox.controls.advanceSlots(FINALITY_SLOTS);
        // The process that moves the time reads the chain up to it, be it a watcher or not.
        if (!watcher) await checks.checkFirst();
        await checkAllAccounts(watching, signal);
      }
      await runDueWork({ ...parts, mint }, clock.now());
    },
    async stop() {
      const stopped = scheduler.stop();
      await started;
      await watcher?.stop();
      await Promise.all([stopped, sandbox?.ended]);
      await own?.stop();
    },
  };
}

function watchSettings(config: Config, ownWsUrl: string | undefined) {
  return {
    wsUrl: ownWsUrl ?? config.SOLANA_WS_URL,
    wsMaxAccounts: config.SOLANA_WS_MAX_ACCOUNTS,
    pollMs: config.WATCH_POLL_MS,
    finalityMs: config.WATCH_FINALITY_MS,
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
