import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { encodeBase58 } from '../../src/platform/lib/base58.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import {
  exceptionKinds,
  expectSoundBooks,
  lookCloserAt,
  type NewIntent,
  newIntent,
  payIntent,
  readIntent,
  UNITS,
} from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createMint, createWallet, pay } from '../support/wallet.ts';

/** "I have paid", with and without the transaction, by a caller without a key. */
let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

/** Only the test's own intent is due for a look. */
beforeEach(async () => {
  await t.service.db.query('update payment_intents set reference_check_at = null');
});

const check = (id: string, body?: unknown) =>
  call(`${t.service.url}/api/public/intents/${id}/check`, 'POST', body);
const pasted = ({ id }: NewIntent) =>
  t.service.db.query('select from submitted_signatures where intent_id = $1', [id]);
const transfers = (signature: string) =>
  t.service.db.query('select from incoming_transfers where signature = $1', [signature]);
const unknownSignature = () => encodeBase58(randomBytes(64));
/** Lets the time pass in which asking again is for free. */
const rest = (seconds: number) =>
  t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + seconds * 1000);

test('202 with the public view; the look that follows finds a payment of the wrong token', async () => {
  const intent = await newIntent(t.shop);
  const mint = await createMint(t.chain.rpcUrl, t.customer.signer, UNITS);
  const signature = await payIntent(t, intent, { mint });
  t.chain.advanceSlots(40);
  const answer = await check(intent.id);
  expect(answer.status).toBe(202);
  const view = await call(`${t.service.url}/api/public/intents/${intent.id}`, 'GET');
  expect(answer.text).toBe(view.text);
  await t.lookCloser();
  await t.look();
  expect((await readIntent(t.shop, intent)).status).toBe('failed');
  expect(await exceptionKinds(t, signature)).toEqual(['wrong_mint']);
});

test('a payment without a reference is claimed for the intent: its page says so, and the merchant is shown the match', async () => {
  const intent = await newIntent(t.shop, 437);
  const { chain, customer, merchant } = t;
  const money = { from: customer.signer, destinationOwner: merchant.address, amountBaseUnits: 4_370_000n };
  const signature = await pay({ rpcUrl: chain.rpcUrl, ...money });
  await t.finalize();
  const [{ id }] = (await t.shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`)).body.data;
  const suggestions = async () =>
    (await t.shop.call('GET', `/api/v2/exceptions/${id}/suggestions`)).body.suggestions;
  expect((await suggestions())[0]).toMatchObject({
    paymentIntentId: intent.id,
    reasons: ['same_amount'],
    isStrong: false,
  });
  const page = async () => (await call(`${t.service.url}/intents/${intent.id}`, 'GET')).text;
  expect(await page()).not.toContain('We found your payment');
  await check(intent.id, { signature });
  await t.lookCloser();
  const answer = (await t.shop.call('GET', `/api/v2/exceptions/${id}/suggestions`)).body;
  expect(answer.payerAddress).toBe(customer.address);
  expect(answer.suggestions[0]).toMatchObject({
    paymentIntentId: intent.id,
    reasons: ['claimed', 'same_amount'],
    isStrong: true,
  });
  expect(await page()).toContain('We found your payment');
  const linked = await t.shop.call('POST', `/api/v2/exceptions/${id}/link`, { paymentIntentId: intent.id });
  expect(linked.status).toBe(200);
  expect((await readIntent(t.shop, intent)).status).toBe('succeeded');
  expect(await page()).not.toContain('We found your payment');
  await expectSoundBooks(t);
});

test('the wallet that paid a part is strong evidence for the one order whose rest it is, and none where another order fits', async () => {
  const intent = await newIntent(t.shop, 983);
  await payIntent(t, intent, { amountBaseUnits: 3_000_000n });
  const { chain, customer, merchant } = t;
  const money = { from: customer.signer, destinationOwner: merchant.address, amountBaseUnits: 6_830_000n };
  const signature = await pay({ rpcUrl: chain.rpcUrl, ...money });
  await t.finalize();
  const [{ id }] = (await t.shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`)).body.data;
  const suggestions = async () =>
    (await t.shop.call('GET', `/api/v2/exceptions/${id}/suggestions`)).body.suggestions;
  const reasons = ['same_amount', 'same_sender'];
  expect(await suggestions()).toMatchObject([{ paymentIntentId: intent.id, reasons, isStrong: true }]);
  await newIntent(t.shop, 683);
  expect((await suggestions()).map((each: { isStrong: boolean }) => each.isStrong)).toEqual([false, false]);
});

test('a claim of somebody else’s money changes nothing, and there is an end to claiming', async () => {
  const [paid, other] = [await newIntent(t.shop, 150), await newIntent(t.shop, 160)];
  const signatures: string[] = [];
  for (const amountBaseUnits of [1_500_000n, 1n, 2n, 3n, 4n, 5n])
    signatures.push(await payIntent(t, paid, { amountBaseUnits }));
  await t.finalize();
  for (const signature of signatures) {
    rest(60);
    await check(other.id, { signature });
    await lookCloserAt(t, other);
  }
  const claims = await t.service.db.query('select from payment_claims where intent_id = $1', [other.id]);
  expect(claims.length).toBe(5);
  expect((await readIntent(t.shop, other)).status).toBe('pending');
  const page = await call(`${t.service.url}/intents/${other.id}`, 'GET');
  expect(page.text).not.toContain('We found your payment');
  await expectSoundBooks(t);
});

test('a transaction that the node leaves out of every list is found by its signature, and counts once', async () => {
  const intent = await newIntent(t.shop);
  const signature = await payIntent(t, intent);
  t.chain.faults.set({ rules: [{ kind: 'hideSignatures', signatures: [signature] }] });
  await t.finalize();
  await check(intent.id);
  await t.lookCloser();
  await t.look();
  expect((await readIntent(t.shop, intent)).status).toBe('pending');
  rest(6);
  expect((await check(intent.id, { signature })).status).toBe(202);
  await t.lookCloser();
  expect((await readIntent(t.shop, intent)).status).toBe('processing');
  await t.look();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  expect(await pasted(intent)).toEqual([]);
  t.chain.faults.clear();
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
});

test('money without the reference is not credited because somebody says so: it is listed', async () => {
  const intent = await newIntent(t.shop);
  const signature = await payIntent(t, intent, { references: [] });
  t.chain.advanceSlots(40);
  await check(intent.id, { signature });
  await t.lookCloser();
  await t.look();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'pending', cents: 0 });
  expect(await exceptionKinds(t, signature)).toEqual(['unmatched']);
});

test('the payment of another intent stays the other’s', async () => {
  const [paid, claimed] = [await newIntent(t.shop), await newIntent(t.shop)];
  const signature = await payIntent(t, paid);
  t.chain.advanceSlots(40);
  await check(claimed.id, { signature });
  await t.lookCloser();
  await t.look();
  expect(await readIntent(t.shop, claimed)).toEqual({ status: 'pending', cents: 0 });
  expect(await readIntent(t.shop, paid)).toEqual({ status: 'succeeded', cents: 100 });
});

test('a stranger’s transaction, and the merchant’s own from before our time, leave no trace', async () => {
  const rpcUrl = t.chain.rpcUrl;
  const newcomer = await createWallet(t.chain);
  const stranger = await createWallet(t.chain);
  const base = { rpcUrl, from: t.customer.signer, amountBaseUnits: UNITS };
  const elsewhere = await pay({ ...base, destinationOwner: stranger.address });
  const before = await pay({ ...base, destinationOwner: newcomer.address });
  t.chain.advanceSlots(40);
  rest(3600);
  const shop = await t.service.createMerchant('Newcomer', newcomer.address);
  const intent = await newIntent(shop);
  for (const signature of [elsewhere, before]) await check(intent.id, { signature });
  await t.lookCloser();
  expect(await pasted(intent)).toEqual([]);
  for (const signature of [elsewhere, before]) expect(await transfers(signature)).toEqual([]);
  expect(await readIntent(shop, intent)).toEqual({ status: 'pending', cents: 0 });
});

test('a signature no node knows is looked up again for a while and then forgotten', async () => {
  const intent = await newIntent(t.shop);
  await check(intent.id, { signature: unknownSignature() });
  await t.lookCloser();
  expect(await pasted(intent)).toHaveLength(1);
  rest(16);
  const before = t.calls.length;
  await t.lookCloser();
  expect(t.calls.slice(before)).toContain('getTransaction');
  rest(120);
  await t.lookCloser();
  expect(await pasted(intent)).toEqual([]);
});

test('asking a hundred times costs the node no more than asking once', async () => {
  const intent = await newIntent(t.shop);
  const signature = unknownSignature();
  const before = t.calls.length;
  for (let i = 0; i < 100; i++) {
    expect((await check(intent.id, { signature })).status).toBe(202);
    if (i % 10 === 0) await t.lookCloser();
  }
  expect(t.calls.slice(before)).toEqual(['getTransaction', 'getSignaturesForAddress']);
});

test('a reference that somebody floods is read a few transactions at a time, to the end', async () => {
  const intent = await newIntent(t.shop);
  for (let i = 0; i < 12; i++) await payIntent(t, intent, { destinationOwner: t.customer.address });
  t.chain.advanceSlots(3);
  await check(intent.id);
  const reads = [];
  for (let i = 0; i < 4; i++) {
    const before = t.calls.length;
    await t.lookCloser();
    reads.push(t.calls.slice(before).filter((method) => method === 'getTransaction').length);
    rest(16);
  }
  expect(reads).toEqual([5, 5, 2, 0]);
});

test('who asks again does not lose the place in the queue', async () => {
  const intent = await newIntent(t.shop);
  const due = async () =>
    (
      await t.service.db.query<{ at: Date }>(
        'select reference_check_at as at from payment_intents where id = $1',
        [intent.id],
      )
    )[0]!.at;
  await check(intent.id);
  const first = await due();
  rest(1);
  await check(intent.id);
  expect(await due()).toEqual(first);
});

test('400 for what is no signature, 404 for what is no intent, 429 for too many at once', async () => {
  const intent = await newIntent(t.shop);
  for (const signature of ['x', 'x'.repeat(64), '0'.repeat(88), '1'.repeat(65), 7, null]) {
    const answer = await check(intent.id, { signature });
    expect([answer.status, answer.body.error.message.split(' ')[0]]).toEqual([400, 'signature']);
  }
  expect((await check(intent.id, { other: 1 })).status).toBe(400);
  expect((await check(randomUUID())).status).toBe(404);
  expect((await check('none', {})).status).toBe(404);
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push(await check(intent.id, { signature: unknownSignature() }));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
  expect(answers[3]!.headers.get('retry-after')).toBe('15');
  expect(await pasted(intent)).toHaveLength(3);
});

test('a paid intent is looked at no more', async () => {
  const intent = await newIntent(t.shop);
  await payIntent(t, intent);
  await t.finalize();
  const answer = await check(intent.id, { signature: unknownSignature() });
  expect([answer.status, answer.body.status, answer.body.paymentUrl]).toEqual([202, 'succeeded', null]);
  expect(await pasted(intent)).toEqual([]);
});

test('after all of it the books balance', () => expectSoundBooks(t));
