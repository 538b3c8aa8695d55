import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded before a service with `--import`: notes twice a second how long its event loop has been held up at most
 * since SIGUSR2 came last, by the clock and in processor time. The second is what our own code did; on a busy machine
 * the first is mostly how long others were served.
 */
const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
let longestCpuMs = 0;
let before = cpuMs();
setInterval(() => {
  const now = cpuMs();
  longestCpuMs = Math.max(longestCpuMs, now - before);
  before = now;
}, 1).unref();
process.on('SIGUSR2', () => {
  delay.reset();
  longestCpuMs = 0;
});
setInterval(() => {
  // The histogram counts from one tick to the next, so an idle loop has the resolution itself.
  const maxMs = delay.count > 0 ? Math.max(0, delay.max / 1e6 - RESOLUTION_MS) : 0;
  writeFileSync(process.env.LOOP_DELAY_FILE!, JSON.stringify({ cpuMs: longestCpuMs, maxMs }));
}, 500).unref();

/** Of the thread that runs the loop. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
