import { expect, test } from 'vitest';
import { alternate, spreadOf } from './rounds.ts';

const round = (ratio: number) => ({ ours: ratio, yardstick: 1, ratio });

test('the median of an even number of rounds lies between the two in the middle', () => {
  expect(spreadOf([3, 1, 8, 2].map(round))).toEqual({ median: 2.5, min: 1, max: 8 });
  expect(spreadOf([3, 1, 2].map(round))).toEqual({ median: 2, min: 1, max: 3 });
});

test('both sides warm up, then take turns at going first', async () => {
  const calls: string[] = [];
  const side = (name: string, answer: number) => async (seconds: number) => {
    calls.push(`${name} ${seconds}`);
    return answer;
  };
  const sides = { ours: side('ours', 6), yardstick: side('yardstick', 3) };
  const rounds = await alternate(sides, { rounds: 2, secondsEach: 8, warmUpSeconds: 1 }, () => {});
  expect(rounds).toEqual([
    { ours: 6, yardstick: 3, ratio: 2 },
    { ours: 6, yardstick: 3, ratio: 2 },
  ]);
  expect(calls).toEqual(['ours 1', 'yardstick 1', 'ours 8', 'yardstick 8', 'yardstick 8', 'ours 8']);
});
