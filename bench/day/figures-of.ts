import type { HeldDay } from './hold-day.ts';
import { slopePerMinute, trendOf } from './trends.ts';
import type { DaySample } from './watch-day.ts';

/** What a day showed besides its times: memory, every queue, and how late the event loop was. */
export function figuresOf({ delays }: HeldDay, samples: readonly DaySample[]) {
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
