import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxChain } from '@florin/sandbox-chain';
import { address } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { invariants } from '../../src/operations/doctor/doctor.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { checkInvariants } from '../../src/platform/db/invariant.ts';
import { cleanUp } from '../support/clean-up.ts';
import { type Running, startProcess } from '../support/process.ts';
import { rpcCall } from '../support/refund-walk.ts';
import { signPrepared } from '../support/refunds.ts';
import { call, newAddress } from '../support/service.ts';
import { startGround } from '../support/start-ground.ts';
import { createWallet, pay, type Wallet } from '../support/wallet.ts';

/** The whole service as a process that is killed with -9 while a refund is on its way. Slots end by hand. */
let chain: SandboxChain;
let db: Database;
let env: Record<string, string>;
let service: Running;
let apiKey: string;
let treasury: Wallet;

beforeAll(async () => {
  ({ chain, db, env } = await startGround());
  service = await startProcess(env);
  cleanUp(() => service.end('SIGTERM'));
  apiKey = service.apiKey!;
  treasury = await createWallet(chain, { usdcBaseUnits: 10n ** 12n });
  chain.advanceSlots(40);
});

async function ask(method: string, path: string, body?: unknown) {
  const answer = await call(service.url + path, method, body, { authorization: `Bearer ${apiKey}` });
  expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
  return answer.body;
}

async function reaches(path: string, status: string): Promise<void> {
  while ((await ask('GET', path)).status !== status) await sleep(20);
}

/** A payment that is final, promised back, and the transaction that the merchant has signed for it. */
async function signedRefund(orderId: string) {
  const intent = await ask('POST', '/api/merchants/intents', { amountCents: 100, orderId });
  await pay({
    rpcUrl: chain.rpcUrl,
    from: treasury.signer,
    destinationOwner: address((await ask('GET', '/api/b2b/merchants/me')).payoutAddress),
    amountBaseUnits: 1_000_000n,
    references: [address(intent.referenceAddress)],
  });
  chain.advanceSlots(40);
  await reaches(`/api/merchants/intents/${intent.id}`, 'succeeded');
  const refund = await ask('POST', '/api/v2/refunds', {
    ...{ paymentIntentId: intent.id, reason: 'other', address: newAddress() },
  });
  const request = { ids: [refund.id], payer: treasury.address };
  const prepared = await ask('POST', '/api/v2/refunds/prepare', request);
  return { id: refund.id as string, wire: await signPrepared(prepared.transaction, treasury) };
}

async function land(wire: string): Promise<string> {
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  const { result, error } = await rpcCall(chain.rpcUrl, 'sendTransaction', [wire, options]);
  expect(error).toBeUndefined();
  return result;
}

async function restart(): Promise<void> {
  service = await startProcess(env);
}

/**
 * Expects one success, whatever happened on the way: the proof, the credit note, the event; and nothing for a person
 * to decide.
 */
async function expectSucceededOnce(id: string, txSignature: string, statuses: string[]): Promise<void> {
  await reaches(`/api/v2/refunds/${id}`, 'succeeded');
  expect(await ask('GET', `/api/v2/refunds/${id}`)).toMatchObject({
    ...{ amountCents: 100, amountSentCents: 100, txSignature },
  });
  const notes = await db.query('select amount_cents as cents from credit_notes where refund_id = $1', [id]);
  expect(notes).toEqual([{ cents: 100n }]);
  const events = await db.query<{ status: string }>(
    'select status from events where object_id = $1 order by sequence',
    [id],
  );
  expect(events.map(({ status }) => status)).toEqual(statuses);
  expect(await db.query('select kind from payment_exceptions')).toEqual([]);
  const broken = (await checkInvariants(db, invariants)).filter(({ violations }) => violations.length > 0);
  expect(broken).toEqual([]);
}

test('killed between prepare and landing, final while the service is down: succeeded once, one credit note', async () => {
  const { id, wire } = await signedRefund('prepared');
  expect(await service.end('SIGKILL')).toBeNull();
  const signature = await land(wire);
  chain.advanceSlots(40);
  await restart();
  await expectSucceededOnce(id, signature, ['ready', 'succeeded']);
});

test('killed between confirmed and finalized: succeeded once, one credit note', async () => {
  const { id, wire } = await signedRefund('confirmed');
  const signature = await land(wire);
  chain.advanceSlots(3);
  await reaches(`/api/v2/refunds/${id}`, 'processing');
  expect(await service.end('SIGKILL')).toBeNull();
  chain.advanceSlots(40);
  await restart();
  await expectSucceededOnce(id, signature, ['ready', 'processing', 'succeeded']);
});

test('killed between confirmed and finalized, dropped while it is down: ready again, and sent again it counts once', async () => {
  const { id, wire } = await signedRefund('dropped');
  await land(wire);
  chain.advanceSlots(3);
  await reaches(`/api/v2/refunds/${id}`, 'processing');
  expect(await service.end('SIGKILL')).toBeNull();
  expect(chain.rollBack(4)).toHaveLength(1);
  chain.advanceSlots(80);
  await restart();
  await reaches(`/api/v2/refunds/${id}`, 'ready');
  const request = { ids: [id], payer: treasury.address };
  const prepared = await ask('POST', '/api/v2/refunds/prepare', request);
  const signature = await land(await signPrepared(prepared.transaction, treasury));
  chain.advanceSlots(40);
  await expectSucceededOnce(id, signature, ['ready', 'processing', 'ready', 'succeeded']);
});
