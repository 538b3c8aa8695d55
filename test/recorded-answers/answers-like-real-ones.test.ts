import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPairSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxChain, startSandboxChain } from '../../sandbox-chain/src/rpc/start-sandbox-chain.ts';
import { TOKEN_PROGRAM } from '../../src/chain/solana/network.ts';
import { createWallet, memoInstruction, pay, send, tokenAccountOf, type Wallet } from '../support/wallet.ts';

/** Fields of a method's answers as nodes of mainnet gave them, by record.py. */
interface Shape {
  method: string;
  answers: number;
  months: string[];
  sources: string[];
  /** Types by path; `[]` stands for any item of a list. */
  fields: { [path: string]: string[] };
  /** Fields that all of the newest answers have, by the path of what they are part of. */
  required: { [path: string]: string[] };
}

const shapes: Shape[] = JSON.parse(readFileSync(join(import.meta.dirname, 'shapes.json'), 'utf8'));

/** The recorded lists are of nodes before 4.0, which added this. */
const LATER = { getSignaturesForAddress: ['.result[].transactionIndex'] } as { [method: string]: string[] };

let chain: SandboxChain;
let wallet: Wallet;
const asked = new Map<string, unknown[][]>();

beforeAll(async () => {
  chain = await startSandboxChain({ slotMs: 0 });
  const { rpcUrl } = chain;
  wallet = await createWallet(chain, { usdcBaseUnits: 1_000_000n });
  const other = await generateKeyPairSigner();
  const common = { rpcUrl, payer: wallet.signer, from: wallet.signer };
  const signatures: string[] = [];
  for (const version of ['legacy', 0] as const)
    signatures.push(
      await pay({ ...common, destinationOwner: other.address, amountBaseUnits: 1n, references: [], version }),
    );
  const instructions = [
    getTransferSolInstruction({ source: wallet.signer, destination: other.address, amount: 1_000_000n }),
    memoInstruction('here'),
  ];
  signatures.push(await send({ ...common, instructions }));
  const tooMuch: Instruction = getTransferSolInstruction({
    source: wallet.signer,
    destination: other.address,
    amount: 10n ** 18n,
  });
  signatures.push(await send({ ...common, instructions: [tooMuch], skipPreflight: true }));
  chain.advanceSlots(40);
  const account = await tokenAccountOf(wallet.address);
  const base64 = { encoding: 'base64', commitment: 'finalized' };
  const absent = (await generateKeyPairSigner()).address;
  asked.set('getHealth', [[]]);
  asked.set(
    'getTransaction',
    signatures.map((signature) => [signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }]),
  );
  asked.set('getSignaturesForAddress', [[wallet.address], [account, { limit: 1 }]]);
  asked.set('getAccountInfo', [
    [account, base64],
    [absent, base64],
  ]);
  asked.set('getMultipleAccounts', [[[account, wallet.address], base64]]);
  asked.set('getTokenAccountsByOwner', [[wallet.address, { programId: TOKEN_PROGRAM }, base64]]);
});

afterAll(() => chain.stop());

async function answer(method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(chain.rpcUrl, { method: 'POST', headers, body });
  return response.json();
}

test('every method of which there are answers is compared', () => {
  expect(shapes.map(({ method }) => method).sort()).toEqual([...asked.keys()].sort());
});

test.each(shapes)('$method answers with the fields and types of $answers recorded answers', async (shape) => {
  const problems: string[] = [];
  for (const params of asked.get(shape.method)!)
    compare(await answer(shape.method, params), '', shape, problems);
  expect([...new Set(problems)]).toEqual([]);
});

/** Notes what recorded answers have and this does not, what it has and they do not, and where the types differ. */
function compare(value: unknown, path: string, shape: Shape, problems: string[]): void {
  const known = shape.fields[path];
  if (!known) {
    if (!LATER[shape.method]?.includes(path)) problems.push(`${path} is in no recorded answer`);
    return;
  }
  if (!known.includes(typeOf(value))) problems.push(`${path} is ${typeOf(value)} and not ${known}`);
  if (Array.isArray(value)) for (const each of value) compare(each, `${path}[]`, shape, problems);
  else if (typeof value === 'object' && value !== null && !isOpen(path)) {
    for (const key of shape.required[path] ?? [])
      if (!(key in value)) problems.push(`${path}.${key} is missing`);
    for (const [key, part] of Object.entries(value)) compare(part, `${path}.${key}`, shape, problems);
  }
}

/** Errors are the programs' own, and have any form. */
const isOpen = (path: string) => /\.(err|status)$/.test(path);

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

test('an answer that lacks a field, has one more or another type is noticed', () => {
  const shape = shapes.find(({ method }) => method === 'getHealth')!;
  const problems: string[] = [];
  compare({ jsonrpc: '2.0', result: 7, more: 1 }, '', shape, problems);
  expect(problems).toEqual([
    '.id is missing',
    '.result is number and not string',
    '.more is in no recorded answer',
  ]);
});
