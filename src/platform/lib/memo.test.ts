import { expect, test } from 'vitest';
import { Memo } from './memo.ts';

/** Work that counts how often it was done. */
function counted() {
  let done = 0;
  return async () => ++done;
}

test('callers that meet share one result, and later ones get it immediately', async () => {
  const memo = new Memo<number>(2);
  const work = counted();
  expect(await Promise.all([memo.read('a', work), memo.read('a', work)])).toEqual([1, 1]);
  expect(memo.read('a', work)).toBe(1);
});

test('it is made again for another version, after its time, once forgotten, and when it was pushed out', async () => {
  const work = counted();
  const memo = new Memo<number>(2);
  await memo.read('a', work, '1');
  expect(await memo.read('a', work, '2')).toBe(2);
  memo.forget('a');
  expect(await memo.read('a', work, '2')).toBe(3);
  for (const key of ['b', 'c']) await memo.read(key, async () => 0);
  expect(await memo.read('a', work, '2')).toBe(4);
  const stale = new Memo<number>(2, 0);
  expect([await stale.read('a', work), await stale.read('a', work)]).toEqual([5, 6]);
});

test('a failure is not kept, and one that was overtaken takes nothing away', async () => {
  const memo = new Memo<number>(2);
  const slow = Promise.withResolvers<number>();
  const failed = memo.read('a', () => slow.promise, '1');
  expect(await memo.read('a', async () => 2, '2')).toBe(2);
  slow.reject(new Error('failed'));
  await expect(failed).rejects.toThrow('failed');
  expect(memo.read('a', async () => 3, '2')).toBe(2);
  await expect(memo.read('b', () => slow.promise)).rejects.toThrow('failed');
  expect(await memo.read('b', async () => 4)).toBe(4);
});
