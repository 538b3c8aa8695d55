import { expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks, newIntent, payIntent, readIntent } from '../support/payments.ts';

const PAID = { status: 'succeeded', cents: 100 };

/** Time passes for the service and the chain, in slots of 150 ms. */
function pass({ service: { clock }, chain }: TestChain, seconds: number): void {
  for (let i = 0; i < seconds; i += 15) {
    clock.setOffsetMs(clock.now().getTime() - Date.now() + 15_000);
    chain.advanceSlots(100);
  }
}

test('what a node lists ninety seconds late is read, however short its slots are', async () => {
  const t = await testChain();
  const first = await newIntent(t.shop);
  await payIntent(t, first);
  pass(t, 300);
  await t.look();
  const late = await newIntent(t.shop);
  const signature = await payIntent(t, late);
  t.chain.faults.set({ rules: [{ kind: 'hideSignatures', signatures: [signature] }] });
  pass(t, 90);
  const next = await newIntent(t.shop);
  await payIntent(t, next);
  await t.finalize();
  await t.finalize();
  expect(await readIntent(t.shop, next)).toEqual(PAID);
  expect((await readIntent(t.shop, late)).status).toBe('pending');
  t.chain.faults.clear();
  await t.look();
  expect(await readIntent(t.shop, late)).toEqual(PAID);
  await expectSoundBooks(t);
});
