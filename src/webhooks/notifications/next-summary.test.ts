import { expect, test } from 'vitest';
import { isTimeZone } from '../../platform/lib/time-zone.ts';
import { nextSummaryAt } from './next-summary.ts';

test.each([
  ['2026-11-16T07:59:59.999Z', 8, 'UTC', '2026-11-16T08:00:00.000Z'],
  ['2026-11-16T08:00:00.000Z', 8, 'UTC', '2026-11-17T08:00:00.000Z'],
  ['2026-12-31T23:30:00.000Z', 0, 'UTC', '2027-01-01T00:00:00.000Z'],
  ['2026-11-16T08:00:00.000Z', 8, 'America/New_York', '2026-11-16T13:00:00.000Z'],
  ['2026-11-16T08:00:00.000Z', 9, 'Asia/Kathmandu', '2026-11-17T03:15:00.000Z'],
  ['2026-11-16T12:00:00.000Z', 0, 'Pacific/Kiritimati', '2026-11-17T10:00:00.000Z'],
  // Clocks are put forward at two: that hour does not exist, and the day has its summary anyway.
  ['2026-03-29T00:30:00.000Z', 2, 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-03-29T01:00:00.000Z', 2, 'Europe/Berlin', '2026-03-30T00:00:00.000Z'],
  // Clocks are put back at three: two o'clock comes twice.
  ['2026-10-24T22:30:00.000Z', 2, 'Europe/Berlin', '2026-10-25T00:00:00.000Z'],
  ['2026-10-25T00:00:00.000Z', 2, 'Europe/Berlin', '2026-10-26T01:00:00.000Z'],
])('after %s, at %i in %s: %s', (after, hour, zone, next) => {
  expect(nextSummaryAt(new Date(after), hour, zone).toISOString()).toBe(next);
});

test('names of time zones', () => {
  const names = ['UTC', 'Europe/Berlin', 'Mars/Olympus', '', '../etc', '+05:37'];
  expect(names.filter(isTimeZone)).toEqual(['UTC', 'Europe/Berlin']);
});
