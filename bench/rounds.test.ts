import { expect, test } from 'vitest';
import { alternate, percentile, spreadOf } from './rounds.ts';

const round = (ratio: number) => ({ ours: ratio, yardstick: 1, ratio });

test('the median of an even number of rounds lies between the two in the middle', () => {
  expect(spreadOf([3, 1, 8, 2].map(round))).toEqual({ median: 2.5, min: 1, max: 8 });
  expect(spreadOf([3, 1, 2].map(round))).toEqual({ median: 2, min: 1, max: 3 });
});

test('both sides warm up, then are measured in turn, so that an even drift cancels out', async () => {
  const calls: string[] = [];
  let slowdown = 0;
  const side = (name: string, speed: number) => async (seconds: number) => {
    calls.push(`${name} ${seconds}`);
    return speed - slowdown++;
  };
  const sides = { ours: side('ours', 100), yardstick: side('yardstick', 100) };
  const rounds = await alternate(sides, { rounds: 2, secondsEach: 8 }, () => {});
  expect(rounds).toEqual([
    { ours: 94.5, yardstick: 94.5, ratio: 1 },
    { ours: 90.5, yardstick: 90.5, ratio: 1 },
  ]);
  const turn = ['ours 4', 'yardstick 4', 'yardstick 4', 'ours 4'];
  expect(calls).toEqual([...turn, ...turn, ...turn]);
});

test('a percentile is one of the values, the smallest that so many do not exceed', () => {
  const values = Array.from({ length: 20 }, (_, i) => 20 - i);
  expect([percentile(values, 95), percentile(values, 50), percentile([7], 95)]).toEqual([19, 10, 7]);
});
