import type { Revenue } from '@florin/sdk';
import { expect, test } from 'vitest';
import { barsOf, ticksOf } from './chart-bars.ts';
import { changeText, percentText } from './revenue-text.ts';

const revenueOf = (from: string, to: string, count: number) =>
  ({
    from,
    to,
    points: Array.from({ length: count }, () => ({
      ...{ startsAt: '', endsAt: '', grossCents: 3, refundedCents: 1, netCents: 2, paymentsCount: 1 },
      previousNetCents: 9_223_372_036_854_775_807n,
    })),
  }) as unknown as Revenue;

test('days are bars; a year of days is months, to the last cent', () => {
  expect(
    barsOf(revenueOf('2026-02-27', '2026-03-05', 7))
      .map(({ from }) => from)
      .slice(0, 3),
  ).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  const months = barsOf(revenueOf('2025-11-18', '2026-11-17', 365));
  expect(months.length).toBe(13);
  expect(months[0]).toMatchObject({ from: '2025-11-18', to: '2025-11-30', netCents: 26n, paymentsCount: 13 });
  expect(months[0]!.previousNetCents).toBe(9_223_372_036_854_775_807n * 13n);
});

test.each([
  [0, 0, [0, 0.5]],
  [0, 9.5, [0, 5, 10]],
  [-3, 20, [-10, 0, 10, 20]],
  [0, 92_233_720_368_547_760, [0, 5e16, 1e17]],
])('from %d to %d: %j', (least, most, ticks) => {
  expect(ticksOf(least, most)).toEqual(ticks);
});

test('changes in words', () => {
  expect([changeText(150, 100), changeText(50, 100), changeText(100, 100), changeText(5, 0)]).toEqual([
    { text: '▲ 50%', tone: 'up' },
    { text: '▼ 50%', tone: 'down' },
    { text: 'No change', tone: 'same' },
    undefined,
  ]);
  expect([percentText(1, 3), percentText(1, 40), percentText(0, 0)]).toEqual(['33%', '2.5%', '–']);
});
