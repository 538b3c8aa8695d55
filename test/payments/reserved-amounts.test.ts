import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { exceptionKinds, expectSoundBooks, newIntent, payIntent, readIntent } from '../support/payments.ts';
import { call } from '../support/service.ts';

/** Payments by an amount alone, as real transactions of wallets that send no reference. */
let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

/** Reserves an amount; the next block is younger. */
async function reserve({ id }: { id: string }): Promise<bigint> {
  const { status, body } = await t.shop.call('POST', `/api/public/intents/${id}/reserved-amount`);
  expect([status, body.destinationAddress]).toEqual([200, t.merchant.address]);
  t.chain.advanceSlots(1);
  const [whole, fraction = ''] = (body.amount as string).split('.');
  return BigInt(whole! + fraction.padEnd(6, '0'));
}

/** All that the chain knows of a transaction, as text. */
async function onChain(signature: string): Promise<string> {
  const params = [
    signature,
    { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
  ];
  const { body, text } = await call(t.chain.rpcUrl, 'POST', {
    jsonrpc: '2.0',
    id: 1,
    method: 'getTransaction',
    params,
  });
  expect(body.result.transaction.signatures).toEqual([signature]);
  return text;
}

test('a plain transfer of exactly this amount pays the order, and books and chain agree', async () => {
  const [intent, other] = [await newIntent(t.shop, 1250), await newIntent(t.shop, 1250)];
  const amount = await reserve(intent);
  expect(amount - 12_500_000n).toBeGreaterThan(0n);
  expect(amount - 12_500_000n).toBeLessThan(10_000n);

  const short = await payIntent(t, intent, { references: [], amountBaseUnits: amount - 1n });
  const price = await payIntent(t, intent, { references: [], amountBaseUnits: 12_500_000n });
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'pending', cents: 0 });
  expect([await exceptionKinds(t, short), await exceptionKinds(t, price)]).toEqual([
    ['unmatched'],
    ['unmatched'],
  ]);

  const plain = await payIntent(t, intent, { references: [], amountBaseUnits: amount });
  t.chain.advanceSlots(2);
  await t.look();
  expect((await readIntent(t.shop, intent)).status).toBe('processing');
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 1250 });
  expect((await readIntent(t.shop, other)).status).toBe('pending');
  expect(await onChain(plain)).not.toMatch(new RegExp(`${intent.reference}|Memo`));
  const { body } = await t.shop.call('GET', `/api/merchants/intents/${intent.id}`);
  expect(body.paidVia).toBe('transfer');

  const again = await t.shop.call('POST', `/api/public/intents/${intent.id}/reserved-amount`);
  expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_STATE']);
  expect(await t.reconcile()).toMatchObject({ differences: [], repaired: [], unreadable: [] });
  await expectSoundBooks(t);
});

test('with the reference of another order it pays that one', async () => {
  const [intent, other] = [await newIntent(t.shop), await newIntent(t.shop, 200)];
  const amountBaseUnits = await reserve(intent);
  await payIntent(t, other, { amountBaseUnits });
  await t.finalize();
  expect([(await readIntent(t.shop, intent)).status, (await readIntent(t.shop, other)).status]).toEqual([
    'pending',
    'underpaid',
  ]);
});

test('what the watcher has missed, reconcile credits in the same way', async () => {
  const intent = await newIntent(t.shop, 777);
  const amountBaseUnits = await reserve(intent);
  const signature = await payIntent(t, intent, { references: [], amountBaseUnits });
  t.chain.advanceSlots(40);
  expect(await t.reconcile(true)).toMatchObject({
    differences: [],
    repaired: [{ signature, booked: null, onChain: amountBaseUnits }],
  });
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 777 });
  await expectSoundBooks(t);
});
