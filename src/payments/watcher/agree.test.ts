import { describe, expect, test } from 'vitest';
import { TOKEN_PROGRAM, USDC_MINTS } from '../../chain/solana/network.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { claimOf, decide, type Opinion } from './agree.ts';

const destination = { owner: 'shop', mint: USDC_MINTS.sandbox, account: 'till' };

function landed(more: Partial<LandedTransaction> & { units?: bigint } = {}): LandedTransaction {
  const balance = (amount: bigint) => ({
    account: 'till',
    mint: destination.mint,
    owner: 'shop',
    program: TOKEN_PROGRAM,
    decimals: 6,
    amount,
  });
  const { units = 5n, ...rest } = more;
  return {
    signature: 's',
    slot: 100,
    blockTime: new Date('2026-01-01T12:00:00Z'),
    hasFailed: false,
    accounts: ['payer', 'till', 'reference'],
    before: [balance(0n)],
    after: [balance(units)],
    signers: ['payer'],
    transfers: [
      { destination: 'till', amount: units, authority: 'payer', accounts: ['payer', 'till', 'reference'] },
    ],
    memos: [],
    ...rest,
  };
}

const shows = (node: number, more?: Parameters<typeof landed>[0]): Opinion => ({
  kind: 'shows',
  node,
  transaction: landed(more),
});
const absent = (node: number, isSure = true): Opinion => ({ kind: 'absent', node, isSure });
const behind = (node: number): Opinion => ({ kind: 'behind', node });
const silent = (node: number, counts = true): Opinion => ({ kind: 'silent', node, counts, reason: '' });
const outcome = (quorum: number, opinions: Opinion[], isStrict = false) => {
  const decision = decide(opinions, destination, { quorum, isStrict });
  return [decision.outcome, decision.disputed.map(({ node }) => node)];
};

describe('a decision', () => {
  test.each<[string, number, Opinion[], unknown]>([
    ['one node decides alone', 1, [shows(0)], ['final', []]],
    ['one node drops alone', 1, [absent(0)], ['gone', []]],
    ['one that forgot drops nothing', 1, [absent(0, false)], ['undecided', []]],
    ['two agree', 2, [shows(0), shows(1)], ['final', []]],
    ['one invents', 2, [shows(0), absent(1)], ['undecided', [0, 1]]],
    ['one alters the amount', 2, [shows(0), shows(1, { units: 6n })], ['undecided', [0, 1]]],
    ['one shows it as failed', 2, [shows(0), shows(1, { hasFailed: true })], ['undecided', [0, 1]]],
    ['one is behind', 2, [shows(0), behind(1)], ['undecided', []]],
    ['one does not answer yet', 2, [shows(0), silent(1)], ['undecided', []]],
    ['one no longer answers', 2, [shows(0), silent(1, false)], ['final', []]],
    ['both have dropped it', 2, [absent(0), absent(1)], ['gone', []]],
    ['one dropped it, one is behind', 2, [absent(0), behind(1)], ['undecided', []]],
    ['one dropped it, one no longer answers', 2, [absent(0), silent(1, false)], ['gone', []]],
    ['two of three outvote one that hides', 2, [shows(0), absent(1), shows(2)], ['final', [0, 1, 2]]],
    ['two of three outvote one that invents', 2, [absent(0), shows(1), absent(2)], ['gone', [0, 1, 2]]],
    ['two of three, one silent', 2, [shows(0), silent(1), shows(2)], ['final', []]],
    ['two of four against two', 2, [shows(0), shows(1), absent(2), absent(3)], ['undecided', [0, 1, 2, 3]]],
    ['a quorum of one does not outvote a contradiction', 1, [shows(0), absent(1)], ['undecided', [0, 1]]],
    ['nobody answers', 2, [silent(0, false), silent(1, false)], ['undecided', []]],
  ])('%s', (_, quorum, opinions, expected) => {
    expect(outcome(quorum, opinions)).toEqual(expected);
  });

  test('strict: a node that no longer answers is waited for', () => {
    expect(outcome(2, [shows(0), silent(1, false)], true)).toEqual(['undecided', []]);
    expect(outcome(2, [shows(0), shows(2), silent(1, false)], true)).toEqual(['final', []]);
  });

  test('block times a minute apart are the same claim, further apart another one', () => {
    const at = (seconds: number) => ({ blockTime: new Date(Date.UTC(2026, 0, 1, 12, 0, seconds)) });
    expect(outcome(2, [shows(0), shows(1, at(60))])).toEqual(['final', []]);
    expect(outcome(2, [shows(0), shows(1, at(61))])).toEqual(['undecided', [0, 1]]);
  });
});

test('a claim is about what settlement goes by, in whatever order a node lists it', () => {
  const claim = claimOf(landed(), destination);
  expect(claim).toMatch(/^shows 0\.000005 USDC in slot 100 \([0-9a-f]{8}\)$/);
  expect(claimOf(landed({ accounts: ['reference', 'till', 'payer', 'payer'] }), destination)).toBe(claim);
  const others: Parameters<typeof landed>[0][] = [
    { slot: 101 },
    { accounts: ['payer', 'till', 'another'] },
    { signers: [] },
    { hasFailed: true },
    { units: 4n },
    { transfers: [] },
    { before: [], units: 5n, after: [] },
  ];
  for (const other of others) expect(claimOf(landed(other), destination)).not.toBe(claim);
});
