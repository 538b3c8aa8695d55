import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Canonical, canonicalJson, encodeCanonical } from './canonical-json.ts';
import { challengeHeader, expiryOf, isExpired, isOurs, newChallenge, requestOf } from './challenge.ts';
import type { Challenge, ChargeRequest } from './protocol.ts';

const newKey = () => createSecretKey(randomBytes(32));
const [current, old] = [newKey(), newKey()];
const keys = () => [current, old];
const NOW = new Date('2026-11-16T12:00:00Z');
const HERE = { route: 'link:abc', labels: { clientReferenceId: 'a', customerEmail: null } };
const request: ChargeRequest = {
  amount: '2500000',
  currency: 'mint',
  description: 'Payment for a "report", Größe 5 🦖',
  externalId: 'florin:reference/mpp',
  recipient: 'seller',
  methodDetails: { network: 'localnet', decimals: 6, tokenProgram: 'program' },
};
const encoded = encodeCanonical(request as unknown as Canonical);
const made = newChallenge(keys, HERE, {
  realm: 'shop.test',
  request: encoded,
  order: 'order',
  expires: expiryOf(NOW),
});

test('canonical JSON has its keys in order and leaves out what is not there', () => {
  expect(canonicalJson({ b: 1, a: { d: true, c: 'ö"' }, e: undefined })).toBe(
    '{"a":{"c":"ö\\"","d":true},"b":1}',
  );
});

test('a challenge carries its request, expires after five minutes and fits into a header', () => {
  expect(requestOf(made)).toEqual(request);
  expect(made.expires).toBe('2026-11-16T12:05:00.000Z');
  expect([isExpired(made, NOW), isExpired(made, new Date(made.expires))]).toEqual([false, true]);
  const header = challengeHeader(made);
  expect(header).toMatch(
    /^Payment id="[\w-]{43}", realm="shop\.test", method="solana", intent="charge", request="[\w-]+"/,
  );
  // Clients look for the next challenge by this word.
  expect(header.match(/Payment\s/g)).toHaveLength(1);
});

test('its id holds for every word of it, at one place, under any key that is still known', () => {
  expect(isOurs(keys, HERE, made)).toBe(true);
  expect(isOurs(() => [newKey(), current], HERE, made)).toBe(true);
  expect(isOurs(() => [old], HERE, made)).toBe(false);
  const changes: Partial<Challenge>[] = [
    { id: `${made.id}A` },
    { id: '' },
    { realm: 'other.test' },
    { method: 'tempo' },
    { intent: 'session' },
    { request: Buffer.from(JSON.stringify({ ...request, amount: '1' })).toString('base64url') },
    { expires: '2027-01-01T00:00:00.000Z' },
    { opaque: { order: 'another' } },
  ];
  for (const change of changes) expect(isOurs(keys, HERE, { ...made, ...change })).toBe(false);
  const { opaque: _, ...rest } = made;
  expect(isOurs(keys, HERE, rest)).toBe(false);
  for (const place of [
    { ...HERE, route: 'link:abd' },
    { ...HERE, labels: { ...HERE.labels, clientReferenceId: null } },
    { ...HERE, labels: { ...HERE.labels, customerEmail: 'ada@example.com' } },
  ])
    expect(isOurs(keys, place, made)).toBe(false);
});
