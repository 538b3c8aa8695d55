import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import { address, createSolanaRpc } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { feePayerOf } from '../../src/chain/fee-payer/fee-payer.ts';
import { invariants } from '../../src/operations/doctor/doctor.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { checkInvariants } from '../../src/platform/db/invariant.ts';
import type { TestChain } from '../support/chain.ts';
import { cleanUp } from '../support/clean-up.ts';
import { newDataFolder } from '../support/data-folder.ts';
import { freePort, type Running, startProcess, temporaryFolder } from '../support/process.ts';
import { call } from '../support/service.ts';
import { createWallet, tokenAccountOf, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** The whole service as a process that is killed with -9 while a program's payment is settled. Slots end by hand. */
let chain: SandboxChain;
let db: Database;
let env: Record<string, string>;
let service: Running;
let apiKey: string;
let payTo: string;
let linkPath: string;
let purchases = 0;
const PRICE = 2_500_000n;

/**
 * Call to the network at which the service is killed: before the network gets it, or before the service gets the
 * answer.
 */
let trap: { method: string; isAnswered: boolean } | undefined;

beforeAll(async () => {
  const folder = await newDataFolder();
  const server = await startEmbeddedPostgres({ dataFolder: folder, purpose: 'service' });
  cleanUp(() => server.stop());
  db = openDatabase({ connection: server.connection });
  cleanUp(() => db.close());
  chain = await startSandboxChain({ slotMs: 0, now: () => new Date() });
  cleanUp(() => chain.stop());
  chain.advanceSlots(40);
  env = {
    DATABASE_URL: `postgres://florin@localhost/florin?host=${encodeURIComponent(join(folder, 'postgres'))}`,
    FLORIN_SECRET_KEY: randomBytes(32).toString('base64'),
    FLORIN_DATA: join(folder, 'unused'),
    FEE_PAYER_KEY_FILE: await fundedKeyFile(),
    SOLANA_RPC_URLS: await startTrap(),
    WATCH_POLL_MS: '100',
    WATCH_FINALITY_MS: '50',
    RATE_LIMIT_PUBLIC_PER_SECOND: '0',
    PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
  };
  service = await startProcess(env);
  cleanUp(() => service.end('SIGTERM'));
  apiKey = service.apiKey!;
  payTo = (await ask('GET', '/api/b2b/merchants/me')).payoutAddress;
  await chain.mintTo(address(payTo), 1n);
  chain.advanceSlots(40);
  const project = await ask('POST', '/api/v2/projects', { name: 'Shop' });
  const terms = { billingMode: 'one_time', unitAmountCents: 250, productName: 'Report' };
  const setUp = await ask('POST', '/api/v2/payment-links/setup', { projectId: project.id, ...terms });
  linkPath = `/pay/${setUp.paymentLink.publicToken}`;
});

async function fundedKeyFile(): Promise<string> {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]);
  await chain.fund(address((await feePayerOf(bytes)).address));
  chain.advanceSlots(40);
  const file = join(await temporaryFolder(cleanUp), 'fee-payer.json');
  writeFileSync(file, JSON.stringify([...bytes]), { mode: 0o600 });
  return file;
}

/** The chain's node as the service sees it. */
async function startTrap(): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { method } = JSON.parse(body.toString());
    const sprung = trap?.method === method ? trap : undefined;
    if (sprung) trap = undefined;
    const headers = { 'content-type': 'application/json' };
    const forward = async () => (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).text();
    if (sprung?.isAnswered) await forward();
    if (sprung) {
      await service.end('SIGKILL');
      response.destroy();
      return;
    }
    response.writeHead(200, headers).end(await forward());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(method: string, path: string, body?: unknown) {
  const answer = await call(service.url + path, method, body, { authorization: `Bearer ${apiKey}` });
  expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
  return answer.body;
}

async function newWallet(lamports?: bigint): Promise<Wallet> {
  const wallet = await createWallet(chain, {
    ...(lamports !== undefined && { lamports }),
    usdcBaseUnits: 10n * PRICE,
  });
  chain.advanceSlots(40);
  return wallet;
}

async function balanceOf(owner: string): Promise<bigint> {
  const account = await tokenAccountOf(address(owner));
  const rpc = createSolanaRpc(chain.rpcUrl);
  const { value } = await rpc.getTokenAccountBalance(account, { commitment: 'processed' }).send();
  return BigInt(value.amount);
}

/** Only the chain is asked of it. */
const asTest = () => ({ chain }) as TestChain;

/** Signs an offer as a program does; returns the headers that pay it. */
type Sign = (wallet: Wallet) => Promise<Record<string, string>>;

const byX402: Sign = async (wallet) =>
  (await x402.signOffer(asTest(), wallet, service.url + linkPath)).headers;
const byMpp =
  (query: string, options?: mpp.ClientOptions): Sign =>
  async (wallet) => ({
    authorization: await mpp.credentialFor(asTest(), wallet, service.url + linkPath + query, options),
  });

const PROTOCOLS: [string, bigint | undefined, Sign][] = [
  ['x402', 0n, byX402],
  ['MPP, our fee', 0n, byMpp('')],
  ['MPP, their fee', undefined, byMpp('?fees=payer')],
];

const send = (headers: Record<string, string>) =>
  fetch(service.url + linkPath, { headers: { accept: 'application/json', ...headers } });

/** A client that does what the answers say, on a chain that moves. */
async function insist(wallet: Wallet, sign: Sign, first: Record<string, string>) {
  let headers = first;
  for (let tries = 0; tries < 100; tries++) {
    const ticking = setInterval(() => chain.advanceSlots(1), 20);
    const response = await send(headers).finally(() => clearInterval(ticking));
    if (response.status === 200) return { receipt: await x402.bodyOf(response), headers };
    if (response.status === 402) headers = await sign(wallet);
    else expect(response.status).toBe(503);
    await sleep(50);
  }
  throw new Error('no receipt');
}

/** Expects as many orders as payments on chain; the one base unit is what opened the merchant's account. */
async function expectOnce(wallet: Wallet, receipt: { paymentIntentId: string }): Promise<void> {
  purchases++;
  chain.advanceSlots(40);
  const path = `/api/merchants/intents/${receipt.paymentIntentId}`;
  while ((await ask('GET', path)).status !== 'succeeded') await sleep(20);
  expect(await balanceOf(wallet.address)).toBe(9n * PRICE);
  expect(await balanceOf(payTo)).toBe(1n + BigInt(purchases) * PRICE);
  const [row] = await db.query<Record<string, bigint>>(
    `select (select count(*) from payment_intents where status = 'succeeded') as paid,
            (select count(*) from checkout_sessions where status = 'complete') as orders,
            (select count(*) from invoices where status = 'paid') as invoices,
            (select count(*) from payment_exceptions where base_units > 1) as exceptions`,
  );
  const all = BigInt(purchases);
  expect(row).toEqual({ paid: all, orders: all, invoices: all, exceptions: 0n });
  const broken = (await checkInvariants(db, invariants)).filter(({ violations }) => violations.length > 0);
  expect(broken).toEqual([]);
}

describe.each(PROTOCOLS)('%s: killed with -9', (_name, lamports, sign) => {
  const points: [string, string, boolean][] = [
    ['before it has simulated the payment', 'simulateTransaction', false],
    ['when the payment is stored and not sent', 'sendTransaction', false],
    ['when it is sent and the answer is lost', 'sendTransaction', true],
    ['while it waits for the network', 'getSignatureStatuses', false],
  ];
  test.each(points)(
    '%s: sent again, the client is charged once',
    async (_when, method, isAnswered) => {
      const wallet = await newWallet(lamports);
      const headers = await sign(wallet);
      trap = { method, isAnswered };
      await expect(send(headers)).rejects.toThrow();
      expect(trap).toBeUndefined();
      service = await startProcess(env);
      const { receipt, headers: paying } = await insist(wallet, sign, headers);
      await expectOnce(wallet, receipt);
      expect(await (await send(paying)).json()).toEqual(receipt);
    },
    60_000,
  );
});

test.each(PROTOCOLS)(
  '%s: two processes that settle the same payment at once charge once',
  async (_name, lamports, sign) => {
    const other = await startProcess({ ...env, PORT: String(await freePort()) });
    try {
      const wallet = await newWallet(lamports);
      const headers = await sign(wallet);
      const urls = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? service : other).url + linkPath);
      const ticking = setInterval(() => chain.advanceSlots(1), 20);
      const answers = await Promise.all(
        urls.map((url) => fetch(url, { headers: { accept: 'application/json', ...headers } })),
      ).finally(() => clearInterval(ticking));
      const { receipt } = await insist(wallet, sign, headers);
      for (const answer of answers) {
        expect([200, 503]).toContain(answer.status);
        if (answer.status === 200) expect(await answer.json()).toEqual(receipt);
      }
      await expectOnce(wallet, receipt);
    } finally {
      await other.end('SIGTERM');
    }
  },
  60_000,
);
