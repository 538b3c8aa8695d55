import { expect, test } from 'vitest';
import { elapsedMs } from '../lib/clock.ts';
import { flushToPeers, hearPeer, notePeerJoined, notePeerLeft, openPeers, type Said } from '../lib/peers.ts';
import { HeldCounts } from './held-counts.ts';
import { Newcomers } from './newcomers.ts';
import { TokenBuckets } from './token-buckets.ts';

const told: Said[] = [];
openPeers((said) => told.push(...said));

/** Returns what this process has told the others since the last time. */
function toldNow(): Said[] {
  flushToPeers();
  return told.splice(0);
}

/** Few enough a second that none comes back while a test runs. */
const RULE = { perSecond: 1 / 3_600, burst: 5 };

test('what another process has given away is gone here, and what it took too much is made up for', () => {
  const buckets = new TokenBuckets(RULE, 'keys');
  const take = (name = 'a') => buckets.take(name, elapsedMs());
  expect(take()).toMatchObject({ allowed: true, remaining: 4 });
  expect(toldNow()).toEqual([['buckets keys', ['a', 1]]]);
  hearPeer('2', [
    ['buckets keys', ['a', 1]],
    ['buckets keys', ['a', 1]],
    ['buckets other', ['a', 1]],
  ]);
  expect(take()).toMatchObject({ allowed: true, remaining: 1 });
  // Both gave away the last one at the same moment.
  hearPeer('2', [['buckets keys', ['a', 3]]]);
  expect(take()).toMatchObject({ allowed: false, remaining: 0 });
  expect(take().retryAfterSeconds).toBeGreaterThan(2 * 3_600);
  expect(take('b').allowed).toBe(true);
  toldNow();
  expect(take().allowed).toBe(false);
  // A refusal takes nothing.
  expect(toldNow()).toEqual([]);
  buckets.give('b', elapsedMs());
  expect(toldNow()).toEqual([['buckets keys', ['b', -1]]]);
});

test('what is held open counts together; a process that joins hears of it, and one that ends holds nothing', () => {
  const held = new HeldCounts('streams');
  held.add('a', 1);
  held.add('a', 1);
  expect(toldNow()).toEqual([
    ['streams', ['a', 1]],
    ['streams', ['a', 2]],
  ]);
  hearPeer('2', [['streams', ['a', 3]]]);
  hearPeer('3', [['streams', ['a', 1]]]);
  expect([held.of('a'), held.of('b')]).toEqual([6, 0]);
  notePeerJoined();
  expect(toldNow()).toEqual([['streams', ['a', 2]]]);
  notePeerLeft('2');
  expect(held.of('a')).toBe(3);
  held.add('a', -2);
  expect([held.of('a'), toldNow().at(-1)]).toEqual([1, ['streams', ['a', 0]]]);
  notePeerJoined();
  expect(toldNow()).toEqual([]);
});

test('somebody who has just asked another process is no newcomer', () => {
  const newcomers = new Newcomers('wallets');
  hearPeer('2', Array(3).fill(['newcomers wallets', '192.0.2.1']));
  expect(newcomers.isNew('192.0.2.1', elapsedMs())).toBe(false);
  expect(newcomers.isNew('198.51.100.1', elapsedMs())).toBe(true);
  toldNow();
});
