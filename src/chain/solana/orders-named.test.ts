import { expect, test } from 'vitest';
import { ordersNamed } from './orders-named.ts';
import type { LandedTransaction } from './transaction.ts';

const REFERENCE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const transaction = (more: Partial<LandedTransaction>): LandedTransaction => ({
  ...{ signature: 's', slot: 1, blockTime: new Date(), hasFailed: false },
  ...{ accounts: [], signers: ['payer', 'second signer'], before: [], after: [], transfers: [], memos: [] },
  ...more,
});
const transfer = (accounts: string[], destination = 'account') => ({
  transfers: [{ destination, amount: 1n, authority: 'payer', accounts }],
});

test.each([
  ['alone', REFERENCE],
  ['as we write it', `florin:${REFERENCE}`],
  ['for a program', `florin:${REFERENCE}/mpp`],
  ['with a number after it', `${REFERENCE} 1`],
  ['in a sentence', `Order ${REFERENCE}, thanks.`],
])('a memo names an order: its reference %s', (_, memo) => {
  expect(ordersNamed(transaction({ memos: [memo] }), 'account')).toEqual([REFERENCE]);
});

test.each(['', 'Withdrawal 1', '123456789', `${REFERENCE}x`, 'Rechnung Nr. 17 – Müller'])(
  'the memo “%s” names none',
  (memo) => {
    expect(ordersNamed(transaction({ memos: [memo] }), 'account')).toEqual([]);
  },
);

test.each([
  ['Transfer', ['source', 'account', 'payer']],
  ['TransferChecked', ['source', 'mint', 'account', 'payer']],
])('%s names what it carries, without its own accounts and signers', (_, own) => {
  expect(ordersNamed(transaction(transfer(own)), 'account')).toEqual([]);
  expect(ordersNamed(transaction(transfer([...own, 'second signer'])), 'account')).toEqual([]);
  expect(ordersNamed(transaction(transfer([...own, REFERENCE])), 'account')).toEqual([REFERENCE]);
  expect(ordersNamed(transaction(transfer([...own, REFERENCE], 'elsewhere')), 'account')).toEqual([]);
});
