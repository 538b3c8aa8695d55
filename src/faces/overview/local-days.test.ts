import { expect, test } from 'vitest';
import { addDays, addMonths, dateAt, startOfDate } from './local-days.ts';
import { periodOf } from './period.ts';
import { piecesOf } from './pieces.ts';
import { spansOf } from './spans.ts';

test.each([
  ['2026-11-17', 'UTC', '2026-11-17T00:00:00.000Z'],
  ['2026-11-17', 'Asia/Kathmandu', '2026-11-16T18:15:00.000Z'],
  ['2026-11-17', 'Pacific/Kiritimati', '2026-11-16T10:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  // Clocks skip midnight.
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  // Midnight comes twice.
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ['2026-10-04', 'Australia/Lord_Howe', '2026-10-03T13:30:00.000Z'],
])('%s begins in %s at %s', (date, zone, at) => {
  expect(startOfDate(date, zone).toISOString()).toBe(at);
  expect(dateAt(new Date(at), zone)).toBe(date);
  expect(dateAt(new Date(Date.parse(at) - 1), zone) < date).toBe(true);
});

test.each(['Africa/Casablanca', 'Africa/Cairo', 'America/Santiago', 'Asia/Kathmandu', 'Australia/Lord_Howe'])(
  'all days of a year in %s begin where each does alone, at a quarter of an hour',
  (zone) => {
    const { starts } = periodOf({ from: '2026-01-01', to: '2026-12-31' }, zone, new Date('2027-02-01Z'));
    expect(starts).toEqual(starts.map((_, i) => startOfDate(addDays('2026-01-01', i), zone)));
    expect(starts.every((at) => at.getTime() % 900_000 === 0)).toBe(true);
  },
);

test('the same day of another month, or its last', () => {
  expect(['2026-03-31', '2024-03-30', '2026-01-15'].map((date) => addMonths(date, -1))).toEqual([
    '2026-02-28',
    '2024-02-29',
    '2025-12-15',
  ]);
});

test('spans make up exactly the time they are for', () => {
  const start = Date.UTC(2026, 0, 1);
  for (let n = 0; n < 300; n++) {
    const from = new Date(start + Math.floor(Math.random() * 9_000) * 900_000);
    const to = new Date(from.getTime() + (1 + Math.floor(Math.random() * 20_000)) * 900_000);
    const spans = spansOf(from, to);
    expect([spans[0]!.from, spans.at(-1)!.to]).toEqual([from, to]);
    for (const [i, span] of spans.entries()) {
      if (i > 0) expect(span.from).toEqual(spans[i - 1]!.to);
      const whole = { quarter: 'T', hour: 'never', day: 'T00:00:00.000Z', month: '-01T00:00:00.000Z' }[
        span.span
      ];
      expect([span.from.toISOString().includes(whole), span.to.toISOString().includes(whole)]).toEqual([
        true,
        true,
      ]);
    }
  }
});

test('pieces count every quarter of an hour once, in its bucket', () => {
  const day = Date.UTC(2026, 2, 1);
  for (let n = 0; n < 200; n++) {
    const most = n % 2 === 0 ? 40 : 900;
    const count = 2 + Math.floor(Math.random() * 12);
    const quarters = Array.from({ length: count }, () => Math.floor(Math.random() * most));
    const bounds = [...new Set([0, ...quarters])]
      .sort((a, b) => a - b)
      .map((at) => new Date(day + at * 900_000));
    if (bounds.length < 2) continue;
    const counted = new Map<string, number>();
    for (const { from, to, bucket, minus } of piecesOf(bounds))
      for (let ms = from.getTime(); ms < to.getTime(); ms += 900_000)
        for (const [place, sign] of [
          [bucket, 1],
          [minus, -1],
        ] as const)
          if (place !== null) counted.set(`${place} ${ms}`, (counted.get(`${place} ${ms}`) ?? 0) + sign);
    const expected = bounds.slice(0, -1).flatMap((from, i) => {
      const places: string[] = [];
      for (let ms = from.getTime(); ms < bounds[i + 1]!.getTime(); ms += 900_000) places.push(`${i} ${ms}`);
      return places;
    });
    expect([...counted].filter(([, times]) => times !== 0).sort()).toEqual(
      expected.map((place) => [place, 1]).sort(),
    );
  }
});
