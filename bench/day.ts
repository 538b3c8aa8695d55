import { cpus } from 'node:os';
import type { BenchResult, BenchRun } from './bench.ts';
import { checkDay } from './day/check-day.ts';
import { daySection } from './day/day-section.ts';
import { findScale } from './day/find-scale.ts';
import { type HeldDay, holdDay } from './day/hold-day.ts';
import { openDayShop } from './day/open-day-shop.ts';
import { processorMeter } from './day/processor-meter.ts';
import { slopePerMinute, trendOf } from './day/trends.ts';
import { type DaySample, watchDay } from './day/watch-day.ts';
import type { LoopDelay } from './loop-delays.ts';
import { type Round, spreadOf } from './rounds.ts';
import { withWorkshop } from './workshop.ts';

/** One turn of the event loop in a hundred may be as late as this. */
const ALLOWED_LAG_MS = 20;

/**
 * A whole day's mix on one installation: everything that shops, their customers and their people do, at rates that keep
 * the machine about 70 % busy, each begun when it is due whether or not what came before is answered. How late the
 * event loop of the service was, in a tenth of the time after the other, against the 20 ms allowed. A single answer that
 * was not expected fails it, and so does a queue that grows, or anything acknowledged that is not there.
 */
export function day({ seconds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    say('filling the past');
    const opened = await openDayShop(shop, profileFolder);
    const beganAt = new Date();
    const meter = await processorMeter(opened);
    const scale = await findScale(opened, meter, say);
    say(`${seconds} seconds at ${scale.toFixed(1)} times the mix`);
    const watch = watchDay(opened);
    const held = await holdDay(shop, opened, { scale, seconds, meter, say });
    await watch.stop();
    say('waiting until everything is done');
    const { paths, problems, extra } = await checkDay(opened, watch, { held, beganAt });
    for (const [path, { count, errors, p50Ms, p95Ms, p99Ms }] of Object.entries(paths))
      say(
        `${path}: ${count}, ${errors} failed, ${[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(1)).join(' / ')} ms`,
      );
    for (const problem of problems) say(problem);
    const measured = held.delays.map(({ service }) => roundOf(service));
    const spread = spreadOf(measured);
    if (problems.length > 0) throw new Error(`${problems.length} things are not as they should be`);
    const busy = held.usedSeconds / (seconds * cpus().length);
    return {
      ratio: spread.median,
      spread,
      unit: 'ms late, p99',
      rounds: measured,
      extra: { seconds, scale, busy, paths, ...extra, ...figuresOf(held, watch.samples) },
      readme: (where) => daySection(paths, { busy, seconds, where }),
    };
  });
}

function roundOf({ p99Ms }: LoopDelay): Round {
  // An idle loop is not late at all.
  const ours = Math.max(p99Ms, 0.01);
  return { ours, yardstick: ALLOWED_LAG_MS, ratio: ALLOWED_LAG_MS / ours };
}

function figuresOf({ delays }: HeldDay, samples: readonly DaySample[]) {
  const { first, middle, last, most } = trendOf(samples.map(({ memoryMb }) => memoryMb));
  const points = samples.map(({ atMs, memoryMb }) => ({ atMs, value: memoryMb }));
  const secondHalf = points.slice(Math.floor(points.length / 2));
  const names = Object.keys(samples[0]!.queues);
  return {
    memoryMb: { start: first, middle, end: last, most, slopePerMinute: slopePerMinute(secondHalf) },
    queues: Object.fromEntries(
      names.map((name) => {
        const lengths = samples.map(({ queues }) => queues[name]!);
        return [name, { ...trendOf(lengths), overTime: someOf(lengths) }];
      }),
    ),
    delays,
  };
}

/** About twenty of them, evenly. */
function someOf(values: readonly number[]): number[] {
  const every = Math.ceil(values.length / 20);
  return values.filter((_, i) => i % every === 0);
}
