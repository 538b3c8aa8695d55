import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { freePort } from '../../../test/support/process.ts';
import { newReferenceAddress } from '../../platform/lib/base58.ts';
import { createLog } from '../../platform/lib/log.ts';
import { invalidAnswerWarnings } from './invalid-answers.ts';
import { ProviderLimit, pauseIn } from './provider-limit.ts';
import { createRpc } from './rpc.ts';
import { RpcFailure, RpcRefusal } from './rpc-failure.ts';
import { readTokenAccounts, readTokenBalance } from './token-accounts.ts';

/** A node that refuses everything with this code; answers which methods were called. */
async function startNode(code: number) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { method } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    asked.push(method);
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'no' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test.each([
  ['sendTransaction', -32002, true],
  ['sendTransaction', -32003, true],
  ['sendTransaction', -32005, false],
  ['getTransaction', -32602, false],
])('%s refused with %i: the node stays in use: %s', async (method, code, stays) => {
  const first = await startNode(code);
  const second = await startNode(-32005);
  const rpc = createRpc({ urls: [first.url, second.url] });
  const failure = await rpc.askNode(0, method, [], String).catch((error: unknown) => error);
  expect([failure instanceof RpcFailure, failure instanceof RpcRefusal]).toEqual([true, stays]);
  await expect(rpc.ask('getSlot', [], String)).rejects.toThrow();
  expect(first.asked).toEqual(stays ? [method, 'getSlot'] : [method]);
});

test('what is sent is given to every node: the first may pass it on to nobody', async () => {
  const asked: string[][] = [[], []];
  const start = async (own: string[]) => {
    const server = createServer(async (request, response) => {
      own.push(JSON.parse(Buffer.concat(await request.toArray()).toString()).method);
      response.end('{"jsonrpc":"2.0","id":1,"result":"signature"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUp(async () => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const rpc = createRpc({ urls: await Promise.all(asked.map(start)) });
  expect(await rpc.ask('sendTransaction', [], String)).toBe('signature');
  expect(await rpc.ask('getSlot', [], String)).toBe('signature');
  await vi.waitFor(() => expect(asked).toEqual([['sendTransaction', 'getSlot'], ['sendTransaction']]));
});

test('after an answer that closes its connection, the next calls share one again', async () => {
  let connections = 0;
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (calls++ === 0) response.setHeader('connection', 'close');
    response.end('{"jsonrpc":"2.0","id":1,"result":1}');
  });
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => server.close());
  const rpc = createRpc({ urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`] });
  for (let i = 0; i < 20; i++) await rpc.ask('getSlot', [], Number);
  expect([calls, connections < 10]).toEqual([20, true]);
});

test('a node whose provider refuses calls is left alone for as long as it said; others are asked meanwhile', async () => {
  let refused = 0;
  const server = createServer((request, response) => {
    request.resume();
    refused++;
    response.writeHead(429, { 'retry-after': '3600' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => server.close());
  const good = await startNode(-32005);
  const limited: number[] = [];
  const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`, good.url];
  const rpc = createRpc({ urls, onLimited: (node) => limited.push(node) });
  await expect(rpc.askNode(0, 'getSlot', [], Number)).rejects.toThrow('429');
  for (let i = 0; i < 3; i++)
    await expect(rpc.askNode(0, 'getSlot', [], Number)).rejects.toThrow('refuses calls for another 3600 s');
  await expect(rpc.ask('getBlockTime', [1], Number)).rejects.toThrow(RpcFailure);
  expect([refused, limited, good.asked]).toEqual([1, [0, 0, 0], ['getBlockTime']]);
  expect(rpc.limitedMs(0)).toBeGreaterThan(3_500_000);
  expect(rpc.limitedMs(1)).toBe(0);
});

test('in a long pause one call a minute is tried, and its answer ends the pause', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  cleanUp(async () => vi.useRealTimers());
  const limit = new ProviderLimit();
  limit.noteRefusal('99999999');
  expect([limit.leftMs(), limit.takeProbe()]).toEqual([3_600_000, false]);
  vi.advanceTimersByTime(60_000);
  expect([limit.takeProbe(), limit.takeProbe()]).toEqual([true, false]);
  limit.noteRefusal('3600');
  limit.noteAnswer({ isProbe: false });
  expect(limit.leftMs()).toBe(3_600_000);
  limit.noteAnswer({ isProbe: true });
  expect(limit.leftMs()).toBe(0);
});

test('calls that were under way together are refused once; the next refusal doubles the pause', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  cleanUp(async () => vi.useRealTimers());
  const limit = new ProviderLimit();
  const sentMs = performance.now();
  vi.advanceTimersByTime(50);
  for (let i = 0; i < 10; i++) limit.noteRefusal(null, sentMs);
  expect(limit.leftMs()).toBe(1_000);
  limit.noteRefusal('3', sentMs);
  expect(limit.leftMs()).toBe(3_000);
  vi.advanceTimersByTime(3_000);
  limit.noteRefusal(null, performance.now());
  expect(limit.leftMs()).toBe(2_000);
});

test.each([
  ['5', 5_000],
  ['0', 0],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', undefined],
  [null, undefined],
])('Retry-After: %s is a pause of %s ms', (header, pauseMs) => {
  expect(pauseIn(header)).toBe(pauseMs);
});

test('large answers that arrive together are read in a turn of the event loop each', async () => {
  const count = 8;
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const result = 'a'.repeat(200_000);
    waiting.push(() => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result })));
    if (waiting.length === count) for (const answer of waiting) answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => server.close());
  const rpc = createRpc({ urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`] });
  let turn = 0;
  let isOver = false;
  const countTurns = () => {
    turn++;
    if (!isOver) setImmediate(countTurns);
  };
  countTurns();
  const turns = await Promise.all(
    Array.from({ length: count }, () => rpc.ask('getTransaction', [], () => turn)),
  );
  isOver = true;
  expect(new Set(turns).size).toBe(count);
});

test('fewer accounts than were requested are no answer: the node is named once, and again after an hour without it', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.end('{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":[]}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => server.close());
  let nowMs = 0;
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const onInvalidAnswer = invalidAnswerWarnings(['node-one'], log, () => nowMs);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rpc = createRpc({ urls: [url], onInvalidAnswer });
  const wallet = newReferenceAddress();
  const mint = newReferenceAddress();
  for (let i = 0; i < 3; i++) await expect(readTokenBalance(rpc, mint, wallet)).rejects.toThrow(RpcFailure);
  await expect(readTokenAccounts(rpc, mint, [wallet])).rejects.toThrow('do not match those requested');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'warn',
      node: 'node-one',
      method: 'getMultipleAccounts',
      problem: 'accounts do not match those requested',
    },
  ]);
  nowMs += 3_600_000;
  await expect(readTokenBalance(rpc, mint, wallet)).rejects.toThrow(RpcFailure);
  expect(lines).toHaveLength(2);
});

/** A node that answers with this status and no JSON, having done who knows what before. */
async function brokenNode(status: number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.statusCode = status;
    response.end('bad gateway');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['a node that broke off may have passed on what the next refuses', 'broken', false],
  ['a node that was never reached has passed on nothing', 'away', true],
  ['a node that left a call alone has passed on nothing', 'limited', true],
])('%s', async (_, kind, isRefusal) => {
  const refusing = await startNode(-32002);
  const url =
    kind === 'away'
      ? `http://127.0.0.1:${await freePort()}`
      : await brokenNode(kind === 'broken' ? 502 : 429);
  const rpc = createRpc({ urls: [url, refusing.url] });
  if (kind === 'limited') await rpc.askNode(0, 'getSlot', [], String).catch(() => {});
  const failure = await rpc.ask('sendTransaction', [], String).catch((error: unknown) => error);
  expect([failure instanceof RpcFailure, failure instanceof RpcRefusal]).toEqual([true, isRefusal]);
});
