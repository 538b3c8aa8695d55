import { describe, expect, test } from 'vitest';
import { attribute } from './attribute.ts';
import { balancesAround, measureReceived, movedTokens, otherTokensReceived } from './measure.ts';
import { TOKEN_PROGRAM } from './network.ts';
import type { LandedTransaction, TokenBalance } from './transaction.ts';

const OWNER = 'owner';
const MINT = 'usdc';
const ACCOUNT = 'ata';
const destination = { owner: OWNER, mint: MINT, account: ACCOUNT };

const balance = (account: string, amount: bigint, more: Partial<TokenBalance> = {}): TokenBalance => ({
  account,
  mint: MINT,
  owner: OWNER,
  program: TOKEN_PROGRAM,
  amount,
  decimals: 6,
  ...more,
});

const landed = (
  before: TokenBalance[],
  after: TokenBalance[],
  more: Partial<LandedTransaction> = {},
): LandedTransaction => ({
  signature: 's',
  slot: 1,
  blockTime: new Date(0),
  hasFailed: false,
  accounts: [],
  signers: [],
  before,
  after,
  transfers: [],
  memos: [],
  ...more,
});

describe('measureReceived', () => {
  test.each<[string, LandedTransaction, bigint]>([
    ['a plain transfer', landed([balance(ACCOUNT, 5n)], [balance(ACCOUNT, 15n)]), 10n],
    ['the account made in the same transaction', landed([], [balance(ACCOUNT, 10n)]), 10n],
    ['a failed transaction', landed([], [balance(ACCOUNT, 10n)], { hasFailed: true }), 0n],
    ['another mint', landed([], [balance(ACCOUNT, 10n, { mint: 'fake' })]), 0n],
    [
      'a look-alike of another token program',
      landed([], [balance(ACCOUNT, 10n, { program: 'Token2022' })]),
      0n,
    ],
    ['another owner', landed([], [balance('other', 10n, { owner: 'stranger' })]), 0n],
    ['another account of the owner', landed([], [balance('other', 10n)]), 0n],
    [
      'the canonical account in a stranger’s hands',
      landed([], [balance(ACCOUNT, 10n, { owner: 'stranger' })]),
      0n,
    ],
    [
      'an account handed over with money in it',
      landed([balance(ACCOUNT, 10n, { owner: 'stranger' })], [balance(ACCOUNT, 10n)]),
      0n,
    ],
    [
      'one’s own money moved about',
      landed([balance(ACCOUNT, 0n), balance('b', 10n)], [balance(ACCOUNT, 10n), balance('b', 0n)]),
      0n,
    ],
    ['partly one’s own', landed([balance('b', 10n)], [balance(ACCOUNT, 15n), balance('b', 0n)]), 5n],
    ['paid and taken back', landed([balance(ACCOUNT, 5n)], [balance(ACCOUNT, 5n)]), 0n],
    ['money leaving', landed([balance(ACCOUNT, 5n)], [balance(ACCOUNT, 1n)]), 0n],
    ['the account closed', landed([balance(ACCOUNT, 5n)], []), 0n],
  ])('%s', (_name, transaction, received) => {
    expect(measureReceived(transaction, destination)).toBe(received);
  });
});

test('movedTokens and otherTokensReceived tell a wrong payment from mere dust', () => {
  const wrong = landed([], [balance('x', 7n, { mint: 'fake' })]);
  expect(movedTokens(wrong)).toBe(true);
  expect(otherTokensReceived(wrong, destination)).toEqual(
    new Map([['fake', { baseUnits: 7n, decimals: 6 }]]),
  );
  expect(movedTokens(landed([], []))).toBe(false);
  expect(otherTokensReceived(landed([], [balance(ACCOUNT, 7n)]), destination)).toEqual(new Map());
});

describe('attribute', () => {
  const a = { id: 'a', referenceAddress: 'refA' };
  const b = { id: 'b', referenceAddress: 'refB' };
  const transfer = (amount: bigint, ...accounts: string[]) => ({
    ...{ destination: ACCOUNT, amount, accounts },
    authority: 'payer',
  });

  test('one claimant gets all of it, whatever the instructions say', () => {
    expect(attribute(landed([], []), ACCOUNT, 10n, [a])).toEqual({ shares: new Map([['a', 10n]]), rest: 0n });
  });

  test('two transfers for two claimants', () => {
    const transaction = landed([], [], { transfers: [transfer(4n, 'refA'), transfer(6n, 'refB')] });
    expect(attribute(transaction, ACCOUNT, 10n, [a, b])).toEqual({
      shares: new Map([
        ['a', 4n],
        ['b', 6n],
      ]),
      rest: 0n,
    });
  });

  test('one transfer that names two is nobody’s', () => {
    const transaction = landed([], [], { transfers: [transfer(10n, 'refA', 'refB')] });
    expect(attribute(transaction, ACCOUNT, 10n, [a, b])).toEqual({ shares: new Map(), rest: 10n });
  });

  test('stated amounts that do not fit what arrived are nobody’s, and those to other accounts do not count', () => {
    const boastful = landed([], [], { transfers: [transfer(100n, 'refA'), transfer(6n, 'refB')] });
    expect(attribute(boastful, ACCOUNT, 10n, [a, b])).toEqual({ shares: new Map(), rest: 10n });
    const elsewhere = landed([], [], {
      transfers: [{ ...transfer(4n, 'refA'), destination: 'x' }, transfer(6n, 'refB')],
    });
    expect(attribute(elsewhere, ACCOUNT, 10n, [a, b])).toEqual({ shares: new Map([['b', 6n]]), rest: 4n });
  });
});

describe('balancesAround', () => {
  const around = (accounts: string[], before: TokenBalance[], after: TokenBalance[]) =>
    balancesAround(landed(before, after, { accounts }), destination);

  test('the account before and after, and nothing where it did not exist', () => {
    const accounts = [ACCOUNT, TOKEN_PROGRAM];
    const both = { balanceBefore: 5n, balanceAfter: 15n };
    expect(around(accounts, [balance(ACCOUNT, 5n)], [balance(ACCOUNT, 15n)])).toEqual(both);
    expect(around(accounts, [], [])).toEqual({ balanceBefore: 0n, balanceAfter: 0n });
  });

  test.each([
    ['is no part of it', ['other', TOKEN_PROGRAM]],
    ['is named without a token program: nodes list no balances then', [ACCOUNT]],
  ])('unknown where the account %s', (_, accounts) => {
    expect(around(accounts, [], [])).toEqual({ balanceBefore: null, balanceAfter: null });
  });
});
