import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Outcome } from './delivery.ts';
import { decideRetry, MAX_ATTEMPTS, parseRetryAfter, retryDelayMs } from './retry.ts';

const NOW = new Date('2026-01-31T12:00:00.000Z');
const HOUR = 3_600_000;
const ID = '019b76da-a800-7000-8000-000000000001';

const outcome = (given: Partial<Outcome> = {}): Outcome => ({
  startedAt: new Date(NOW.getTime() - 2_000),
  durationMs: 2_000,
  httpStatus: 500,
  error: 'HTTP 500',
  responseBody: '',
  retryAfterMs: null,
  ...given,
});

const planned = [0, 10, 60, 300, 900, 3_600, 7_200, 14_400, 28_800, 57_600, 72_000, 72_000];

test('twelve attempts over about three days, each within a tenth of its time', () => {
  expect(MAX_ATTEMPTS).toBe(12);
  for (const [i, seconds] of planned.entries()) {
    for (let n = 0; n < 200; n++) {
      const ms = retryDelayMs(randomUUID(), i + 1, null);
      expect(ms).toBeGreaterThanOrEqual(seconds * 900 - 1);
      expect(ms).toBeLessThanOrEqual(seconds * 1_100 + 1);
    }
  }
  expect(planned.reduce((sum, seconds) => sum + seconds, 0) / 86_400).toBeCloseTo(2.97, 1);
});

test('the guide and the database know as many attempts, and the guide the same delays', () => {
  const root = join(import.meta.dirname, '../..');
  const guide = readFileSync(join(root, 'docs/webhooks.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const delays = planned.slice(1).map((seconds) => {
    if (seconds < 60) return `${seconds} s`;
    return seconds < 3_600 ? `${seconds / 60} m` : `${seconds / 3_600} h`;
  });
  expect(guide).toContain(`${MAX_ATTEMPTS} attempts over about three days: after ${delays.join(', ')}.`);
  const schema = readFileSync(join(root, 'migrations/schema.sql'), 'utf8');
  const limit = /webhook_deliveries_attempt_count_check CHECK \(.* attempt_count <= (\d+)\)/.exec(schema);
  expect(Number(limit?.[1])).toBe(MAX_ATTEMPTS);
});

test('one delivery always waits the same; many spread over the whole tenth', () => {
  expect(retryDelayMs(ID, 6, null)).toBe(retryDelayMs(ID, 6, null));
  const delays = Array.from({ length: 500 }, () => retryDelayMs(randomUUID(), 6, null));
  expect(Math.min(...delays)).toBeLessThan(0.92 * HOUR);
  expect(Math.max(...delays)).toBeGreaterThan(1.08 * HOUR);
});

test('Retry-After may ask for more, up to an hour, and never for less', () => {
  expect(retryDelayMs(ID, 2, 120_000)).toBe(120_000);
  expect(retryDelayMs(ID, 2, 5 * HOUR)).toBe(HOUR);
  expect(retryDelayMs(ID, 2, parseRetryAfter('9'.repeat(400), NOW))).toBe(HOUR);
  expect(retryDelayMs(ID, 2, 1)).toBe(retryDelayMs(ID, 2, null));
  expect(retryDelayMs(ID, 8, HOUR)).toBe(retryDelayMs(ID, 8, null));
});

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Sat, 31 Jan 2026 12:01:30 GMT', 90_000],
  ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['2026-01-31', null],
  ['99999999999999999999', 1e23],
  ['Sat, 99 Jan 2026 12:00:00 GMT', null],
  ['', null],
  [undefined, null],
])('Retry-After: %s', (value, ms) => {
  expect(parseRetryAfter(value, NOW)).toBe(ms);
});

test('2xx ends it well, 410 at once, anything else is tried again until the last attempt', () => {
  const good = decideRetry(ID, 3, outcome({ httpStatus: 204, error: null }), NOW);
  expect(good).toEqual({ status: 'succeeded', error: null, nextAttemptAt: null, holdsOrderUntil: null });
  const gone = decideRetry(ID, 1, outcome({ httpStatus: 410, error: 'HTTP 410' }), NOW);
  expect(gone).toMatchObject({ status: 'failed', nextAttemptAt: null });
  expect(gone.error).toContain('410');
  for (const httpStatus of [null, 300, 301, 304, 400, 401, 403, 404, 429, 500, 503]) {
    const again = decideRetry(ID, 11, outcome({ httpStatus, error: 'no' }), NOW);
    expect(again.status).toBe('retrying');
    expect(again.nextAttemptAt).toEqual(new Date(NOW.getTime() + retryDelayMs(ID, 12, null)));
  }
  expect(decideRetry(ID, 12, outcome(), NOW)).toMatchObject({
    status: 'failed',
    error: 'HTTP 500 (the last of 12 attempts)',
    nextAttemptAt: null,
  });
});

test('only a first failure holds the ordering key, for 60 s from its start', () => {
  expect(decideRetry(ID, 1, outcome(), NOW).holdsOrderUntil).toEqual(new Date(NOW.getTime() + 58_000));
  expect(decideRetry(ID, 2, outcome(), NOW).holdsOrderUntil).toBeNull();
});
