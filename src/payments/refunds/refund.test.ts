import { expect, test } from 'vitest';
import { nextCheckAt, type Refund } from './refund.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const DAY = 86_400;

/** Only what the next look depends on. */
const refund = (fields: Partial<Refund>) =>
  ({
    status: 'ready',
    address: 'a',
    addressApprovedAt: ago(0),
    preparedAt: null,
    succeededAt: null,
    canceledAt: null,
    expiresAt: ago(-DAY),
    ...fields,
  }) as Refund;

test.each<[string, Partial<Refund>, number | null]>([
  ['no address', { status: 'awaiting_address', address: null, addressApprovedAt: null }, null],
  ['an address that nobody has approved', { status: 'awaiting_address', addressApprovedAt: null }, null],
  ['ready just now', {}, 2],
  ['ready for an hour', { addressApprovedAt: ago(3600) }, 360],
  ['ready for an hour and prepared just now', { addressApprovedAt: ago(3600), preparedAt: ago(1) }, 2],
  ['ready for a month', { addressApprovedAt: ago(30 * DAY) }, 6 * 3600],
  ['processing', { status: 'processing', addressApprovedAt: ago(3600) }, 1],
  ['succeeded just now', { status: 'succeeded', succeededAt: ago(0) }, 120],
  [
    'succeeded an hour ago',
    { status: 'succeeded', addressApprovedAt: ago(DAY), succeededAt: ago(3600) },
    3600,
  ],
  [
    'canceled a week ago',
    { status: 'canceled', addressApprovedAt: ago(9 * DAY), canceledAt: ago(7 * DAY) },
    DAY,
  ],
  [
    'expired 91 days ago',
    { status: 'expired', addressApprovedAt: ago(181 * DAY), expiresAt: ago(91 * DAY) },
    null,
  ],
])('%s', (_, fields, seconds) => {
  const next = nextCheckAt(refund(fields), NOW);
  expect(next && (next.getTime() - NOW.getTime()) / 1000).toBe(seconds);
});
