import { expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

test('a burst passes, then the rate holds, and every name has its own bucket', () => {
  const buckets = new TokenBuckets({ perSecond: 10, burst: 3 }, 'test');
  const taken = [0, 0, 0, 0, 100, 100, 50].map((ms) => buckets.take('a', ms).allowed);
  expect(taken).toEqual([true, true, true, false, true, false, false]);
  expect(buckets.take('b', 0).allowed).toBe(true);
  expect(buckets.take('a', 10_000)).toMatchObject({ allowed: true, remaining: 2 });
});

test('a refusal says when to come back', () => {
  const buckets = new TokenBuckets({ perSecond: 20 / 60, burst: 1 }, 'test');
  buckets.take('a', 0);
  const refused = { allowed: false, limit: 1, remaining: 0, retryAfterSeconds: 3, resetSeconds: 3 };
  expect(buckets.take('a', 0)).toEqual(refused);
  expect(buckets.take('a', 2_999).allowed).toBe(false);
  expect(buckets.take('a', 3_001).allowed).toBe(true);
});

test('an accepted call says when the bucket is full again', () => {
  const buckets = new TokenBuckets({ perSecond: 2, burst: 10 }, 'test');
  const resets = [0, 0, 0, 0, 500, 5_000].map((ms) => buckets.take('a', ms).resetSeconds);
  expect(resets).toEqual([1, 1, 2, 2, 2, 1]);
});
