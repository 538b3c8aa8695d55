import { type Base64EncodedWireTransaction, createSolanaRpc } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks } from '../support/payments.ts';
import { newAddress } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** A program that has paid in time and says so late is never asked for more money. */
let t: TestChain;
let rich: Wallet;
let projectId: string;
let priceId: string;
let link: { id: string; url: string };
let paywall: { id: string; url: string };

beforeEach(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 5_000 });
  await t.chain.mintTo(t.merchant.address, 1n);
  rich = await createWallet(t.chain, { usdcBaseUnits: 1_000_000_000n });
  t.chain.advanceSlots(40);
  const seller = { legalName: 'Muster GmbH', country: 'DE' };
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop', seller })).body.id;
  await newDefaultRate(10);
  const sold = { billingMode: 'one_time', unitAmountCents: 500, taxBehavior: 'exclusive' };
  const product = await t.shop.call('POST', '/api/v2/products', { projectId, name: 'Report' });
  const price = await t.shop.call('POST', '/api/v2/prices', {
    projectId,
    productId: product.body.id,
    ...sold,
  });
  priceId = price.body.id;
  const { body } = await t.shop.call('POST', '/api/v2/payment-links', { projectId, priceId });
  link = { id: body.id, url: `${t.service.url}/pay/${body.publicToken}` };
  const terms = { projectId, priceId, description: 'The report' };
  const { body: wall } = await t.shop.call('POST', '/api/v2/x402/paywalls', terms);
  paywall = { id: wall.id, url: `${t.service.url}${new URL(wall.url).pathname}` };
});

async function newDefaultRate(percent: number): Promise<void> {
  const rate = { projectId, name: 'VAT', percent, country: 'DE', isDefault: true };
  expect((await t.shop.call('POST', '/api/v2/tax-rates', rate)).status).toBe(201);
}

/** Sells once: from the first sale on, the seller's address is watched. */
async function sellOnce(): Promise<void> {
  expect((await x402.payAt(t, rich, link.url)).status).toBe(200);
  await t.finalize();
}

const push = (url: string, wallet = rich) =>
  mpp.credentialFor(t, wallet, `${url}?fees=payer`, { broadcast: true });

/** Signed for us to send, but sent by the client. */
async function pullAndSend(url: string): Promise<string> {
  const authorization = await mpp.credentialFor(t, rich, `${url}?fees=payer`);
  const wire = mpp.payloadOf(authorization).transaction as Base64EncodedWireTransaction;
  await createSolanaRpc(t.chain.rpcUrl).sendTransaction(wire, { encoding: 'base64' }).send();
  t.chain.advanceSlots(3);
  return authorization;
}

async function openExceptions() {
  const { body } = await t.shop.call('GET', '/api/v2/exceptions?status=open');
  return body.data as { kind: string; paymentIntentId: string | null; amountCents: number }[];
}

const CHANGES: Record<string, () => Promise<unknown>> = {
  'the payout address has changed': async () => {
    const payoutAddress = newAddress();
    await t.chain.mintTo(payoutAddress as never, 1n);
    t.chain.advanceSlots(40);
    return t.shop.call('PATCH', '/api/b2b/merchants/payout-address', { payoutAddress });
  },
  'the tax rate has changed': () => newDefaultRate(20),
  'the price was switched off': () => t.shop.call('PATCH', `/api/v2/prices/${priceId}`, { isActive: false }),
  'the link was switched off and the paywall deleted': async () => {
    await t.shop.call('PATCH', `/api/v2/payment-links/${link.id}`, { status: 'inactive' });
    await t.shop.call('DELETE', `/api/v2/x402/paywalls/${paywall.id}`);
  },
};

describe.each(Object.entries(CHANGES))('reported after %s', (_name, change) => {
  test.each([
    ['a signature', push, false],
    ['a signature that the watcher has listed as unmatched', push, true],
    ['a transaction that its client has sent', pullAndSend, false],
  ] as const)('%s: the receipt', async (_way, send, isListed) => {
    const { url } = link;
    if (isListed) await sellOnce();
    const authorization = await send(url);
    if (isListed) await t.finalize();
    expect(await openExceptions()).toHaveLength(isListed ? 1 : 0);
    await change();
    const answer = await mpp.present(t, url, authorization);
    const receipt = await x402.bodyOf(answer);
    expect([answer.status, receipt]).toEqual([200, expect.objectContaining({ amountCents: 550 })]);
    await t.finalize();
    const { body: intent } = await t.shop.call('GET', `/api/merchants/intents/${receipt.paymentIntentId}`);
    expect(intent).toMatchObject({ status: 'succeeded', paidVia: 'mpp', payerAddress: rich.address });
    const { body: invoice } = await t.shop.call('GET', `/api/v2/invoices/${receipt.invoiceId}`);
    expect(invoice).toMatchObject({ status: 'paid', totalCents: 550 });
    expect(await openExceptions()).toEqual([]);
    await expectSoundBooks(t);
  });

  test('at a paywall as well', async () => {
    const authorization = await push(paywall.url);
    await change();
    const answer = await mpp.present(t, paywall.url, authorization);
    expect([answer.status, (await x402.bodyOf(answer)).status]).toEqual([200, 'paid']);
    await t.finalize();
    expect(await openExceptions()).toEqual([]);
    await expectSoundBooks(t);
  });
});

describe('a checkout', () => {
  async function newCheckout() {
    const order = { projectId, mode: 'one_time', amountCents: 500 };
    const { body } = await t.shop.call('POST', '/api/v2/checkout-sessions', order);
    const url = `${t.service.url}${new URL(body.checkoutUrl).pathname}`;
    return { id: body.id as string, paymentIntentId: body.paymentIntentId as string, url };
  }

  test('that expired while its offer was still good: the receipt', async () => {
    const session = await newCheckout();
    const { body } = await t.shop.call('GET', `/api/v2/checkout-sessions/${session.id}`);
    const endMs = new Date(body.expiresAt).getTime() - Date.now();
    t.service.clock.setOffsetMs(endMs - 120_000);
    const [challenge] = mpp.challengesOf(await fetch(`${session.url}?fees=payer`, mpp.ASK));
    t.service.clock.setOffsetMs(endMs + 60_000);
    await t.finalize();
    expect(await t.expire()).toBe(1);
    const authorization = await mpp.accept(t, rich, challenge!, { broadcast: true });
    const answer = await mpp.present(t, session.url, authorization);
    expect([answer.status, (await x402.bodyOf(answer)).status]).toEqual([200, 'paid']);
    await t.finalize();
    expect(await openExceptions()).toEqual([]);
    await expectSoundBooks(t);
  });

  test.each([
    ['its signature', push],
    ['its transaction', pullAndSend],
  ] as const)(
    'that was canceled since, %s: 409 for good, and the money is listed with the order',
    async (_, send) => {
      const session = await newCheckout();
      const authorization = await send(session.url);
      expect((await t.shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`)).status).toBe(200);
      for (const when of ['seen', 'final']) {
        const answer = await mpp.present(t, session.url, authorization);
        expect([when, answer.status, answer.headers.get('www-authenticate')]).toEqual([when, 409, null]);
        const { message } = (await x402.bodyOf(answer)).error;
        expect(message).toMatch(/canceled.*has arrived.*Do not pay again/);
        await t.finalize();
      }
      expect(await openExceptions()).toMatchObject([
        { kind: 'canceled', paymentIntentId: session.paymentIntentId, amountCents: 500 },
      ]);
      await expectSoundBooks(t);
    },
  );
});

test.each([
  ['before the watcher has seen it', false],
  ['after it was listed as unmatched', true],
])(
  'a link that has sold out since, %s: 409 for good, and the money is listed with the order',
  async (_, isListed) => {
    await t.shop.call('PATCH', `/api/v2/payment-links/${link.id}`, { maxPayments: 1 });
    const authorization = await push(link.url);
    if (isListed) await t.finalize();
    const other = await x402.programWallet(t);
    t.chain.advanceSlots(40);
    const bought = await x402.payAt(t, other, link.url);
    expect(bought.status).toBe(200);
    for (let times = 0; times < 2; times++) {
      const answer = await mpp.present(t, link.url, authorization);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([409, null]);
      expect((await x402.bodyOf(answer)).error.message).toMatch(/has arrived.*Do not pay again/);
      await t.finalize();
    }
    const { order } = mpp.challengeOf(authorization).opaque as { order: string };
    expect(await openExceptions()).toMatchObject([{ paymentIntentId: order, amountCents: 550 }]);
    expect((await t.shop.call('GET', `/api/v2/payment-links/${link.id}`)).body.paymentsCount).toBe(1);
    await expectSoundBooks(t);
  },
);

describe('money that was sent for an order and not reported', () => {
  const SECOND: Record<string, (offered: Response) => Promise<Record<string, string>>> = {
    x402: async (offered) => (await x402.signOffered(t, rich, offered)).headers,
    'MPP, our fee': async (offered) => ({
      authorization: await mpp.accept(t, rich, mpp.challengesOf(offered)[0]!),
    }),
    'MPP, their fee': async (offered) => ({
      authorization: await mpp.accept(t, rich, mpp.challengesOf(offered)[1]!, { computeUnitLimit: 190_000 }),
    }),
  };

  test.each(Object.entries(SECOND))('pays it, before %s takes any', async (_name, sign) => {
    for (const isFinal of [false, true]) {
      const offered = await fetch(link.url, x402.JSON_ONLY);
      const sent = await mpp.accept(t, rich, mpp.challengesOf(offered)[1]!, { broadcast: true });
      t.chain.advanceSlots(3);
      await (isFinal ? t.finalize() : t.look());
      const before = await balanceOf(rich);
      const headers = await sign(offered);
      const answer = await x402.sendPayment(t, link.url, headers);
      const receipt = await x402.bodyOf(answer);
      expect([answer.status, receipt]).toEqual([
        200,
        expect.objectContaining({ transaction: mpp.payloadOf(sent).signature }),
      ]);
      await t.finalize();
      expect(await balanceOf(rich)).toBe(before);
      expect(await x402.bodyOf(await mpp.present(t, link.url, sent))).toEqual(receipt);
      expect(await openExceptions()).toEqual([]);
    }
    await expectSoundBooks(t);
  });
});

async function balanceOf({ usdcAccount }: Wallet): Promise<bigint> {
  const rpc = createSolanaRpc(t.chain.rpcUrl);
  const { value } = await rpc.getTokenAccountBalance(usdcAccount, { commitment: 'processed' }).send();
  return BigInt(value.amount);
}
