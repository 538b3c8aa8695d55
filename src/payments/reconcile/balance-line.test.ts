import { describe, expect, test } from 'vitest';
import { type Entry, followLine, type Slot, suspectsAt } from './balance-line.ts';

const step = (before: bigint, after: bigint, isAsked = false): Entry => ({
  step: { before, after },
  isAsked,
  isUnread: false,
});
const silent: Entry = { step: null, isAsked: false, isUnread: false };
const unknown: Entry = { step: undefined, isAsked: true, isUnread: true };

/** Slots from these transactions, newest first. */
const slotsOf = (...slots: Entry[][]): Slot[] => slots.map((entries, i) => ({ slot: 100 - i, entries }));
const breaksOf = (slots: readonly Slot[], top: bigint | undefined) =>
  followLine(slots, top).breaks.map(({ at }) => at);

describe('a line', () => {
  test('joins from what is held now down to the oldest one', () => {
    const slots = slotsOf([step(5n, 9n)], [step(12n, 5n)], [step(0n, 12n)]);
    expect(followLine(slots, 9n)).toEqual({ breaks: [], above: [9n, 5n, 12n] });
    expect(breaksOf(slots, undefined)).toEqual([]);
  });

  test('breaks above the newest slot, and at both sides of a wrong one', () => {
    expect(breaksOf(slotsOf([step(5n, 9n)]), 8n)).toEqual([0]);
    const slots = slotsOf([step(5n, 9n)], [step(2n, 6n)], [step(0n, 1n)]);
    expect(followLine(slots, 9n).breaks).toEqual([
      { at: 1, below: 6n, above: 5n },
      { at: 2, below: 1n, above: 2n },
    ]);
  });

  test('does not ask for an order within a slot', () => {
    const steps = [step(9n, 4n), step(1n, 9n), step(4n, 1n), step(1n, 7n)];
    for (const order of [steps, steps.toReversed(), [steps[2]!, steps[0]!, steps[3]!, steps[1]!]])
      expect(breaksOf(slotsOf([step(7n, 8n)], order, [step(0n, 1n)]), 8n)).toEqual([]);
    expect(breaksOf(slotsOf([step(7n, 8n)], [...steps, step(5n, 6n)]), 8n)).toEqual([1]);
  });

  test('passes a slot that ends where it began only if it was there', () => {
    const around = [step(4n, 9n), step(9n, 4n)];
    expect(breaksOf(slotsOf(around, [step(0n, 4n)]), 4n)).toEqual([]);
    expect(breaksOf(slotsOf(around, [step(0n, 4n)]), 3n)).toEqual([0, 1]);
  });

  test('goes through what left the balance alone, and not through what is not known', () => {
    expect(breaksOf(slotsOf([step(5n, 9n)], [silent], [step(0n, 5n)]), 9n)).toEqual([]);
    expect(breaksOf(slotsOf([step(5n, 9n)], [unknown], [step(0n, 5n)]), 9n)).toEqual([1, 2]);
  });
});

test('suspects are what meets at a break, also across silent slots, then ever more around it', () => {
  const [newest, next, quiet, wrong, oldest] = [
    step(9n, 10n),
    step(5n, 9n),
    { ...silent },
    step(3n, 4n),
    step(0n, 3n),
  ];
  const slots = slotsOf([newest], [next], [quiet], [wrong], [oldest]);
  const { breaks } = followLine(slots, 10n);
  expect(suspectsAt(slots, breaks, 1)).toEqual([next, quiet, wrong]);
  expect(suspectsAt(slots, breaks, 2)).toEqual([newest, next, quiet, wrong, oldest]);
  for (const entry of [next, quiet, wrong]) entry.isAsked = true;
  expect(suspectsAt(slots, breaks, 2)).toEqual([]);
});
