import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import type { InTurn } from '../../platform/traces/tracer.ts';
import type { NodeChecks } from './check-nodes.ts';
import type { Quorum } from './quorum.ts';
import type { WatchStep } from './read-account.ts';

export interface WatcherParts {
  db: Database;
  clock: Clock;
  log: Logger;
  quorum: Quorum;
  checks: NodeChecks;
  metrics: Metrics;
  wsUrl: string | undefined;
  /** Maximum of accounts that one connection listens to. */
  wsMaxAccounts: number;
  mint: string;
  /** Called when events were committed. */
  wakeWebhooks(): void;
  /** Time between looks at the balance of each account; six times as much, 30 s at the most, while every account is heard. */
  pollMs: number;
  /** Time between questions about confirmed payments until they are final. */
  finalityMs: number;
  /** Absent where nothing is traced. */
  inTurn?: InTurn | undefined;
}

export function stepOf({ db, quorum, mint, clock, wakeWebhooks }: WatcherParts): WatchStep {
  return { db, quorum, mint, now: clock.now(), wakeWebhooks };
}

export const reportFailure = (log: Logger, signal: AbortSignal, name: string) => (error: unknown) => {
  if (!signal.aborted) log.warn({ loop: name, err: error }, 'watcher loop failed; retrying');
};
