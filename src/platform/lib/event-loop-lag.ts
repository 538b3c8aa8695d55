import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

const RESOLUTION_MS = 20;
const WINDOW_MS = 15_000;

/** How late timers run: while one piece of work holds the process, nobody else is served. Once per process. */
export function eventLoopGauges(metrics: Metrics): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let [p99, most] = [0, 0];
  // The histogram measures the time between two looks, which are at least the resolution apart.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3);
  setInterval(() => {
    p99 = late(delays.percentile(99));
    most = late(delays.max);
    delays.reset();
  }, WINDOW_MS).unref();
  metrics.gauge(
    'florin_event_loop_lag_p99_seconds',
    'How late 1 in 100 timers was or more, in the last 15 seconds.',
    () => p99,
  );
  metrics.gauge(
    'florin_event_loop_lag_max_seconds',
    'How late the latest timer was, in the last 15 seconds.',
    () => most,
  );
}
