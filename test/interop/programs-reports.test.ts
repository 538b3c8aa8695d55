import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks } from '../support/payments.ts';
import { createWallet, pay, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** Reports of a program's payment after the seller, or time, has changed something. */
let t: TestChain;
let rich: Wallet;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 5_000 });
  rich = await createWallet(t.chain, { usdcBaseUnits: 1_000_000_000n });
});

/** A project that has never sold: nobody watches its address yet. */
async function newShop() {
  const owner = await createWallet(t.chain, { usdcBaseUnits: 1n });
  t.chain.advanceSlots(40);
  const named = { name: 'Shop', payoutAddress: owner.address };
  const { body: project } = await t.shop.call('POST', '/api/v2/projects', named);
  const projectId = project.id as string;
  const sold = { projectId, productName: 'Report', billingMode: 'one_time', unitAmountCents: 50 };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', sold);
  const terms = { projectId, priceId: body.price.id, description: 'The report' };
  const { body: wall } = await t.shop.call('POST', '/api/v2/x402/paywalls', terms);
  const here = (url: string) => `${t.service.url}${new URL(url).pathname}`;
  const link = { id: body.paymentLink.id as string, url: here(body.paymentLink.url) };
  return { projectId, owner, link, paywall: { id: wall.id as string, url: here(wall.url) } };
}

type Shop = Awaited<ReturnType<typeof newShop>>;

interface Sent {
  url: string;
  authorization: string;
  signature: string;
}

async function pushAt(url: string): Promise<Sent> {
  const authorization = await mpp.credentialFor(t, rich, `${url}?fees=payer`, { broadcast: true });
  return { url, authorization, signature: mpp.payloadOf(authorization).signature! };
}

async function exceptionsOf(signature: string) {
  const { body } = await t.shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`);
  return body.data as { id: string; kind: string; status: string; amountCents: number }[];
}

async function sessionsOf({ projectId }: Shop): Promise<string[]> {
  const { body } = await t.shop.call('GET', `/api/v2/checkout-sessions?projectId=${projectId}`);
  return body.data.map(({ status }: { status: string }) => status);
}

async function expectReceipt({ url, authorization, signature }: Sent): Promise<void> {
  const answer = await mpp.present(t, url, authorization);
  const receipt = await x402.bodyOf(answer);
  expect([answer.status, receipt]).toEqual([200, expect.objectContaining({ status: 'paid' })]);
  await t.finalize();
  expect((await exceptionsOf(signature)).filter(({ status }) => status === 'open')).toEqual([]);
}

/** However often it is asked. */
async function expectArrived({ url, authorization }: Omit<Sent, 'signature'>, why: RegExp): Promise<void> {
  for (let times = 0; times < 2; times++) {
    const answer = await mpp.present(t, url, authorization);
    const { error } = await x402.bodyOf(answer);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([409, null]);
    expect(error.message).toMatch(why);
    expect(error.message).toMatch(/has arrived.* Do not pay again\.$/);
    await t.finalize();
  }
}

async function expectListed({ signature }: Pick<Sent, 'signature'>): Promise<void> {
  expect(await exceptionsOf(signature)).toMatchObject([
    { kind: 'unmatched', status: 'open', amountCents: 50 },
  ]);
}

const change = ({ id }: Shop['link'], to: object) => expectDone('PATCH', `/api/v2/payment-links/${id}`, to);

async function expectDone(method: 'PATCH' | 'DELETE' | 'POST', path: string, body?: object): Promise<void> {
  expect((await t.shop.call(method, path, body)).status).toBeLessThan(300);
}

async function deleteLink(link: Shop['link']): Promise<void> {
  await change(link, { status: 'inactive' });
  await expectDone('DELETE', `/api/v2/payment-links/${link.id}`);
}

test('a link that now requires an e-mail address or a reference, or is deleted: the receipt', async () => {
  const CHANGES = [
    ({ link }: Shop) => change(link, { collectCustomerEmail: true }),
    ({ link }: Shop) => change(link, { requireClientReferenceId: true }),
    ({ link }: Shop) => deleteLink(link),
  ];
  const shops = [await newShop(), await newShop(), await newShop()];
  const sent = await Promise.all(shops.map(({ link }) => pushAt(link.url)));
  for (const [i, apply] of CHANGES.entries()) {
    await apply(shops[i]!);
    await expectReceipt(sent[i]!);
  }
  await expectSoundBooks(t);
});

test('a limited link that is deleted sells no more than its limit', async () => {
  const { link } = await newShop();
  const [first, second] = await Promise.all([pushAt(link.url), pushAt(link.url)]);
  await change(link, { maxPayments: 1 });
  await deleteLink(link);
  await expectReceipt(first);
  await expectArrived(second, /canceled/);
  await expectSoundBooks(t);
});

test('a project that is archived: 409 at its link and its paywall, and the money is listed', async () => {
  const shop = await newShop();
  const sent = await Promise.all([shop.link.url, shop.paywall.url].map(pushAt));
  await expectDone('DELETE', `/api/v2/projects/${shop.projectId}`);
  for (const each of sent) {
    await expectArrived(each, /^This can no longer be sold\./);
    await expectListed(each);
  }
  expect(await sessionsOf(shop)).toEqual([]);
  await expectSoundBooks(t);
});

describe('time', () => {
  const MINUTE_MS = 60_000;
  let offsetMs = 0;
  const passMinutes = (minutes: number) => {
    offsetMs += minutes * MINUTE_MS;
    t.service.clock.setOffsetMs(offsetMs);
  };

  test('reported after 50 minutes: the receipt; after 70: 409, and the money is listed', async () => {
    const [fresh, later, watched] = [await newShop(), await newShop(), await newShop()];
    const urls = [fresh.link.url, later.link.url, later.paywall.url, watched.link.url, watched.link.url];
    const [soon, ...late] = await Promise.all(urls.map(pushAt));
    await expectReceipt(late.pop()!);
    passMinutes(50);
    await expectReceipt(soon!);
    passMinutes(20);
    for (const each of late) {
      await expectArrived(each, /^This was reported too late: the offer expired at /);
      await expectListed(each);
    }
    expect(await sessionsOf(later)).toEqual([]);
    await expectSoundBooks(t);
  });

  test('paid after the offer had ended: 409, and the money is listed', async () => {
    const { url } = (await newShop()).link;
    const [challenge] = mpp.challengesOf(await fetch(`${url}?fees=payer`, mpp.ASK));
    passMinutes(10);
    t.chain.advanceSlots(1);
    const authorization = await mpp.accept(t, rich, challenge!, { broadcast: true });
    await expectArrived({ url, authorization }, /^This was paid after the offer had expired/);
    await expectListed({ signature: mpp.payloadOf(authorization).signature! });
  });

  test('reported after two days where nobody watched: 409, and the seller has to be asked', async () => {
    const { link } = await newShop();
    const sent = await pushAt(link.url);
    passMinutes(2 * 24 * 60);
    await expectArrived(sent, /too old to be listed/);
    expect(await exceptionsOf(sent.signature)).toEqual([]);
  });

  test('signed, never sent, and reported after 70 minutes: 402 with a new offer', async () => {
    const { link } = await newShop();
    const authorization = await mpp.credentialFor(t, rich, `${link.url}?fees=payer`);
    passMinutes(70);
    const answer = await mpp.present(t, link.url, authorization);
    expect([answer.status, (await x402.bodyOf(answer)).type]).toEqual([
      402,
      expect.stringContaining('payment-expired'),
    ]);
  });
});

test('too little, where nobody has sold before: 409, and the money is listed', async () => {
  const { link, owner } = await newShop();
  const [challenge] = mpp.challengesOf(await fetch(`${link.url}?fees=payer`, mpp.ASK));
  const memo = (challenge!.request as { externalId: string }).externalId;
  const { rpcUrl } = t.chain;
  const sent = {
    rpcUrl,
    from: rich.signer,
    destinationOwner: owner.address,
    amountBaseUnits: 400_000n,
    memo,
  };
  const signature = await pay(sent);
  t.chain.advanceSlots(2);
  const payload = { type: 'signature', signature };
  const pulled = await mpp.accept(t, rich, challenge!);
  const authorization = mpp.changed(pulled, () => ({ payload }));
  const answer = await mpp.present(t, link.url, authorization);
  expect([answer.status, (await x402.bodyOf(answer)).type]).toEqual([
    409,
    expect.stringContaining('payment-insufficient'),
  ]);
  await t.finalize();
  expect(await exceptionsOf(signature)).toMatchObject([{ kind: 'unmatched', amountCents: 40 }]);
});

describe('the seller has decided about the money before it is reported', () => {
  const DECISIONS: ((exceptionId: string, shop: Shop) => Promise<unknown>)[] = [
    (id) => expectDone('POST', `/api/v2/exceptions/${id}/keep`, {}),
    (id) => expectDone('POST', `/api/v2/exceptions/${id}/mark-returned`, {}),
    async (id, { projectId }) => {
      const order = { projectId, mode: 'one_time', amountCents: 50 };
      const { body } = await t.shop.call('POST', '/api/v2/checkout-sessions', order);
      const { paymentIntentId } = body;
      await expectDone('POST', `/api/v2/exceptions/${id}/link`, { paymentIntentId });
    },
  ];

  test('kept, returned, linked to another order: 409 every time, and no order', async () => {
    const shop = await newShop();
    const { link, paywall } = shop;
    const [sold, ...sent] = await Promise.all([paywall.url, link.url, link.url, paywall.url].map(pushAt));
    await expectReceipt(sold!);
    for (const [i, decide] of DECISIONS.entries()) {
      const [listed] = await exceptionsOf(sent[i]!.signature);
      await decide(listed!.id, shop);
      const before = await sessionsOf(shop);
      await expectArrived(sent[i]!, /the seller has already decided about it/);
      expect(await sessionsOf(shop)).toEqual(before);
    }
    await expectSoundBooks(t);
  });

  test('kept while its order is being written: 409, and the order is canceled', async () => {
    const shop = await newShop();
    const { link, paywall, owner } = shop;
    const [sold, late] = await Promise.all([paywall.url, link.url].map(pushAt));
    await expectReceipt(sold!);
    const [listed] = await exceptionsOf(late!.signature);
    const answering = await t.service.db.transaction(async (tx) => {
      // Booking needs this row; writing the order does not.
      await tx.query('select from watched_accounts where destination = $1 for update', [owner.address]);
      const report = mpp.present(t, late!.url, late!.authorization);
      await expect.poll(() => sessionsOf(shop)).toContain('open');
      await DECISIONS[0]!(listed!.id, shop);
      return { report };
    });
    const answer = await answering.report;
    expect([answer.status, (await x402.bodyOf(answer)).error.message]).toEqual([
      409,
      expect.stringContaining('the seller has already decided about it'),
    ]);
    expect((await sessionsOf(shop)).sort()).toEqual(['canceled', 'complete']);
    await expectSoundBooks(t);
  });
});

test('x402: a payment of an earlier offer of a link that is off gets 410, of a deleted one 404, and nothing is taken', async () => {
  const { link } = await newShop();
  const { headers } = await x402.signOffer(t, rich, link.url);
  await change(link, { status: 'inactive' });
  expect((await x402.sendOnce(link.url, headers)).status).toBe(410);
  await expectDone('DELETE', `/api/v2/payment-links/${link.id}`);
  expect((await x402.sendOnce(link.url, headers)).status).toBe(404);
});
