import { setTimeout as sleep } from 'node:timers/promises';
import {
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  devnet,
  generateKeyPairSigner,
  type RpcDevnet,
  type Signature,
  type SolanaRpcApiDevnet,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  createWallet,
  pay,
  settle,
  tokenAccountOf,
  usdcMint,
  type Wallet,
} from '../../../test/support/wallet.ts';
import { stringifyJson } from '../encoding/json.ts';
import { type FaultRule, Faults } from './faults.ts';
import { type SandboxChain, startSandboxChain } from './start-sandbox-chain.ts';

let chain: SandboxChain;
let rpc: RpcDevnet<SolanaRpcApiDevnet>;

beforeEach(async () => {
  chain = await startSandboxChain({ slotMs: 0, now: () => new Date(Date.UTC(2026, 0, 31)) });
  rpc = createSolanaRpc(devnet(chain.rpcUrl));
});

afterEach(() => chain.stop());

async function post(method: string, params: unknown[] = [], signal?: AbortSignal) {
  const body = stringifyJson({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(chain.rpcUrl, { method: 'POST', headers, body, signal: signal ?? null });
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get('retry-after'),
  };
}

describe('rules', () => {
  const hits = (faults: Faults, calls: number, method = 'getSlot') =>
    Array.from({ length: calls }, () => (faults.strike('hang', method) ? 1 : 0)).join('');

  test('the same seed replays, another does not', () => {
    const faults = new Faults();
    const rules: FaultRule[] = [{ kind: 'hang', chance: 0.5 }];
    const run = (seed: number) => {
      faults.set({ seed, rules });
      return hits(faults, 64);
    };
    const first = run(7);
    expect(run(7)).toBe(first);
    expect(run(8)).not.toBe(first);
    expect(first).toMatch(/^[01]*$/);
    expect(first.replaceAll('0', '').length).toBeGreaterThan(16);
    expect(first.replaceAll('1', '').length).toBeGreaterThan(16);
  });

  test('calls of one method do not move the luck of another', () => {
    const faults = new Faults();
    const rules: FaultRule[] = [
      { kind: 'hang', methods: ['getSlot'], chance: 0.5 },
      { kind: 'hang', methods: ['getHealth'], chance: 0.5 },
    ];
    faults.set({ seed: 3, rules });
    const alone = hits(faults, 32);
    faults.set({ seed: 3, rules });
    hits(faults, 5, 'getHealth');
    expect(hits(faults, 32)).toBe(alone);
  });

  test('after, times, methods and clear', () => {
    const faults = new Faults();
    faults.set({ rules: [{ kind: 'hang', methods: ['getSlot'], after: 2, times: 3 }] });
    expect(hits(faults, 4, 'getHealth')).toBe('0000');
    expect(hits(faults, 8)).toBe('00111000');
    expect(faults.struck).toEqual([3]);
    faults.clear();
    expect(faults.struck).toEqual([]);
  });
});

describe('the way to the node', () => {
  test('429 with Retry-After, for the named methods only', async () => {
    chain.faults.set({ rules: [{ kind: 'rateLimit', methods: ['getSlot'], retryAfterSeconds: 7 }] });
    expect(await post('getSlot')).toMatchObject({ status: 429, retryAfter: '7' });
    await expect(rpc.getSlot().send()).rejects.toMatchObject({ context: { statusCode: 429 } });
    expect(await rpc.getHealth().send()).toBe('ok');
    expect(chain.faults.struck).toEqual([2]);
  });

  test('HTTP 500, or another status', async () => {
    chain.faults.set({
      rules: [
        { kind: 'httpError', times: 1 },
        { kind: 'httpError', status: 503 },
      ],
    });
    expect((await post('getSlot')).status).toBe(500);
    expect((await post('getSlot')).status).toBe(503);
  });

  test('a cut connection', async () => {
    chain.faults.set({ rules: [{ kind: 'cutConnection' }] });
    await expect(post('getSlot')).rejects.toThrow();
  });

  test('latency lasts at least as long as it says', async () => {
    chain.faults.set({ rules: [{ kind: 'latency', ms: 40 }] });
    const over: string[] = [];
    const timer = sleep(39).then(() => over.push('timer'));
    await rpc.getSlot().send();
    over.push('answer');
    await timer;
    expect(over).toEqual(['timer', 'answer']);
  });

  test('hanging lasts until the caller gives up', async () => {
    chain.faults.set({ rules: [{ kind: 'hang', methods: ['getSlot'] }] });
    const giveUp = new AbortController();
    const hanging = post('getSlot', [], giveUp.signal);
    await post('getHealth');
    giveUp.abort();
    await expect(hanging).rejects.toThrow();
    expect(chain.faults.struck).toEqual([1]);
  });

  test.each([
    ['notJson', /^<html>/],
    ['truncated', /^\{"jsonrpc":"2\.0","res/],
    ['emptyBody', /^$/],
    ['nullResult', /"result":null/],
    ['wrongShape', /"result":\{"unexpected":true\}/],
  ] as const)('garbage: %s', async (shape, text) => {
    chain.faults.set({ rules: [{ kind: 'garbage', shape }] });
    expect((await post('getSlot')).text).toMatch(text);
  });

  test('one bad call spoils its whole batch', async () => {
    chain.faults.set({ rules: [{ kind: 'rateLimit', methods: ['getSlot'] }] });
    const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method });
    const body = JSON.stringify([call(1, 'getHealth'), call(2, 'getSlot')]);
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(chain.rpcUrl, { method: 'POST', headers, body })).status).toBe(429);
  });
});

describe('the node', () => {
  let wallet: Wallet;
  let paid: Signature[];
  let account: Awaited<ReturnType<typeof tokenAccountOf>>;

  beforeEach(async () => {
    wallet = await createWallet(chain, { usdcBaseUnits: 100n });
    const to = (await generateKeyPairSigner()).address;
    account = await tokenAccountOf(to);
    paid = [];
    for (let i = 0; i < 4; i++) {
      const payment = {
        rpcUrl: chain.rpcUrl,
        from: wallet.signer,
        destinationOwner: to,
        amountBaseUnits: 1n,
      };
      paid.unshift(await pay(payment));
      chain.advanceSlots(1);
    }
    settle(chain, 'finalized');
  });

  const list = async (config: { until?: Signature; limit?: number } = {}) =>
    (await rpc.getSignaturesForAddress(account, config).send()).map(({ signature }) => signature);

  test('JSON-RPC errors', async () => {
    chain.faults.set({ rules: [{ kind: 'rpcError', code: -32005, message: 'Node is unhealthy' }] });
    await expect(rpc.getSlot().send()).rejects.toMatchObject({ context: { __code: -32005 } });
  });

  test('a lagging node sees nothing of the last slots, and says when it is far behind', async () => {
    const balance = async () =>
      (await rpc.getTokenAccountBalance(account, { commitment: 'processed' }).send()).value.amount;
    const slots = 34;
    chain.faults.set({ rules: [{ kind: 'lag', slots }] });
    expect(await rpc.getSlot({ commitment: 'processed' }).send()).toBe(BigInt(chain.slot - slots));
    // The last payment landed 33 slots before the open one.
    expect(await balance()).toBe('3');
    expect(await list()).toEqual([paid[3]]);
    expect(
      (await rpc.getSignatureStatuses(paid).send()).value.map((status) => status?.confirmationStatus ?? null),
    ).toEqual([null, 'processed', 'processed', 'confirmed']);
    expect(
      await rpc.getTransaction(paid[1]!, { maxSupportedTransactionVersion: 0, encoding: 'json' }).send(),
    ).toBeNull();
    expect(await rpc.getHealth().send()).toBe('ok');
    chain.faults.set({ rules: [{ kind: 'lag', slots: 200 }] });
    await expect(rpc.getHealth().send()).rejects.toMatchObject({
      context: { __code: -32005, numSlotsBehind: 200n },
    });
    chain.faults.clear();
    expect(await balance()).toBe('4');
  });

  test('hidden signatures: named ones, for a number of calls', async () => {
    chain.faults.set({ rules: [{ kind: 'hideSignatures', signatures: [paid[1]!], times: 2 }] });
    const without = [paid[0], paid[2], paid[3]];
    expect([await list(), await list(), await list()]).toEqual([without, without, paid]);
  });

  test('hidden signatures: a share of them, replayed by the seed', async () => {
    const run = async (seed: number) => {
      chain.faults.set({ seed, rules: [{ kind: 'hideSignatures', share: 0.5 }] });
      return [await list(), await list(), await list(), await list(), await list()];
    };
    const first = await run(1);
    expect(await run(1)).toEqual(first);
    expect(await run(2)).not.toEqual(first);
    expect(first.flat().length).toBeLessThan(20);
  });

  test('repeated, reversed, short pages, ignored until', async () => {
    chain.faults.set({ rules: [{ kind: 'repeatSignatures' }] });
    expect(await list()).toEqual(paid.flatMap((signature) => [signature, signature]));
    chain.faults.set({ rules: [{ kind: 'reverseOrder' }] });
    expect(await list()).toEqual(paid.toReversed());
    chain.faults.set({ rules: [{ kind: 'shortPage', max: 2 }] });
    expect(await list({ limit: 3 })).toEqual(paid.slice(0, 2));
    expect(await list({ limit: 1 })).toEqual(paid.slice(0, 1));
    chain.faults.set({ rules: [{ kind: 'ignoreUntil', times: 1 }] });
    expect(await list({ until: paid[1]! })).toEqual(paid);
    expect(await list({ until: paid[1]! })).toEqual(paid.slice(0, 1));
  });

  test('missing transactions: named ones, for a number of calls', async () => {
    chain.faults.set({ rules: [{ kind: 'missingTransaction', signatures: [paid[0]!], times: 1 }] });
    const get = async (signature: Signature) =>
      (await rpc
        .getTransaction(signature, { maxSupportedTransactionVersion: 0, encoding: 'json' })
        .send()) !== null;
    expect([await get(paid[1]!), await get(paid[0]!), await get(paid[0]!)]).toEqual([true, false, true]);
  });

  test('silence: results are there and empty', async () => {
    chain.faults.set({ rules: [{ kind: 'silence' }] });
    expect(await list()).toEqual([]);
    expect((await rpc.getSignatureStatuses(paid).send()).value).toEqual([null, null, null, null]);
    expect((await rpc.getMultipleAccounts([account, usdcMint]).send()).value).toEqual([null, null]);
    expect((await rpc.getAccountInfo(account, { encoding: 'base64' }).send()).value).toBeNull();
    const owned = await rpc
      .getTokenAccountsByOwner(wallet.address, { mint: usdcMint }, { encoding: 'base64' })
      .send();
    expect(owned.value).toEqual([]);
    expect(
      await rpc.getTransaction(paid[0]!, { maxSupportedTransactionVersion: 0, encoding: 'json' }).send(),
    ).toBeNull();
  });
});

describe('WebSocket', () => {
  async function listen() {
    const socket = new WebSocket(chain.wsUrl);
    const slots: number[] = [];
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    const subscribed = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        const message = JSON.parse(String(data));
        if (message.method === 'slotNotification') slots.push(message.params.result.slot);
        else resolve();
      });
    });
    socket.on('open', () => socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}'));
    const upTo = async (slot: number) => {
      while (slots.at(-1) !== slot) await new Promise((resolve) => socket.once('message', resolve));
    };
    return { slots, closed, subscribed, upTo, socket };
  }

  test('notifications are lost and repeated', async () => {
    const { slots, subscribed, upTo, socket } = await listen();
    await subscribed;
    chain.faults.set({
      rules: [
        { kind: 'loseNotification', after: 1, times: 2 },
        { kind: 'repeatNotification', after: 1, times: 1 },
      ],
    });
    const first = chain.slot + 1;
    chain.advanceSlots(5);
    await upTo(first + 4);
    expect(slots.map((slot) => slot - first)).toEqual([0, 3, 3, 4]);
    socket.terminate();
  });

  test('the socket is dropped at a notification, at a subscription, and at connecting', async () => {
    const atNotification = await listen();
    await atNotification.subscribed;
    chain.faults.set({ rules: [{ kind: 'dropWebSocket', methods: ['slotNotification'] }] });
    chain.advanceSlots(1);
    await atNotification.closed;
    expect(atNotification.slots).toEqual([]);
    chain.faults.set({ rules: [{ kind: 'dropWebSocket', methods: ['slotSubscribe'], times: 1 }] });
    await (await listen()).closed;
    chain.faults.set({ rules: [{ kind: 'dropWebSocket', methods: ['connect'], times: 1 }] });
    await (await listen()).closed;
    const after = await listen();
    await after.subscribed;
    after.socket.terminate();
  });

  test('kit tells its user about a dropped socket', async () => {
    const slots = await createSolanaRpcSubscriptions(chain.wsUrl)
      .slotNotifications()
      .subscribe({ abortSignal: new AbortController().signal });
    chain.faults.set({ rules: [{ kind: 'dropWebSocket' }] });
    const ended = (async () => {
      for await (const _ of slots);
    })();
    chain.advanceSlots(1);
    await expect(ended).rejects.toThrow();
  });
});

describe('from another process', () => {
  test('sandbox_setFaults turns the switches, and no fault strikes it', async () => {
    const rules = [{ kind: 'httpError' }];
    expect((await post('sandbox_setFaults', [{ seed: 5, rules }])).status).toBe(200);
    expect((await post('getSlot')).status).toBe(500);
    expect((await post('sandbox_setFaults', [{ rules: [] }])).status).toBe(200);
    expect((await post('getSlot')).status).toBe(200);
  });

  test.each([
    [[]],
    [[{ rules: {} }]],
    [[{ rules: [{ kind: 'latencies' }] }]],
    [[{ rules: [{ kind: 'latency' }] }]],
    [[{ rules: [{ kind: 'latency', ms: -1 }] }]],
    [[{ rules: [{ kind: 'hang', method: 'getSlot' }] }]],
    [[{ rules: [{ kind: 'hang', chance: 2 }] }]],
    [[{ seed: 'x', rules: [] }]],
    [[{ rule: [] }]],
  ])('-32602 for the misspelt plan %j', async (params) => {
    expect(JSON.parse((await post('sandbox_setFaults', params)).text).error.code).toBe(-32602);
  });

  test('slots, rollbacks and USDC can be requested', async () => {
    const { address } = await generateKeyPairSigner();
    const result = async (method: string, ...params: unknown[]) =>
      JSON.parse((await post(method, params)).text).result;
    const minted = await result('sandbox_mintTo', address, 5);
    expect(await result('sandbox_advanceSlots', 3)).toBe(chain.slot);
    const account = await tokenAccountOf(address);
    expect((await rpc.getTokenAccountBalance(account).send()).value.amount).toBe('5');
    expect(await result('sandbox_rollBack', 4)).toEqual([minted]);
    await expect(rpc.getTokenAccountBalance(account).send()).rejects.toThrow(/could not find account/);
  });
});
