import { expect, test } from 'vitest';
import { DEFAULT_CELL, setCell } from '../lib/token.ts';
import { mintKey, parseKey } from './key.ts';

test('a minted key is recognised, and hashes to what is stored', () => {
  const { raw, hash, prefix } = mintKey('devnet');
  expect(raw).toMatch(/^fl_dev_[0-9A-Za-z]{40}$/);
  expect(raw.startsWith(prefix)).toBe(true);
  expect(parseKey(raw, 'devnet')).toBe(hash);
  expect(mintKey('mainnet').raw).toMatch(/^fl_live_[0-9A-Za-z]{40}$/);
});

test('a key names the cell that made it, any cell’s is valid, and one that names none is not', () => {
  setCell('Z9');
  const { raw, prefix, hash: stored } = mintKey('mainnet');
  setCell(DEFAULT_CELL);
  expect(raw).toMatch(/^fl_live_Z9/);
  expect(prefix).toHaveLength('fl_live_Z9'.length + 4);
  expect(parseKey(raw, 'mainnet')).toBe(stored);
  // With a checksum that is right.
  expect(parseKey('fl_dev_0123456789abcdefghijklmnopqrstuv4ALC05', 'devnet')).toBeUndefined();
});

test('any single mistyped character fails the checksum, before the database is asked', () => {
  const { raw } = mintKey('devnet');
  for (let i = 7; i < raw.length; i++) {
    const wrong = raw.slice(0, i) + (raw[i] === 'a' ? 'b' : 'a') + raw.slice(i + 1);
    expect(parseKey(wrong, 'devnet')).toBeUndefined();
  }
});

test('a key of the other environment, a longer, a shorter and an empty one are no keys', () => {
  const { raw } = mintKey('devnet');
  expect(parseKey(raw, 'mainnet')).toBeUndefined();
  expect(parseKey(`${raw}0`, 'devnet')).toBeUndefined();
  expect(parseKey(raw.slice(1), 'devnet')).toBeUndefined();
  expect(parseKey('', 'devnet')).toBeUndefined();
});
