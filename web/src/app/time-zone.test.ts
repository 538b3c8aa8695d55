import { expect, test } from 'vitest';
import { startOfDay } from './time-zone.ts';

test.each([
  ['2026-11-17', 'UTC', '2026-11-17T00:00:00.000Z'],
  ['2026-11-17', 'Europe/Berlin', '2026-11-16T23:00:00.000Z'],
  ['2026-11-17', 'America/New_York', '2026-11-17T05:00:00.000Z'],
  ['2026-11-17', 'Asia/Kathmandu', '2026-11-16T18:15:00.000Z'],
  // The days on which clocks change, and the ones after.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2026-04-05', 'Pacific/Auckland', '2026-04-04T11:00:00.000Z'],
  // The clocks skip midnight on this day.
  ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
])('the day %s begins in %s at %s', (day, zone, moment) => {
  expect(startOfDay(day, 0, zone)?.toISOString()).toBe(moment);
});

test('a day later is the next midnight, also when the day has 23 hours; what is no day begins never', () => {
  expect(startOfDay('2026-03-29', 1, 'Europe/Berlin')?.toISOString()).toBe('2026-03-29T22:00:00.000Z');
  expect(startOfDay('2026-02-28', 1, 'UTC')?.toISOString()).toBe('2026-03-01T00:00:00.000Z');
  expect([startOfDay(undefined), startOfDay('yesterday')]).toEqual([undefined, undefined]);
});
