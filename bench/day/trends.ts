import { percentile } from '../rounds.ts';

/** Growth that does not yet make a queue longer: a tenth, and one turn of a loop more or less. */
const SLACK = { share: 1.1, count: 20 };

export interface Trend {
  /** The middle lengths in the first, second and last third of the time. */
  first: number;
  middle: number;
  last: number;
  most: number;
}

/** Describes how a length developed while it was watched. */
export function trendOf(values: readonly number[]): Trend {
  const third = Math.max(1, Math.floor(values.length / 3));
  const typical = (some: readonly number[]) => percentile(some, 50);
  return {
    first: typical(values.slice(0, third)),
    middle: typical(values.slice(third, Math.max(third + 1, values.length - third))),
    last: typical(values.slice(-third)),
    most: Math.max(...values),
  };
}

/** A queue that is longer in each third of the time than in the one before, and not just by a few. */
export function isGrowing({ first, middle, last }: Trend): boolean {
  const isLonger = (before: number, after: number) => after > SLACK.share * before + SLACK.count;
  return isLonger(first, middle) && isLonger(middle, last);
}

/** Units per minute, by least squares. */
export function slopePerMinute(samples: readonly { atMs: number; value: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanMs = mean(samples.map(({ atMs }) => atMs));
  const meanValue = mean(samples.map(({ value }) => value));
  let [above, below] = [0, 0];
  for (const { atMs, value } of samples) {
    above += (atMs - meanMs) * (value - meanValue);
    below += (atMs - meanMs) ** 2;
  }
  return below === 0 ? 0 : (above / below) * 60_000;
}
