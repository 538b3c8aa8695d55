import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxChain } from '@florin/sandbox-chain';
import { type Address, address } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/platform/db/database.ts';
import { cleanUp } from './support/clean-up.ts';
import { type Running, startProcess } from './support/process.ts';
import { call } from './support/service.ts';
import { startGround } from './support/start-ground.ts';
import { createMint, createWallet, pay, type Wallet } from './support/wallet.ts';

/** The watcher as a process of its own, killed between "seen" and "settled". Slots end by hand, so it can be. */
let chain: SandboxChain;
let db: Database;
let env: Record<string, string>;
let api: Running;
let watcher: Running;
let apiKey: string;
let merchant: Address;
let customer: Wallet;

beforeAll(async () => {
  ({ chain, db, env } = await startGround());
  api = await startProcess({ ...env, FLORIN_ROLES: 'api' });
  cleanUp(() => api.end('SIGTERM'));
  await startWatcher();
  cleanUp(() => watcher.end('SIGTERM'));
  apiKey = api.apiKey!;
  merchant = address((await ask('GET', '/api/b2b/merchants/me')).payoutAddress);
  customer = await createWallet(chain, { usdcBaseUnits: 10n ** 12n });
});

async function startWatcher(): Promise<void> {
  watcher = await startProcess({ ...env, FLORIN_ROLES: 'watcher' });
}

async function ask(method: string, path: string, body?: unknown) {
  return (await call(api.url + path, method, body, { authorization: `Bearer ${apiKey}` })).body;
}

async function newIntent(orderId: string): Promise<{ id: string; reference: Address }> {
  const { id, referenceAddress } = await ask('POST', '/api/merchants/intents', { amountCents: 100, orderId });
  return { id, reference: address(referenceAddress) };
}

async function reaches(id: string, status: string): Promise<void> {
  while ((await ask('GET', `/api/merchants/intents/${id}`)).status !== status) await sleep(20);
}

const payIt = (reference: Address, mint?: Address) =>
  pay({
    rpcUrl: chain.rpcUrl,
    from: customer.signer,
    destinationOwner: merchant,
    amountBaseUnits: 1_000_000n,
    references: [reference],
    ...(mint && { mint }),
  });

/** Paid and seen as confirmed, and then there is no watcher any more. */
async function paidUntilTheCrash(orderId: string) {
  const intent = await newIntent(orderId);
  const signature = await payIt(intent.reference);
  chain.advanceSlots(3);
  await reaches(intent.id, 'processing');
  expect(await watcher.end('SIGKILL')).toBeNull();
  return { ...intent, signature };
}

const creditsOf = (id: string) =>
  db.query<{ signature: string; isFinal: boolean }>(
    `select signature, is_final as "isFinal" from payment_allocations where intent_id = $1`,
    [id],
  );
const eventsOf = async (id: string) =>
  (
    await db.query<{ status: string }>('select status from events where object_id = $1 order by sequence', [
      id,
    ])
  ).map(({ status }) => status);

test('killed after confirmed was recorded, final while it was away: exactly one credit', async () => {
  const { id, signature } = await paidUntilTheCrash('final');
  expect(await creditsOf(id)).toMatchObject([{ signature, isFinal: false }]);
  chain.advanceSlots(40);
  await startWatcher();
  await reaches(id, 'succeeded');
  expect((await ask('GET', `/api/merchants/intents/${id}`)).amountReceivedCents).toBe(100);
  expect(await creditsOf(id)).toMatchObject([{ signature, isFinal: true }]);
  expect(await eventsOf(id)).toEqual(['processing', 'succeeded']);
});

test('killed after confirmed was recorded, dropped while it was away: no credit until it is paid again', async () => {
  const { id, reference } = await paidUntilTheCrash('dropped');
  expect(chain.rollBack(4)).toHaveLength(1);
  chain.advanceSlots(80);
  await startWatcher();
  await reaches(id, 'pending');
  expect(await creditsOf(id)).toEqual([]);
  const again = await payIt(reference);
  chain.advanceSlots(40);
  await reaches(id, 'succeeded');
  expect(await creditsOf(id)).toMatchObject([{ signature: again, isFinal: true }]);
  expect((await eventsOf(id)).filter((status) => status === 'succeeded')).toHaveLength(1);
});

test('killed and started over and over while a payment becomes final: exactly one credit', async () => {
  const intent = await newIntent('often');
  const signature = await payIt(intent.reference);
  for (let i = 0; i < 3; i++) {
    chain.advanceSlots(13);
    await watcher.end('SIGKILL');
    await startWatcher();
  }
  await reaches(intent.id, 'succeeded');
  expect(await creditsOf(intent.id)).toMatchObject([{ signature, isFinal: true }]);
  expect((await eventsOf(intent.id)).filter((status) => status === 'succeeded')).toHaveLength(1);
});

test('"I have paid", told to the one process, makes the other look', async () => {
  const { id, reference } = await newIntent('told');
  await payIt(reference, await createMint(chain.rpcUrl, customer.signer, 1_000_000n));
  chain.advanceSlots(40);
  expect((await call(`${api.url}/api/public/intents/${id}/check`, 'POST')).status).toBe(202);
  await reaches(id, 'failed');
});
