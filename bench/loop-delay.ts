import { writeFileSync } from 'node:fs';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded before a service with `--import`: notes twice a second how long its event loop has been held up, at most and in
 * one turn of a hundred, since SIGUSR2 came last, by the clock and in processor time. The second is what our own code did; on a busy machine
 * the first is mostly how long others were served.
 */
const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const stretches = createHistogram();
let before = cpuMs();
setInterval(() => {
  const now = cpuMs();
  stretches.record(Math.max(1, Math.round((now - before) * 1000)));
  before = now;
}, 1).unref();
process.on('SIGUSR2', () => {
  delay.reset();
  stretches.reset();
});
setInterval(() => {
  // The histogram counts from one tick to the next, so an idle loop has the resolution itself.
  const lateMs = (ns: number) => (delay.count > 0 ? Math.max(0, ns / 1e6 - RESOLUTION_MS) : 0);
  const usedMs = (us: number) => (stretches.count > 0 ? us / 1e3 : 0);
  writeFileSync(
    process.env.LOOP_DELAY_FILE!,
    JSON.stringify({
      cpuMs: usedMs(stretches.max),
      cpuP99Ms: usedMs(stretches.percentile(99)),
      maxMs: lateMs(delay.max),
      p99Ms: lateMs(delay.percentile(99)),
    }),
  );
}, 500).unref();

/** Returns the processor time of the thread that runs the loop. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
