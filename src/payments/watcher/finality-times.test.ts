import { beforeEach, expect, test } from 'vitest';
import { FinalityTimes } from './finality-times.ts';

let nowMs: number;
let times: FinalityTimes;
let payments = 0;

beforeEach(() => {
  nowMs = 0;
  times = new FinalityTimes(() => nowMs);
});

/** A payment that was not final so long before it was. */
function becomesFinal(sinceSeenMs: number, askedBeforeMs = 400): void {
  const payment = `payment ${payments++}`;
  times.note(payment, { sinceSeenMs: sinceSeenMs - askedBeforeMs, isFinal: false });
  nowMs += askedBeforeMs;
  times.note(payment, { sinceSeenMs, isFinal: true });
}

const isFinalAtOnce = (sinceSeenMs: number) =>
  times.note(`payment ${payments++}`, { sinceSeenMs, isFinal: true });

test('asking begins shortly before the shortest of the last times is over, once three are known', () => {
  becomesFinal(10_000);
  becomesFinal(8_000);
  expect(times.waitMs()).toBe(0);
  becomesFinal(9_000);
  expect(times.waitMs()).toBe(7_200);
});

test('a faster network is learned at once, a slower one when eight were slower, and no wait is long', () => {
  for (let i = 0; i < 5; i++) becomesFinal(10_000);
  isFinalAtOnce(9_000);
  expect(times.waitMs()).toBe(8_100);
  becomesFinal(1_000);
  expect(times.waitMs()).toBe(900);
  for (let i = 0; i < 8; i++) becomesFinal(600_000);
  expect(times.waitMs()).toBe(11_000);
});

test('payments that are asked about late, as after a pause, are no measure', () => {
  for (let i = 0; i < 8; i++) isFinalAtOnce(10_000);
  for (let i = 0; i < 8; i++) becomesFinal(10_000, 5_000);
  expect(times.waitMs()).toBe(0);
  for (let i = 0; i < 3; i++) becomesFinal(1_000);
  for (let i = 0; i < 8; i++) isFinalAtOnce(10_000);
  expect(times.waitMs()).toBe(900);
});
