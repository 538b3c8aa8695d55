import type { HeldDay } from './hold-day.ts';
import { slopePerMinute, trendOf } from './trends.ts';
import type { DaySample } from './watch-day.ts';

/**
 * Collects the figures of a day besides its times: processors, memory, every queue, and how late the event loop was.
 */
export function figuresOf({ delays, usedSeconds }: HeldDay, samples: readonly DaySample[]) {
  const names = Object.keys(samples[0]!.queues);
  return {
    processorSeconds: usedSeconds,
    memoryMb: courseOf(samples.map(({ atMs, memoryMb }) => ({ atMs, value: memoryMb }))),
    heapMb: courseOf(samples.map(({ atMs, heapMb }) => ({ atMs, value: heapMb }))),
    queues: Object.fromEntries(
      names.map((name) => {
        const lengths = samples.map(({ queues }) => queues[name]!);
        return [name, { ...trendOf(lengths), overTime: someOf(lengths) }];
      }),
    ),
    delays,
  };
}

function courseOf(points: readonly { atMs: number; value: number }[]) {
  const { first, middle, last, most } = trendOf(points.map(({ value }) => value));
  const secondHalf = points.slice(Math.floor(points.length / 2));
  return { start: first, middle, end: last, most, slopePerMinute: slopePerMinute(secondHalf) };
}

/** Picks about twenty of them, evenly. */
function someOf(values: readonly number[]): number[] {
  const every = Math.ceil(values.length / 20);
  return values.filter((_, i) => i % every === 0);
}
