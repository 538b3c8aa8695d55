import { expect, test } from 'vitest';
import { limitBelow, limitIn, refusalOf } from './refusal.ts';
import { RpcFailure, RpcNotFound, RpcUnreadable } from './rpc-failure.ts';

/** As providers have answered, with HTTP 429 or 200. */
test.each<[string, number, string]>([
  ['Helius', -32429, 'rate limited'],
  ['Helius, plan used up', -32429, 'max usage reached'],
  [
    'QuickNode',
    -32007,
    '15/second request limit reached - reduce calls per second or upgrade your account at quicknode.com',
  ],
  ['public nodes', 429, 'Too many requests for a specific RPC call'],
  ['Alchemy', 429, 'Your app has exceeded its compute units per second capacity.'],
  ['credits', -32005, 'monthly credit limit exceeded'],
  ['no more words', -32000, 'limit reached'],
  ['a daily plan', -32005, 'Limit for today has been reached'],
])('%s: too many calls', (_, code, message) => {
  expect(limitIn({ code, message })).toBe('calls');
});

test.each<[string, number, string]>([
  ['a skipped slot', -32007, 'Slot 123 was skipped, or missing due to ledger jump to recent snapshot'],
  ['a node that is behind', -32005, 'Node is behind by 42 slots'],
  ['a transaction that is gone', -32020, 'Transaction 5h6x not found'],
  ['a wrong signature', -32003, 'Transaction signature verification failure'],
  ['a program’s own error', -32002, 'Transaction simulation failed: exceeded CUs meter at BPF instruction'],
  ['no message', -32000, ''],
])('%s is no limit of a plan', (_, code, message) => {
  expect(limitIn({ code, message })).toBeUndefined();
});

test.each([
  'Too many inputs provided; max 5',
  'too many accounts',
  'maximum of 10 accounts',
  'limit exceeded: max 5 accounts',
])('%s: too many in one call', (message) => {
  expect(limitIn({ code: -32602, message })).toBe('items');
});

test('the same code means another thing by what it says', () => {
  const skipped = { code: -32007, message: 'Slot 123 was skipped' };
  expect(refusalOf('getBlockTime', skipped, 'told')).toBeInstanceOf(RpcUnreadable);
  expect(refusalOf('getTransaction', skipped, 'told').constructor).toBe(RpcFailure);
  expect(refusalOf('getSignaturesForAddress', { code: -32020 }, 'told')).toBeInstanceOf(RpcNotFound);
});

test('limits are tried as plans have them', () => {
  const tried = [];
  for (let count = 256; count > 1; count = limitBelow(count)) tried.push(count);
  expect(tried).toEqual([256, 100, 50, 25, 20, 10, 5]);
  expect(limitBelow(1)).toBe(1);
});
