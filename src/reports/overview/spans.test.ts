import { expect, test } from 'vitest';
import { piecesOf } from './pieces.ts';
import { spansOf } from './spans.ts';

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
