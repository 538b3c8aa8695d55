import { beforeEach, expect, test } from 'vitest';
import { NodeHealth } from './node-health.ts';

let ms: number;
let told: string[];
const open = (isStrict = false) =>
  new NodeHealth({
    nodeCount: 2,
    isStrict,
    nowMs: () => ms,
    onChange: (node, state) => told.push(`${node} ${state}`),
  });

beforeEach(() => {
  ms = 0;
  told = [];
});

test('a node without an answer for two minutes stops counting, and counts again with the first answer', () => {
  const health = open();
  for (ms = 0; ms < 120_000; ms += 5_000) {
    health.noteCall(1, false);
    expect(health.counts(1)).toBe(true);
  }
  health.noteCall(1, false);
  health.noteCall(1, false);
  expect([health.counts(0), health.counts(1)]).toEqual([true, false]);
  health.noteCall(1, true);
  expect(health.counts(1)).toBe(true);
  expect(told).toEqual(['1 failing', '1 silent', '1 well']);
});

test('one answer in between restarts the timer, and time without a call is no silence', () => {
  const health = open();
  health.noteCall(0, false);
  ms = 119_000;
  health.noteCall(0, true);
  health.noteCall(0, false);
  ms = 238_000;
  expect(health.state(0)).toBe('well');
  health.noteCall(0, false);
  expect(health.state(0)).toBe('failing');
  ms = 10_000_000;
  expect(health.counts(0)).toBe(true);
});

test('a node whose final slot stands still for two minutes stops counting until it moves', () => {
  const health = open();
  health.noteFinalSlot(0, 7);
  ms = 120_000;
  health.noteFinalSlot(0, 7);
  expect(health.state(0)).toBe('stuck');
  health.noteFinalSlot(0, 8);
  expect(health.counts(0)).toBe(true);
});

test('one absurd slot costs a node its vote for no longer than it is repeated', () => {
  const health = open();
  health.noteFinalSlot(1, 1_000);
  for (ms = 5_000; ms <= 200_000; ms += 5_000) health.noteFinalSlot(1, Number.MAX_SAFE_INTEGER);
  expect(health.state(1)).toBe('stuck');
  // Back on the chain: the first honest slot is where it is measured from, the second shows that it moves.
  health.noteFinalSlot(1, 1_500);
  expect(health.counts(1)).toBe(false);
  for (let slot = 1_510; slot < 3_000; slot += 10, ms += 5_000) {
    health.noteFinalSlot(1, slot);
    expect(health.state(1)).toBe('well');
  }
  // A node that falls back and then stays there does not follow the network either.
  health.noteFinalSlot(1, 7);
  ms += 120_000;
  health.noteFinalSlot(1, 7);
  expect(health.state(1)).toBe('stuck');
  expect(told).toEqual(['1 stuck', '1 well', '1 stuck']);
});

test('strict: a silent node counts all the same', () => {
  const health = open(true);
  health.noteCall(0, false);
  ms = 500_000;
  health.noteCall(0, false);
  expect(health.state(0)).toBe('silent');
  expect(health.counts(0)).toBe(true);
});
