import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ledger, type LedgerEntry } from './ledger.ts';

const KEYS = ['a', 'b', 'c'];

/** A few transactions in a few slots, each naming some of three accounts. */
const histories = fc.array(fc.record({ keys: fc.subarray(KEYS, { minLength: 1 }), newSlot: fc.boolean() }), {
  maxLength: 30,
});

function fill(history: { keys: string[]; newSlot: boolean }[]): { ledger: Ledger; entries: LedgerEntry[] } {
  const ledger = new Ledger();
  let slot = 1;
  const entries = history.map(({ keys, newSlot }, sequence) => {
    if (newSlot) slot++;
    const place = { offset: sequence, length: 0 };
    return { sequence, signature: `s${sequence}`, slot, blockTime: slot, err: null, memo: null, keys, place };
  });
  for (const entry of entries) ledger.add(entry);
  return { ledger, entries };
}

test('a page is what looking at every transaction would find', () => {
  const nth = fc.option(fc.nat(29), { nil: undefined });
  fc.assert(
    fc.property(
      histories,
      nth,
      nth,
      fc.integer({ min: 1, max: 10 }),
      fc.nat(20),
      (history, b, u, limit, maxSlot) => {
        const { ledger, entries } = fill(history);
        const before = b === undefined ? undefined : entries[b];
        const until = u === undefined ? undefined : entries[u];
        for (const key of KEYS) {
          const expected = entries
            .filter((entry) => entry.keys.includes(key) && entry.slot <= maxSlot)
            .filter((entry) => !before || entry.sequence < before.sequence)
            .filter((entry) => !until || entry.sequence > until.sequence)
            .toReversed()
            .slice(0, limit);
          expect(ledger.page(key, { before, until, limit, maxSlot })).toEqual(expected);
        }
      },
    ),
  );
});

test('after a roll back the ledger is as if the later transactions never were', () => {
  fc.assert(
    fc.property(histories, fc.nat(20), (history, slot) => {
      const { ledger, entries } = fill(history);
      const kept = entries.filter((entry) => entry.slot <= slot);
      expect(ledger.rollBackTo(slot)).toEqual(entries.slice(kept.length));
      expect(ledger.size).toBe(kept.length);
      const all = { before: undefined, until: undefined, limit: 100, maxSlot: 100 };
      for (const key of KEYS)
        expect(ledger.page(key, all)).toEqual(kept.filter((entry) => entry.keys.includes(key)).toReversed());
      for (const entry of entries)
        expect(ledger.find(entry.signature)).toBe(entry.slot <= slot ? entry : undefined);
      expect(ledger.inSlot(slot + 1)).toEqual([]);
    }),
  );
});
