import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Archive } from './archive.ts';
import type { RecentEntry } from './entry.ts';
import { Ledger } from './ledger.ts';

const KEYS = ['a', 'b', 'c'];

/** A few transactions in a few slots, each naming some of three accounts. */
const histories = fc.array(fc.record({ keys: fc.subarray(KEYS, { minLength: 1 }), newSlot: fc.boolean() }), {
  maxLength: 30,
});

function fill(
  history: { keys: string[]; newSlot: boolean }[],
  archive?: Archive,
): { ledger: Ledger; entries: RecentEntry[] } {
  const ledger = new Ledger(archive);
  let slot = 1;
  const entries = history.map(({ keys, newSlot }, sequence) => {
    if (newSlot) slot++;
    const place = { offset: sequence, length: 0 };
    return { sequence, signature: `s${sequence}`, slot, blockTime: slot, err: null, memo: null, keys, place };
  });
  for (const entry of entries) ledger.add(entry);
  return { ledger, entries };
}

/** Moves what is older than `slot` to the archive, as a chain that runs for long does. */
function archiveBefore(slot: number, ledger: Ledger, archive: Archive): void {
  const entries = ledger.recentBefore(slot);
  const at = { end: slot, lastBytes: 0, lastChecksum: '', reservedUpTo: 0, unixTime: 0 };
  archive.add({ entries, accounts: [], checkpoint: { ...at, count: ledger.archivedCount + entries.length } });
  ledger.forget(entries);
}

const withoutKeys = ({ keys: _, ...entry }: RecentEntry) => entry;

test('a page is what looking at every transaction would find, whatever of it is in the archive', () => {
  const nth = fc.option(fc.nat(29), { nil: undefined });
  fc.assert(
    fc.property(
      histories,
      nth,
      nth,
      fc.integer({ min: 1, max: 10 }),
      fc.nat(20),
      fc.array(fc.nat(20), { maxLength: 2 }),
      (history, b, u, limit, maxSlot, archived) => {
        const archive = new Archive(':memory:');
        const { ledger, entries } = fill(history, archive);
        for (const slot of archived) archiveBefore(slot, ledger, archive);
        expect(ledger.size).toBe(entries.length);
        for (const entry of entries) expect(ledger.find(entry.signature)).toMatchObject(withoutKeys(entry));
        const before = b === undefined ? undefined : entries[b];
        const until = u === undefined ? undefined : entries[u];
        for (const key of KEYS) {
          const expected = entries
            .filter((entry) => entry.keys.includes(key) && entry.slot <= maxSlot)
            .filter((entry) => !before || entry.sequence < before.sequence)
            .filter((entry) => !until || entry.sequence > until.sequence)
            .toReversed()
            .slice(0, limit);
          const page = ledger.page(key, { before, until, limit, maxSlot });
          expect(page.map((entry) => entry.signature)).toEqual(expected.map((entry) => entry.signature));
        }
        archive.close();
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
