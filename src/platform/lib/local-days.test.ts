import { expect, test } from 'vitest';
import {
  addCalendarDays,
  addMonths,
  dateAt,
  firstMoment,
  momentAfter,
  startOfDate,
  startsOfDates,
} from './local-days.ts';

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
    const starts = startsOfDates('2026-01-01', 366, zone);
    expect(starts).toEqual(starts.map((_, i) => startOfDate(addCalendarDays('2026-01-01', i), zone)));
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

test('a period asked for by days ends with the last one; moments stay as they are', () => {
  expect(firstMoment('2026-03-29', 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z');
  expect(momentAfter('2026-03-29', 'Europe/Berlin').toISOString()).toBe('2026-03-29T22:00:00.000Z');
  const moment = new Date('2026-03-29T12:00:00Z');
  expect([firstMoment(moment, 'Europe/Berlin'), momentAfter(moment, 'Europe/Berlin')]).toEqual([
    moment,
    moment,
  ]);
});
