import { cpus } from 'node:os';
import type { BenchResult, BenchRun } from './bench.ts';
import { checkDay } from './day/check-day.ts';
import { daySection } from './day/day-section.ts';
import { figuresOf } from './day/figures-of.ts';
import { findScale } from './day/find-scale.ts';
import { holdDay } from './day/hold-day.ts';
import { openDayShop } from './day/open-day-shop.ts';
import { processorMeter, sumOf } from './day/processor-meter.ts';
import { watchDay } from './day/watch-day.ts';
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
    const busy = sumOf(held.usedSeconds) / (seconds * cpus().length);
    const figures = { seconds, scale, busy, paths, ...extra, ...figuresOf(held, watch.samples) };
    if (problems.length > 0) {
      say(JSON.stringify(figures));
      throw new Error(`not as it should be:\n${problems.join('\n')}`);
    }
    const measured = held.delays.map(({ service }) => roundOf(service));
    const spread = spreadOf(measured);
    return {
      ratio: spread.median,
      spread,
      unit: 'ms late, p99',
      rounds: measured,
      extra: figures,
      readme: (where) => daySection(paths, { busy, seconds, where }),
    };
  });
}

function roundOf({ p99Ms }: LoopDelay): Round {
  // An idle loop is not late at all.
  const ours = Math.max(p99Ms, 0.01);
  return { ours, yardstick: ALLOWED_LAG_MS, ratio: ALLOWED_LAG_MS / ours };
}
