import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { address } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { cleanUp } from '../support/clean-up.ts';
import { usdcMint } from '../support/wallet.ts';
import { withSlots } from './mpp-client.ts';

const START_USDC = 100_000_000n;
const PRICE = 2_500_000n;
const folder = import.meta.dirname;

let t: TestChain;
let url: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  const { body: project } = await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' });
  const terms = { billingMode: 'one_time', unitAmountCents: 250, productName: 'Report' };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', {
    projectId: project.id,
    ...terms,
  });
  url = `${t.service.url}/pay/${body.paymentLink.publicToken}`;
  t.chain.advanceSlots(40);
});

interface Answer {
  status: number;
  cache: string | null;
  receipt: boolean;
  body: string;
}

/** The unmodified client in a process of its own, with the `mppx` that was requested. */
async function startBuyer(preload: readonly string[]) {
  const child = spawn(process.execPath, [...preload, join(folder, 'mpp-program.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanUp(async () => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => JSON.parse((await lines.next()).value as string);
  const { address: owner } = await read();
  await t.chain.fund(address(owner));
  await t.chain.mintTo(address(owner), START_USDC);
  t.chain.advanceSlots(40);
  return {
    async buy(at: string, broadcast: boolean): Promise<Answer> {
      child.stdin.write(`${JSON.stringify({ url: at, rpcUrl: t.chain.rpcUrl, broadcast })}\n`);
      return withSlots(t, read());
    },
    /** Returns the amount that has left its wallet. */
    async spent(): Promise<bigint> {
      await t.finalize();
      const params = [owner, { mint: usdcMint }, { encoding: 'jsonParsed' }];
      const response = await fetch(t.chain.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenAccountsByOwner', params }),
      });
      const { result } = (await response.json()) as {
        result: { value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[] };
      };
      return START_USDC - BigInt(result.value[0]!.account.data.parsed.info.tokenAmount.amount);
    },
  };
}

/** Passes everything on, with another name in place of the challenge's: no seller takes that, and the money is gone. */
async function startGarbling(): Promise<string> {
  const garbled = (authorization: string) => {
    const credential = JSON.parse(Buffer.from(authorization.split(' ')[1]!, 'base64url').toString());
    credential.challenge.id = 'another';
    return `Payment ${Buffer.from(JSON.stringify(credential)).toString('base64url')}`;
  };
  const server = createServer(async (request, response) => {
    const { authorization, 'accept-payment': wanted } = request.headers;
    const headers: Record<string, string> = {
      ...(typeof wanted === 'string' && { 'accept-payment': wanted }),
      ...(authorization !== undefined && { authorization: garbled(authorization) }),
    };
    const answer = await fetch(t.service.url + request.url, { headers });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const VERSIONS = [
  ['the oldest mppx', []],
  ['the newest mppx', ['--import', join(folder, 'use-newest-mppx.ts')]],
] as const;

describe.each(VERSIONS)('%s with @solana/mpp', (_name, preload) => {
  test.each([
    ['the client signs and we send', '', false],
    ['the client sends', '?fees=payer', true],
  ])(
    '%s: a purchase is one payment and one receipt, private to the buyer',
    async (_mode, query, broadcast) => {
      const buyer = await startBuyer(preload);
      const answer = await buyer.buy(url + query, broadcast);
      expect(answer).toMatchObject({ status: 200, receipt: true, cache: expect.stringContaining('private') });
      expect(await buyer.spent()).toBe(PRICE);
    },
  );

  test('the client sends, and what it shows is refused: 409 with what it paid, and it does not pay again', async () => {
    const buyer = await startBuyer(preload);
    const path = new URL(url).pathname;
    const answer = await buyer.buy(`${await startGarbling()}${path}?fees=payer`, true);
    expect(answer.status).toBe(409);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 409, amount: String(PRICE) });
    expect(await buyer.spent()).toBe(PRICE);
  });
});
