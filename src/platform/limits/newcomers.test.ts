import { expect, test } from 'vitest';
import { Newcomers } from './newcomers.ts';

test('the first calls of a client are new, and again only after a minute of silence', () => {
  const newcomers = new Newcomers('test');
  const at = (seconds: number) => newcomers.isNew('192.0.2.1', seconds * 1_000);
  expect([0, 1, 2, 3, 4].map(at)).toEqual([true, true, true, false, false]);
  // Slower than once in half a minute, for as long as it likes.
  for (let seconds = 40; seconds < 4_000; seconds += 40) expect(at(seconds)).toBe(false);
  expect(at(4_100)).toBe(true);
});

test.each([
  ['IPv6 /48', (client: number) => `2001:db8:1:${client.toString(16)}::1`],
  ['IPv4 /24', (client: number) => `192.0.2.${client}`],
])('the many networks of one %s are not all new', (_name, addressOf) => {
  const newcomers = new Newcomers('test');
  const ofOne = Array.from({ length: 250 }, (_, client) => newcomers.isNew(addressOf(client), 0));
  expect(ofOne.filter(Boolean)).toHaveLength(30);
  expect(newcomers.isNew('198.51.100.1', 0)).toBe(true);
});
