import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import {
  exceptionKinds,
  expectSoundBooks,
  newIntent,
  payIntent,
  readIntent,
  UNITS,
} from '../support/payments.ts';
import { createMint } from '../support/wallet.ts';

/** States of an intent while it is paid, with real transactions. */
let t: TestChain;
let rpcUrl: string;

beforeAll(async () => {
  t = await testChain();
  rpcUrl = t.chain.rpcUrl;
});

describe('the way of a payment', () => {
  test('part by part, then too much', async () => {
    const intent = await newIntent(t.shop);
    await payIntent(t, intent, { amountBaseUnits: 400_000n });
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'underpaid', cents: 40 });
    const last = await payIntent(t, intent, { amountBaseUnits: 700_000n });
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 110 });
    expect(await exceptionKinds(t, last)).toEqual(['surplus']);
  });

  test('confirmed and then dropped by the chain: back to pending; sent again it counts', async () => {
    const intent = await newIntent(t.shop);
    await payIntent(t, intent);
    t.chain.advanceSlots(3);
    await t.look();
    expect((await readIntent(t.shop, intent)).status).toBe('processing');
    expect(t.chain.rollBack(4)).toHaveLength(1);
    await t.finalize();
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'pending', cents: 0 });
    await payIntent(t, intent);
    await t.finalize();
    expect((await readIntent(t.shop, intent)).status).toBe('succeeded');
  });

  test('expires when its time has passed on chain, and a late payment still counts', async () => {
    const intent = await newIntent(t.shop);
    t.service.clock.setOffsetMs(31 * 60_000);
    expect(await t.expire()).toBe(0);
    await t.finalize();
    expect(await t.expire()).toBeGreaterThan(0);
    expect((await readIntent(t.shop, intent)).status).toBe('expired');
    await payIntent(t, intent);
    t.chain.advanceSlots(3);
    await t.look();
    expect((await readIntent(t.shop, intent)).status).toBe('processing');
    await t.finalize();
    expect((await readIntent(t.shop, intent)).status).toBe('succeeded');
  });

  test('a closer look by reference finds what never touched the account', async () => {
    const intent = await newIntent(t.shop);
    const mint = await createMint(rpcUrl, t.customer.signer, UNITS);
    const signature = await payIntent(t, intent, { mint });
    t.chain.advanceSlots(40);
    expect((await t.shop.call('GET', `/api/public/intents/${intent.id}`)).status).toBe(200);
    await t.lookCloser();
    await t.look();
    expect((await readIntent(t.shop, intent)).status).toBe('failed');
    expect(await exceptionKinds(t, signature)).toEqual(['wrong_mint']);
  });
});

test('after all of it the books balance, and every dollar is explained', () => expectSoundBooks(t));
