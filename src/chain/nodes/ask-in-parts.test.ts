import { expect, test } from 'vitest';
import { RpcBadParams, RpcFailure, RpcTooMany } from '../solana/rpc-failure.ts';
import { askInParts } from './ask-in-parts.ts';

const HUNDRED = Array.from({ length: 100 }, (_, i) => `item ${i}`);

/** Refuses what holds one of these, as a node does. */
function nodeRefusing(refused: readonly string[]) {
  const calls: number[] = [];
  const ask = async (items: readonly string[]) => {
    calls.push(items.length);
    if (items.some((item) => refused.includes(item))) throw new RpcBadParams('Invalid param: WrongSize');
    return items.length;
  };
  return { ask, calls };
}

test('what a node refuses is alone in the end, and all others are answered', async () => {
  const { ask, calls } = nodeRefusing(['item 7', 'item 93']);
  const { answers, refused } = await askInParts(HUNDRED, () => true, ask);
  expect(refused).toEqual(
    new Map([
      ['item 7', 'Invalid param: WrongSize'],
      ['item 93', 'Invalid param: WrongSize'],
    ]),
  );
  expect(answers.flatMap(({ items }) => items).toSorted()).toEqual(
    HUNDRED.filter((item) => !refused.has(item)).toSorted(),
  );
  expect(calls.length).toBeLessThan(30);
});

test('what cannot be an address is never sent', async () => {
  const { ask, calls } = nodeRefusing(['item 7']);
  const { answers, refused } = await askInParts(HUNDRED, (item) => item !== 'item 7', ask);
  expect([...refused.keys()]).toEqual(['item 7']);
  expect([answers.map(({ answer }) => answer), calls]).toEqual([[99], [99]]);
});

test('a node that refuses everything is not asked about each alone', async () => {
  const { ask, calls } = nodeRefusing(HUNDRED);
  await expect(askInParts(HUNDRED, () => true, ask)).rejects.toThrow(RpcBadParams);
  expect(calls.length).toBeLessThan(30);
});

test('any other failure is the caller’s to handle', async () => {
  const ask = async () => {
    throw new RpcFailure('timeout');
  };
  await expect(askInParts(HUNDRED, () => true, ask)).rejects.toThrow('timeout');
});

test('what a node takes at once is all that it is asked about at once', async () => {
  const calls: number[] = [];
  const ask = async (items: readonly string[]) => {
    calls.push(items.length);
    if (items.length > 20) throw new RpcTooMany('max 20', 20);
    return items.length;
  };
  const whole = await askInParts(HUNDRED, () => true, ask);
  expect([calls, whole.refused.size]).toEqual([[100, 20, 20, 20, 20, 20], 0]);
  calls.length = 0;
  const parts = await askInParts(HUNDRED, () => true, ask, 20);
  expect([calls, parts.answers.flatMap(({ items }) => items).toSorted()]).toEqual([
    [20, 20, 20, 20, 20],
    HUNDRED.toSorted(),
  ]);
});
