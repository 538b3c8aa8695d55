import { address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWallet, memoProgram, send, settle, type Wallet } from '../../../test/support/wallet.ts';
import { stringifyJson } from '../encoding/json.ts';
import { readFaultPlan } from './fault-plan.ts';
import { ODD_FORMS } from './odd-answers.ts';
import { type SandboxChain, startSandboxChain } from './start-sandbox-chain.ts';

let chain: SandboxChain;
let stranger: Wallet;
const oldMemoProgram = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');

beforeEach(async () => {
  chain = await startSandboxChain({ slotMs: 0, now: () => new Date(Date.UTC(2026, 0, 31)) });
  stranger = await createWallet(chain);
});

afterEach(() => chain.stop());

/** The answer as text and as any caller reads it. */
async function ask(method: string, params: unknown[]) {
  const body = stringifyJson({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(chain.rpcUrl, { method: 'POST', headers, body });
  const text = await response.text();
  return { text, result: JSON.parse(text).result };
}

const list = () => ask('getSignaturesForAddress', [stranger.address, { commitment: 'confirmed' }]);
const get = (signature: string) =>
  ask('getTransaction', [signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 1 }]);

async function writeMemo(data: Uint8Array, programAddress = memoProgram) {
  const instructions = [{ programAddress, accounts: [], data }];
  const signature = await send({
    rpcUrl: chain.rpcUrl,
    payer: stranger.signer,
    instructions,
    skipPreflight: true,
  });
  settle(chain, 'confirmed');
  return signature;
}

describe('memos of real transactions', () => {
  const text = (value: string) => Buffer.from(value);
  test.each([
    ['NUL', text('a\0b'), '[3] a\0b'],
    ['nothing', text(''), '[0] '],
    ['a byte order mark', text('\ufeffhi'), '[5] \ufeffhi'],
    ['quotes and line ends', text('"\\\n\u2028'), '[6] "\\\n\u2028'],
    ['text that runs the other way', text('\u202eevil'), '[7] \u202eevil'],
  ])('%s appears unchanged, in the list and in the log', async (_, data, memo) => {
    const signature = await writeMemo(data);
    const [entry] = (await list()).result;
    expect(entry).toMatchObject({ signature, memo, err: null });
    const { result } = await get(signature);
    expect(result.meta.logMessages).toContain(`Program log: ${data.toString()}`);
  });

  test.each([
    ['bytes of no text', [0xff, 0xfe]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a cut letter', [0x61, 0xc3]],
  ])('%s: the program refuses, and the failure is listed without the text', async (_, bytes) => {
    const signature = await writeMemo(Uint8Array.from(bytes));
    const [entry] = (await list()).result;
    expect(entry).toMatchObject({ signature, memo: `[${bytes.length}] (unparsable)` });
    expect(entry.err).not.toBeNull();
    expect((await get(signature)).result.meta.status).toHaveProperty('Err');
  });

  test('the older memo program looks the same, several memos together', async () => {
    const memos = [memoProgram, oldMemoProgram].map((programAddress) => ({
      programAddress,
      accounts: [],
      data: text('\0'),
    }));
    await send({ rpcUrl: chain.rpcUrl, payer: stranger.signer, instructions: memos });
    settle(chain, 'confirmed');
    expect((await list()).result[0].memo).toBe('[1] \0; [1] \0');
  });
});

describe('oddities of an answer', () => {
  const set = (form: (typeof ODD_FORMS)[number], signatures?: string[]) =>
    chain.faults.set({ rules: [{ kind: 'odd', form, ...(signatures && { signatures }) }] });

  test.each(ODD_FORMS)('%s is valid JSON and leaves everything else as it was', async (form) => {
    const signature = await writeMemo(text('hello'));
    const before = { list: (await list()).result, transaction: (await get(signature)).result };
    set(form);
    const listed = (await list()).result;
    const { result } = await get(signature);
    expect(listed.map((entry: { signature: string }) => entry.signature)).toEqual(
      before.list.map((entry: { signature: string }) => entry.signature),
    );
    expect(result.transaction).toEqual(before.transaction.transaction);
    expect(result.meta.postBalances).toEqual(before.transaction.meta.postBalances);
    expect({ listed, result }).not.toEqual({ listed: before.list, result: before.transaction });
    expect(chain.faults.struck).toEqual([2]);
  });

  const text = (value: string) => Buffer.from(value);

  test('half a surrogate pair and NUL travel as escapes', async () => {
    await writeMemo(text('hello'));
    set('loneSurrogate');
    expect((await list()).text).toContain('\\ud83d of a face');
    set('nulText');
    expect((await list()).text).toContain('paid\\u0000in full');
  });

  test('a megabyte of logs, a slot of 64 bits, a version of 32, a thousand levels, a key named __proto__', async () => {
    const signature = await writeMemo(text('hello'));
    set('longText');
    expect((await get(signature)).text.length).toBeGreaterThan(1_000_000);
    set('hugeSlot');
    expect((await get(signature)).text).toContain('"slot":18446744073709551615');
    set('hugeVersion');
    expect((await get(signature)).text).toContain('"version":4294967295');
    set('deepNesting');
    expect((await list()).text).toContain('[{"deeper":'.repeat(400));
    set('unknownFields');
    expect((await list()).text).toContain('"__proto__":{"slot":1}');
  });

  test('only what was named is odd', async () => {
    const [one, other] = [await writeMemo(text('one')), await writeMemo(text('other'))];
    set('nullBlockTime', [one]);
    const times = new Map(
      (await list()).result.map((entry: { signature: string; blockTime: number | null }) => [
        entry.signature,
        entry.blockTime,
      ]),
    );
    expect(times.get(one)).toBeNull();
    expect(times.get(other)).not.toBeNull();
    expect((await get(one)).result.blockTime).toBeNull();
    expect((await get(other)).result.blockTime).not.toBeNull();
  });

  test('a plan from another process names them too, and no others', () => {
    expect(readFaultPlan({ rules: [{ kind: 'odd', form: 'nulText' }] }).rules).toHaveLength(1);
    expect(() => readFaultPlan({ rules: [{ kind: 'odd', form: 'strange' }] })).toThrow(
      'cannot have this form',
    );
    expect(() => readFaultPlan({ rules: [{ kind: 'odd' }] })).toThrow('needs form');
  });
});
