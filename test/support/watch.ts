import { setTimeout as sleep } from 'node:timers/promises';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import type { Config } from '../../src/config/config.ts';
import { startWatcher } from '../../src/payments/watcher/start-watcher.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import { openNodes } from '../../src/service/open-nodes.ts';
import type { TestChain } from './chain.ts';
import { cleanUp } from './clean-up.ts';

export interface WatchOptions {
  urls: readonly string[];
  wsUrl?: string;
  config?: Partial<Config>;
  pollMs?: number;
  finalityMs?: number;
}

export interface Watching {
  metrics: Metrics;
  /** Lines that were logged as warnings or worse. */
  log: string[];
  /** Turns of a loop that has one each second: never more than the seconds that have passed. */
  seconds(): number;
  stop(): Promise<void>;
}

/** The watcher as the service runs it, with every loop at its own pace, on the database and the clock of a test. */
export async function watchChain({ service }: TestChain, options: WatchOptions): Promise<Watching> {
  const { urls, wsUrl, pollMs = 200, finalityMs = 50 } = options;
  const lines: string[] = [];
  const log = createLog('warn', (line) => lines.push(line));
  const metrics = new Metrics();
  const config = { ...service.config, ...options.config };
  const { quorum, checks } = openNodes({ config, log, metrics }, urls, true);
  while (!(await checks.checkFirst())) await sleep(100);
  let seconds = 0;
  const watcher = startWatcher({
    ...{ db: service.db, clock: service.clock, log, metrics, quorum, checks, wsUrl, pollMs, finalityMs },
    wsMaxAccounts: 1_000,
    mint: USDC_MINTS.sandbox,
    wakeWebhooks: () => {},
    inTurn(name, work) {
      if (name === 'refresh subscriptions') seconds++;
      return work();
    },
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= watcher.stop();
    return stopped;
  };
  cleanUp(stop);
  return { metrics, log: lines, seconds: () => seconds, stop };
}
