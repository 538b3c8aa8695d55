import { expect, test } from 'vitest';
import { firstIdAt, isUuid, newId, randomBase62, toBase62 } from './ids.ts';

test('ids are UUID v7, carry their time, and sort by creation even within one millisecond', () => {
  const at = new Date('2026-01-31T12:00:00.123Z');
  const ids = Array.from({ length: 3_000 }, () => newId(at));
  expect(ids.every((id) => isUuid(id) && id[14] === '7' && '89ab'.includes(id[19]!))).toBe(true);
  expect(ids.every((id) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) === at.getTime())).toBe(
    true,
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

test('firstIdAt is the lower bound of its millisecond', () => {
  const at = new Date('2026-01-31T12:00:00.123Z');
  const before = newId(new Date(at.getTime() - 1));
  expect(before < firstIdAt(at)).toBe(true);
  expect(newId(at) >= firstIdAt(at)).toBe(true);
});

test('base62 text has the asked length and every character appears about equally often', () => {
  const text = randomBase62(62_000);
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  expect(counts.size).toBe(62);
  expect(Math.min(...counts.values())).toBeGreaterThan(700);
  expect(toBase62(0, 6)).toBe('000000');
  expect(toBase62(2 ** 32 - 1, 6)).toBe('4gfFC3');
});
