import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ChainNode, chainNodes } from '../../src/chain/nodes/chain-node.ts';
import { associatedAccount } from '../../src/chain/solana/associated-account.ts';
import { payersOf } from '../../src/chain/solana/find-payer.ts';
import {
  balancesAround,
  type Destination,
  measureReceived,
  movedTokens,
  otherTokensReceived,
} from '../../src/chain/solana/measure.ts';
import { TOKEN_PROGRAM, USDC_MINTS } from '../../src/chain/solana/network.ts';
import { payerKindOf } from '../../src/chain/solana/payer-kind.ts';
import { createRpc } from '../../src/chain/solana/rpc.ts';
import { RpcUnreadable } from '../../src/chain/solana/rpc-failure.ts';
import type { LandedTransaction } from '../../src/chain/solana/transaction.ts';
import { newReferenceAddress } from '../../src/platform/lib/base58.ts';
import type { Json } from '../../src/platform/lib/json.ts';
import { cleanUp } from '../support/clean-up.ts';
import { buildAnswer, type Facts } from './build-answer.ts';

/** A transaction as record.py judges it, from the balances of the answer it was recorded in. */
interface Oracle {
  signature: string;
  families: string[];
  /** The recorded answer told the token balances. */
  isTold: boolean;
  failed: boolean;
  /** By mint and owner, in base units. */
  changes: { [mint: string]: { [owner: string]: string } };
  signers: string[];
  accounts: OracleAccount[];
  /** Accounts that transfers name and no list of balances does: opened and closed within the transaction, for wrapped SOL. */
  unlisted: { [account: string]: string };
  /** Source, destination, amount, authority, other accounts. */
  transfers: [string, string, string, string, string[]][];
  memos: string[];
}

interface OracleAccount {
  account: string;
  mint: string;
  owner: string;
  program: string;
  before: string;
  after: string;
  change: string;
  received: string;
  /** It is the owner's associated account of the mint. */
  associated: boolean;
}

const recorded = lines<Facts>('facts');
const oracle = lines<Oracle>('oracle');
const told = recorded.flatMap((facts, i) => (oracle[i]!.isTold ? [{ facts, expected: oracle[i]! }] : []));
const untold = recorded.filter((_, i) => !oracle[i]!.isTold);

function lines<Row>(name: string): Row[] {
  const text = readFileSync(join(import.meta.dirname, `${name}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Answers that a node changes before it sends them, by signature. */
const changed = new Map<string, (result: { [key: string]: Json }) => Json>();
let node: ChainNode;

beforeAll(async () => {
  const bySignature = new Map(recorded.map((facts) => [facts.signature, facts]));
  const server = createServer(async (request, response) => {
    const { id, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const facts = bySignature.get(params[0]);
    const result = facts ? buildAnswer(facts) : null;
    const change = changed.get(params[0]);
    response.end(JSON.stringify({ jsonrpc: '2.0', result: result && change ? change(result) : result, id }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  node = chainNodes(createRpc({ urls: [url] }))[0]!;
});

const read = async (signature: string) => (await node.transaction(signature, 'finalized'))!;
const USDC = USDC_MINTS.mainnet;

test('there are at least 100, each once and proven by its signatures, and others, of every family', () => {
  expect(recorded.length).toBeGreaterThanOrEqual(100);
  expect(new Set(recorded.map(({ signature }) => signature)).size).toBe(recorded.length);
  expect(oracle.map(({ signature }) => signature)).toEqual(recorded.map(({ signature }) => signature));
  expect(recorded.filter(({ isProven }) => isProven).length).toBeGreaterThanOrEqual(100);
  const families = new Set(oracle.flatMap((each) => each.families));
  expect([...families].sort()).toMatchInlineSnapshot(`
    [
      "another-stablecoin",
      "balances-left-out",
      "bridge",
      "cctp",
      "changed-by-wallet",
      "closed-account",
      "created-account",
      "durable-nonce",
      "dust",
      "exchange-withdrawal",
      "failed",
      "fee-mint",
      "inner-instructions",
      "jupiter",
      "lookup-tables",
      "many-receivers",
      "mint",
      "multisig-vault",
      "no-tokens",
      "priority-fee",
      "reference",
      "several-references",
      "several-to-one-owner",
      "spam",
      "token-2022",
      "usdc",
      "usdc-transfer",
      "usdc-transfer-checked",
      "version-1",
    ]
  `);
});

describe.each(told)('$facts.signature', ({ facts, expected }) => {
  test('is read to the base unit', async () => {
    const transaction = await read(facts.signature);
    expect({
      slot: transaction.slot,
      blockTime: transaction.blockTime.getTime() / 1000,
      hasFailed: transaction.hasFailed,
      accounts: transaction.accounts,
      signers: transaction.signers.length,
      firstSigner: transaction.signers[0],
      memos: transaction.memos,
    }).toEqual({
      slot: facts.slot,
      blockTime: facts.blockTime,
      hasFailed: expected.failed,
      accounts: facts.names.slice(0, facts.keys[0] + facts.keys[1] + facts.keys[2]),
      signers: expected.signers.length,
      firstSigner: expected.signers[0],
      memos: expected.memos,
    });
    expect(transfersOf(transaction)).toEqual(
      expected.transfers.map(([source, destination, amount, authority, others]) => ({
        destination,
        amount,
        authority,
        needed: true,
        source,
        others,
      })),
    );
    expect(movedTokens(transaction)).toBe(expected.accounts.some(({ change }) => BigInt(change) > 0n));
  });

  test('brings each account what the balances say, and nobody else anything', async () => {
    const transaction = await read(facts.signature);
    const found = expected.accounts.map((each) => receivedBy(transaction, each));
    expect(found).toEqual(expected.accounts.map((each) => expectedOf(each, expected)));
    for (const account of Object.keys(expected.unlisted)) {
      for (const { owner, mint } of expected.accounts)
        expect(measureReceived(transaction, { owner, mint, account })).toBe(0n);
    }
    const stranger = { owner: newReferenceAddress(), mint: USDC, account: newReferenceAddress() };
    expect(measureReceived(transaction, stranger)).toBe(0n);
    expect(otherTokensReceived(transaction, stranger).size).toBe(0);
    expect(balancesAround(transaction, stranger)).toEqual({ balanceBefore: null, balanceAfter: null });
  });

  test('finds the account that a wallet pays into', async () => {
    for (const { owner, mint, account, program, associated } of expected.accounts) {
      if (program === TOKEN_PROGRAM)
        expect([account, (await associatedAccount(owner, mint)) === account]).toEqual([account, associated]);
    }
  });
});

/** The accounts of a transfer as the token program knows them, and what a payer added to them. */
function transfersOf(transaction: LandedTransaction) {
  return transaction.transfers.map(({ destination, amount, authority, accounts }) => {
    const count = accounts[1] === destination ? 3 : 4;
    return {
      destination,
      amount: `${amount}`,
      authority,
      needed: accounts.length >= count,
      source: accounts[0],
      others: accounts.slice(count),
    };
  });
}

function receivedBy(transaction: LandedTransaction, { owner, mint, account }: OracleAccount) {
  const destination: Destination = { owner, mint, account };
  const { balanceBefore, balanceAfter } = balancesAround(transaction, destination);
  // A shop that takes USDC notes what else its wallet got, whichever account that is in.
  const others = otherTokensReceived(transaction, { owner, mint: USDC, account: 'none' });
  return {
    account,
    received: `${measureReceived(transaction, destination)}`,
    before: `${balanceBefore}`,
    after: `${balanceAfter}`,
    others: [...others].map(([other, { baseUnits }]) => `${baseUnits} ${other}`).sort(),
  };
}

function expectedOf({ account, owner, program, received, before, after }: OracleAccount, all: Oracle) {
  const growth = Object.entries(all.changes).map(
    ([mint, owners]) => [mint, BigInt(owners[owner] ?? 0)] as const,
  );
  return {
    account,
    received: program === TOKEN_PROGRAM ? received : '0',
    before,
    after,
    others: growth
      .filter(([mint, units]) => mint !== USDC && units > 0n)
      .map(([mint, units]) => `${units} ${mint}`)
      .sort(),
  };
}

describe('an answer without its token balances is not read, and so no proof that nothing came', () => {
  const paid = told.filter(({ expected }) => expected.accounts.length > 0);

  test.each(untold)('as it was recorded: $signature', async ({ signature }) => {
    await expect(read(signature)).rejects.toThrow(RpcUnreadable);
  });

  test.each([
    ['before', 'preTokenBalances'],
    ['after', 'postTokenBalances'],
  ])('every one of them without those %s', async (_, left) => {
    for (const { facts } of paid)
      for (const value of [undefined, null]) {
        changed.set(facts.signature, ({ meta, ...rest }) => ({
          ...rest,
          meta: { ...(meta as { [key: string]: Json }), [left]: value } as Json,
        }));
        await expect(read(facts.signature)).rejects.toThrow(RpcUnreadable);
        changed.delete(facts.signature);
      }
  });

  test('one that names no token program has none to leave out', async () => {
    const { facts } = told.find(({ expected }) => expected.families.includes('no-tokens'))!;
    changed.set(facts.signature, ({ meta, ...rest }) => ({
      ...rest,
      meta: { ...(meta as { [key: string]: Json }), preTokenBalances: null, postTokenBalances: null },
    }));
    expect((await read(facts.signature)).after).toEqual([]);
    changed.delete(facts.signature);
  });
});

describe('the payer of USDC', () => {
  test('is a program exactly where nobody has signed for the money', async () => {
    const seen = { wallet: 0, program: 0, exchange: 0 };
    for (const { facts, expected } of told) {
      const transaction = await read(facts.signature);
      const received = Object.entries(expected.changes[USDC] ?? {}).filter(([, units]) => BigInt(units) > 0n);
      for (const [destination] of received)
        for (const payer of payersOf(transaction, { mint: USDC, destination })) {
          const kind = payerKindOf(payer)!;
          seen[kind]++;
          const isUnsigned = !transaction.signers.includes(payer);
          expect([facts.signature, payer, kind === 'program']).toEqual([facts.signature, payer, isUnsigned]);
        }
    }
    expect(seen.wallet).toBeGreaterThan(20);
    expect(seen.program).toBeGreaterThan(25);
  });

  test('of a withdrawal from an exchange is one of its known wallets, whatever was withdrawn', async () => {
    const withdrawals = told.filter(({ expected }) => expected.families.includes('exchange-withdrawal'));
    expect(withdrawals.length).toBeGreaterThan(2);
    for (const { facts, expected } of withdrawals) {
      const { signers } = await read(facts.signature);
      const senders = [...signers, ...expected.transfers.map(([, , , authority]) => authority)];
      expect(senders.map(payerKindOf)).toContain('exchange');
    }
  });
});

test('a mint that takes a fee brings what is left of the amount, and nobody the fee', async () => {
  const taken = told.filter(({ expected }) => expected.families.includes('fee-mint'));
  expect(taken.length).toBeGreaterThan(1);
  for (const { facts, expected } of taken) {
    const transaction = await read(facts.signature);
    const mints = expected.accounts
      .filter(({ program }) => program !== TOKEN_PROGRAM)
      .map(({ mint }) => mint);
    const ofMint = expected.accounts.filter(({ mint }) => mints.includes(mint));
    const sum = ofMint.reduce((total, { change }) => total + BigInt(change), 0n);
    expect(sum).toBeLessThan(0n);
    for (const { owner, mint, account, change } of ofMint) {
      if (BigInt(change) <= 0n) continue;
      // It is no USDC, whatever arrived of it, so a shop notes exactly what its wallet got.
      expect(measureReceived(transaction, { owner, mint: USDC, account })).toBe(0n);
      expect(
        otherTokensReceived(transaction, { owner, mint: USDC, account: 'none' }).get(mint)?.baseUnits,
      ).toBe(BigInt(change));
    }
  }
});
