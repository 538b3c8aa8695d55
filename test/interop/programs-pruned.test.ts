import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks } from '../support/payments.ts';
import { createWallet, pay, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** A buyer who has paid is not asked to pay again when a node has forgotten the payment, or the seller is paid elsewhere since. */
let t: TestChain;
let rich: Wallet;
let minutes = 0;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 500 });
  rich = await createWallet(t.chain, { usdcBaseUnits: 1_000_000_000n });
});

beforeEach(() => t.chain.faults.clear());

async function newOwner(): Promise<Wallet> {
  const owner = await createWallet(t.chain, { usdcBaseUnits: 1n });
  t.chain.advanceSlots(40);
  return owner;
}

/** A link of a project that has its own payout address. */
async function newShop() {
  const owner = await newOwner();
  const named = { name: 'Shop', payoutAddress: owner.address };
  const { body: project } = await t.shop.call('POST', '/api/v2/projects', named);
  const sold = { projectId: project.id, productName: 'Report', billingMode: 'one_time', unitAmountCents: 50 };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', sold);
  const url = `${t.service.url}${new URL(body.paymentLink.url).pathname}`;
  return { projectId: project.id as string, owner, url };
}

type Shop = Awaited<ReturnType<typeof newShop>>;

/** Pays an offer by hand: this much, with this memo instead of the right one. */
async function pushed({ url, owner }: Pick<Shop, 'url' | 'owner'>, { amount = 500_000n, memo = '' } = {}) {
  const [challenge] = mpp.challengesOf(await fetch(`${url}?fees=payer`, mpp.ASK));
  const { externalId } = challenge!.request as { externalId: string };
  const signature = await pay({
    rpcUrl: t.chain.rpcUrl,
    from: rich.signer,
    destinationOwner: owner.address,
    amountBaseUnits: amount,
    memo: memo || externalId,
  });
  t.chain.advanceSlots(2);
  const pulled = await mpp.accept(t, rich, challenge!);
  return mpp.changed(pulled, () => ({ payload: { type: 'signature', signature } }));
}

async function answerOf(url: string, authorization: string) {
  const answer = await mpp.present(t, url, authorization);
  return { status: answer.status, body: await x402.bodyOf(answer) };
}

async function expectInVain(url: string, authorization: string, amount: string): Promise<void> {
  const { status, body } = await answerOf(url, authorization);
  expect([status, body]).toEqual([
    409,
    expect.objectContaining({ amount, detail: expect.stringContaining('Do not pay again') }),
  ]);
}

/** Time passes for the service and the chain, in slots of ten seconds. */
function pass(count: number): void {
  for (let i = 0; i < count; i++) {
    minutes++;
    t.service.clock.setOffsetMs(minutes * 60_000);
    t.chain.advanceSlots(6);
  }
}

const forget = () => t.chain.faults.set({ rules: [{ kind: 'pruned', slots: 40 }] });

/** Sells once: from the first sale on, the seller's address is watched. */
async function sellOnce({ url }: Shop): Promise<void> {
  expect((await x402.payAt(t, rich, url)).status).toBe(200);
  await t.finalize();
}

test('a payment that only our books still list: a wait while it could be honored, then 409; the receipt once a node shows it', async () => {
  const shop = await newShop();
  await sellOnce(shop);
  const [exact, little] = [await pushed(shop), await pushed(shop, { amount: 70_000n })];
  await t.finalize();
  pass(20);
  forget();
  const waiting = await answerOf(shop.url, exact);
  expect([waiting.status, waiting.body]).toEqual([
    503,
    expect.objectContaining({ detail: expect.stringContaining('do not pay again') }),
  ]);
  await expectInVain(shop.url, little, '70000');
  t.chain.faults.clear();
  expect((await answerOf(shop.url, exact)).status).toBe(200);
  const late = await pushed(shop);
  await t.finalize();
  pass(80);
  forget();
  await expectInVain(shop.url, late, '500000');
  await expectSoundBooks(t);
});

test('a payment that no book lists and that lies before what the nodes still have: never 402', async () => {
  const shop = await newShop();
  const authorization = await pushed(shop);
  pass(20);
  forget();
  expect((await answerOf(shop.url, authorization)).status).toBe(503);
});

test('after a change of the payout address: 409 with the amount for what has paid the old one', async () => {
  const shop = await newShop();
  const isWatched = await newShop();
  await sellOnce(isWatched);
  for (const each of [shop, isWatched]) {
    const sent: [string, string][] = [
      [await pushed(each, { amount: 100_000n }), '100000'],
      [await pushed(each, { amount: 900_000n }), '900000'],
      [await pushed(each, { memo: 'hello' }), '500000'],
    ];
    const exact = await pushed(each);
    const payoutAddress = (await newOwner()).address;
    const moved = await t.shop.call('PATCH', `/api/v2/projects/${each.projectId}`, { payoutAddress });
    expect(moved.status).toBe(200);
    for (const [authorization, amount] of sent) await expectInVain(each.url, authorization, amount);
    expect((await answerOf(each.url, exact)).status).toBe(200);
    const [fresh] = mpp.challengesOf(await fetch(`${each.url}?fees=payer`, mpp.ASK));
    const ofFresh = mpp.changed(exact, () => ({ challenge: fresh! }));
    await expectInVain(each.url, ofFresh, '500000');
    const altered = mpp.changed(exact, ({ challenge }) => ({ challenge: { ...challenge, realm: 'x' } }));
    await expectInVain(each.url, altered, '500000');
  }
});

test('402 for what has paid somebody else, before and after', async () => {
  const [shop, stranger] = [await newShop(), await newOwner()];
  const elsewhere = await pushed({ url: shop.url, owner: stranger });
  expect((await answerOf(shop.url, elsewhere)).status).toBe(402);
  const payoutAddress = (await newOwner()).address;
  await t.shop.call('PATCH', `/api/v2/projects/${shop.projectId}`, { payoutAddress });
  expect((await answerOf(shop.url, elsewhere)).status).toBe(402);
});

test('a transaction that we have sent for another offer of this seller: 409, by either protocol', async () => {
  const shop = await newShop();
  const pulled = await mpp.credentialFor(t, rich, shop.url);
  expect((await answerOf(shop.url, pulled)).status).toBe(200);
  const [fresh] = mpp.challengesOf(await fetch(shop.url, mpp.ASK));
  const again = await answerOf(
    shop.url,
    mpp.changed(pulled, () => ({ challenge: fresh! })),
  );
  expect([again.status, again.body.error.message]).toEqual([
    409,
    expect.stringContaining('Do not pay again'),
  ]);
  const { headers, payload } = await x402.signOffer(t, rich, shop.url);
  expect((await x402.sendPayment(t, shop.url, headers)).status).toBe(200);
  const { accepted } = (await x402.signOffer(t, rich, shop.url)).payload;
  const other = Buffer.from(JSON.stringify({ ...payload, accepted })).toString('base64');
  const refused = await x402.sendPayment(t, shop.url, { 'PAYMENT-SIGNATURE': other });
  expect([refused.status, (await x402.bodyOf(refused)).error.message]).toEqual([
    409,
    expect.stringContaining('Do not pay again'),
  ]);
});

test('a transaction of the payer’s own fee, shown with another offer: 409 with the amount', async () => {
  const shop = await newShop();
  const pulled = await mpp.credentialFor(t, rich, `${shop.url}?fees=payer`);
  expect((await answerOf(shop.url, pulled)).status).toBe(200);
  const [fresh] = mpp.challengesOf(await fetch(`${shop.url}?fees=payer`, mpp.ASK));
  await expectInVain(
    shop.url,
    mpp.changed(pulled, () => ({ challenge: fresh! })),
    '500000',
  );
});
