import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded before a service with `--import`: notes twice a second how long its event loop has been held up at most
 * since it was last asked to begin anew, which SIGUSR2 does.
 */
const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on('SIGUSR2', () => delay.reset());
setInterval(() => {
  // The histogram counts from one tick to the next, so an idle loop has the resolution itself.
  const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  const { max, count } = delay;
  writeFileSync(
    process.env.LOOP_DELAY_FILE!,
    JSON.stringify({ maxMs: count ? ms(max) : 0, p99Ms: count ? ms(delay.percentile(99)) : 0 }),
  );
}, 500).unref();
