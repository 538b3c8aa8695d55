import { getBase58Decoder } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import type { Json } from '../../platform/lib/json.ts';
import { TOKEN_PROGRAM } from './network.ts';
import { readTransaction } from './transaction.ts';

const SIGNATURE = 'signature';
const named = (i: number) => encodeBase58(new Uint8Array(32).fill(i + 1));
const [payer, source, mint, destination, another, reference] = Array.from({ length: 6 }, (_, i) => named(i));
const keys = [payer!, source!, mint!, destination!, TOKEN_PROGRAM, another!, reference!];
const TOKEN = 4;
const OTHER = 5;

interface Call {
  [key: string]: Json;
  programIdIndex: number;
  accounts: number[];
  data: string;
}

const landed = (instructions: Call[], inner: Call[] = [], more: { [key: string]: Json } = {}): Json => ({
  slot: 7,
  blockTime: 1_700_000_000,
  transaction: { signatures: [SIGNATURE], message: { accountKeys: keys, instructions } },
  meta: {
    err: null,
    innerInstructions: [{ index: 0, instructions: inner }],
    preTokenBalances: [],
    postTokenBalances: [],
    ...more,
  },
});

function transfer(units: bigint, padding = 0): string {
  const data = Buffer.alloc(9 + padding, 7);
  data[0] = 3;
  data.writeBigUInt64LE(units, 1);
  // Ours takes nothing as long as the longest that programs hand to each other.
  return getBase58Decoder().decode(data);
}

const read = (value: Json) => readTransaction(SIGNATURE, value)!;
const call = (programIdIndex: number, data: string): Call => ({
  programIdIndex,
  accounts: [1, 3, 0, 6],
  data,
});

describe('transfers as instructions state them', () => {
  test('calls of the token program, outer and inner, are read', () => {
    const { transfers } = read(landed([call(TOKEN, transfer(5n))], [call(TOKEN, transfer(6n, 8))]));
    const accounts = [source, destination, payer, reference];
    expect(transfers).toEqual([
      { destination, amount: 5n, authority: payer, accounts },
      { destination, amount: 6n, authority: payer, accounts },
    ]);
  });

  test('another program’s data says nothing, whatever it looks like', () => {
    expect(read(landed([call(OTHER, transfer(5n))])).transfers).toEqual([]);
  });

  test('ten kilobytes are no transfer, even if they begin as one: they are not decoded', () => {
    const long = call(TOKEN, transfer(5n, 10_000));
    expect(read(landed([long], Array(63).fill(long))).transfers).toEqual([]);
  });
});

describe('more than a transaction can hold is no transaction', () => {
  const many = Array.from({ length: 257 }, (_, i) => named(i % 250));
  const balance = {
    accountIndex: 1,
    mint: named(2),
    owner: named(7),
    programId: TOKEN_PROGRAM,
    uiTokenAmount: { amount: '1' },
  };
  test.each<[string, { [key: string]: Json }]>([
    ['loaded accounts', { loadedAddresses: { writable: many, readonly: [] } }],
    ['balances before', { preTokenBalances: Array(257).fill(balance) }],
    ['balances after', { postTokenBalances: Array(257).fill(balance) }],
  ])('%s', (_, meta) => {
    expect(() => read(landed([], [], meta))).toThrow('more');
  });
});

describe('token balances that a node leaves out', () => {
  test.each(['preTokenBalances', 'postTokenBalances'])('without %s it has not said what moved', (list) => {
    for (const left of [null, undefined])
      expect(() => read(landed([], [], { [list]: left as Json }))).toThrow('leaves out the token balances');
  });

  test('a token program that a lookup table names counts as well', () => {
    const loaded = { writable: [], readonly: ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'] };
    expect(() => read(withoutTokens({ loadedAddresses: loaded }))).toThrow('leaves out the token balances');
  });

  test('a transaction that names no token program has none', () => {
    expect(read(withoutTokens({}))).toMatchObject({ before: [], after: [] });
  });

  const withoutTokens = (more: { [key: string]: Json }): Json => ({
    slot: 7,
    blockTime: 1_700_000_000,
    transaction: { signatures: [SIGNATURE], message: { accountKeys: [payer!, source!], instructions: [] } },
    meta: { err: null, ...more },
  });
});
