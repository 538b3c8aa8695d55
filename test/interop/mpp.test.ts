import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { PaymentRequest, Receipt } from 'mppx';
import { beforeAll, describe, expect, test } from 'vitest';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { cleanUp } from '../support/clean-up.ts';
import { newIntent, readIntent } from '../support/payments.ts';
import { temporaryFolder } from '../support/process.ts';
import { newAddress } from '../support/service.ts';
import { createMint, createWallet, pay, usdcMint, type Wallet } from '../support/wallet.ts';
import {
  ASK,
  accept,
  challengeOf,
  challengesOf,
  changed,
  credentialFor,
  payAt,
  present,
  withSlots,
} from './mpp-client.ts';

/** The protocol's own client, `@solana/mpp` with `mppx`, unmodified: it signs and we send, or it sends and we look. */
let t: TestChain;
/** Holds no SOL. */
let poor: Wallet;
let rich: Wallet;
let projectId: string;
let url: string;
/** URL of a project that pays no fees. */
let unsponsoredUrl: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  poor = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 1_000_000_000n });
  rich = await createWallet(t.chain, { usdcBaseUnits: 1_000_000_000n });
  t.chain.advanceSlots(40);
  ({ projectId, url } = await newShop('Shop'));
  ({ url: unsponsoredUrl } = await newShop('No fees', { sponsorFees: 'never' }));
});

async function newShop(name: string, settings: object = {}) {
  const { body: project } = await t.shop.call('POST', '/api/v2/projects', { name });
  if (Object.keys(settings).length > 0)
    expect((await t.shop.call('PATCH', `/api/v2/projects/${project.id}`, { settings })).status).toBe(200);
  const terms = { billingMode: 'one_time', unitAmountCents: 250, productName: 'Report' };
  const setUp = { projectId: project.id, ...terms };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', setUp);
  return { projectId: project.id, url: `${t.service.url}/pay/${body.paymentLink.publicToken}` };
}

const rowsOf = async (table: string) =>
  Number((await t.service.db.query<{ n: bigint }>(`select count(*) as n from ${table}`))[0]!.n);

/** All that a payment could leave behind. */
async function traces() {
  const tables = ['payment_intents', 'checkout_sessions', 'invoices', 'customers', 'events', 'order_keys'];
  return Promise.all([...tables, 'sponsored_transactions', 'submitted_signatures'].map(rowsOf));
}

async function expectPaid(response: Response, payer: Wallet) {
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  const receipt = JSON.parse(text);
  expect(receipt).toMatchObject({ status: 'paid', amountCents: 250 });
  expect(Receipt.fromResponse(response)).toMatchObject({
    method: 'solana',
    reference: receipt.transaction,
    status: 'success',
  });
  await t.finalize();
  const { body: intent } = await t.shop.call('GET', `/api/merchants/intents/${receipt.paymentIntentId}`);
  expect(intent).toMatchObject({ status: 'succeeded', paidVia: 'mpp', payerAddress: payer.address });
  const { body: invoice } = await t.shop.call('GET', `/api/v2/invoices/${receipt.invoiceId}`);
  expect(invoice).toMatchObject({ status: 'paid', txSignature: receipt.transaction });
  return receipt;
}

describe('the offer', () => {
  test('comes with and without our fee, says what the client reads, and writes nothing', async () => {
    const before = await traces();
    const response = await fetch(url, ASK);
    expect(response.status).toBe(402);
    const [sponsored, plain, ...more] = challengesOf(response);
    expect(more).toEqual([]);
    expect(plain).toMatchObject({
      realm: '127.0.0.1',
      method: 'solana',
      intent: 'charge',
      request: {
        amount: '2500000',
        currency: usdcMint,
        description: 'Report',
        externalId: expect.stringMatching(/^florin:\w{32,44}\/mpp$/),
        recipient: t.merchant.address,
        methodDetails: { network: 'localnet', decimals: 6 },
      },
    });
    expect(plain!.request.methodDetails).not.toHaveProperty('feePayer');
    expect(sponsored!.request.methodDetails).toMatchObject({
      feePayer: true,
      feePayerKey: t.sponsor.feePayer.address,
      recentBlockhash: expect.any(String),
    });
    expect(response.headers.get('www-authenticate')).toContain(
      `request="${PaymentRequest.serialize(plain!.request)}"`,
    );
    expect(response.headers.get('payment-required')).toEqual(expect.any(String));
    expect(await traces()).toEqual(before);
  });

  test('without our fee payer, or for a client that pays its own fee, it is the plain one', async () => {
    const unsponsored = await fetch(unsponsoredUrl, ASK);
    expect([unsponsored.status, unsponsored.headers.get('payment-required')]).toEqual([402, null]);
    expect(unsponsored.headers.get('content-type')).toContain('application/problem+json');
    expect(await unsponsored.json()).toMatchObject({
      type: 'https://paymentauth.org/problems/payment-required',
      status: 402,
    });
    for (const response of [unsponsored, await fetch(`${url}?fees=payer`, ASK)]) {
      const challenges = challengesOf(response);
      expect(challenges).toHaveLength(1);
      expect(challenges[0]!.request.methodDetails).not.toHaveProperty('feePayer');
    }
  });
});

describe('pull', () => {
  test('a wallet without SOL buys from a payment link', async () => {
    await expectPaid(await payAt(t, poor, url), poor);
  });

  test('so does the program in the guide', async () => {
    const guide = readFileSync(new URL('../../docs/mpp.md', import.meta.url), 'utf8');
    const [, program] = /```js\n([\s\S]*?)```/.exec(guide)!;
    const file = join(await temporaryFolder(cleanUp), 'buy.mjs');
    const installed = import.meta.resolve('@solana/mpp/client');
    writeFileSync(file, program!.replace('@solana/mpp/client', installed));
    const { buy } = await import(file);
    const receipt = await withSlots(t, buy(url, poor.signer, t.chain.rpcUrl));
    expect(receipt).toMatchObject({ status: 'paid', payer: poor.address });
  });

  test('a wallet that pays its own fee does, where nobody else does', async () => {
    await expectPaid(await payAt(t, rich, unsponsoredUrl), rich);
  });

  test('an intent and a checkout are paid as well', async () => {
    const intent = await newIntent(t.shop, 100);
    const intentUrl = `${t.service.url}/intents/${intent.id}`;
    expect((await payAt(t, poor, intentUrl)).status).toBe(200);
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
    expect((await fetch(intentUrl, ASK)).status).toBe(200);
    const order = { projectId, mode: 'one_time', amountCents: 300, merchantReference: randomUUID() };
    const { body: session } = await t.shop.call('POST', '/api/v2/checkout-sessions', order);
    const checkout = `${t.service.url}/checkout/${session.checkoutUrl.split('/').at(-1)}`;
    const response = await payAt(t, rich, `${checkout}?fees=payer`);
    expect(await response.json()).toMatchObject({ status: 'paid', invoiceId: session.invoiceId });
  });
});

describe('push', () => {
  test('what the client has sent is looked up and booked', async () => {
    await expectPaid(await payAt(t, rich, `${url}?fees=payer`, { broadcast: true }), rich);
  });

  test('also where the watcher has listed it as unmatched by then', async () => {
    const authorization = await credentialFor(t, rich, `${url}?fees=payer`, { broadcast: true });
    await t.finalize();
    const open = async () =>
      (await t.shop.call('GET', '/api/v2/exceptions?status=open')).body.data.map(
        ({ kind }: { kind: string }) => kind,
      );
    expect(await open()).toEqual(['unmatched']);
    await expectPaid(await present(t, url, authorization), rich);
    expect(await open()).toEqual([]);
  });

  test.each(['at once', 'after the other is final'])(
    'a transaction that names another order by its reference pays that one, and buys nothing here, %s',
    async (when) => {
      const other = await newIntent(t.shop, 250);
      const unsent = await credentialFor(t, rich, `${url}?fees=payer`);
      const { externalId } = challengeOf(unsent).request as { externalId: string };
      const before = [await rowsOf('invoices'), await rowsOf('checkout_sessions')];
      const signature = await pay({
        ...{ rpcUrl: t.chain.rpcUrl, from: rich.signer, destinationOwner: t.merchant.address },
        ...{ amountBaseUnits: 2_500_000n, references: [other.reference], memo: externalId },
      });
      if (when !== 'at once') await t.finalize();
      const pushed = changed(unsent, () => ({ payload: { type: 'signature', signature } }));
      const answer = await present(t, url, pushed);
      expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('another order')]);
      expect([await rowsOf('invoices'), await rowsOf('checkout_sessions')]).toEqual(before);
      await t.finalize();
      expect(await readIntent(t.shop, other)).toEqual({ status: 'succeeded', cents: 250 });
    },
  );

  test('what another merchant calls a reference stops nobody, even if every payment names it', async () => {
    const { id } = await t.service.createMerchant('Odd', newAddress());
    const intent = await newIntent(t.shop);
    await t.service.db.query(
      `insert into payment_intents
       select (jsonb_populate_record(i, jsonb_build_object('merchant_id', $1::uuid, 'id', gen_random_uuid(),
                 'reference_address', $2::text, 'destination_address', $3::text))).*
         from payment_intents i where i.id = $4`,
      [id, USDC_MINTS.sandbox, newAddress(), intent.id],
    );
    const authorization = await credentialFor(t, rich, `${url}?fees=payer`, { broadcast: true });
    expect((await present(t, url, authorization)).status).toBe(200);
    await t.service.db.query('delete from payment_intents where merchant_id = $1', [id]);
  });

  test('an intent is paid as well', async () => {
    const intent = await newIntent(t.shop, 100);
    const response = await payAt(t, rich, `${t.service.url}/intents/${intent.id}?fees=payer`, {
      broadcast: true,
    });
    expect(response.status).toBe(200);
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  });
});

describe('charged once', () => {
  const ways: [string, () => Wallet, string, object][] = [
    ['pull', () => poor, '', {}],
    ['pull with their own fee', () => rich, '?fees=payer', {}],
    ['push', () => rich, '?fees=payer', { broadcast: true }],
  ];

  test.each(ways)('%s: the same credential 10 times at once, and again when it is over', async (...way) => {
    const [, wallet, query, options] = way;
    const authorization = await credentialFor(t, wallet(), `${url}${query}`, options);
    const before = await rowsOf('invoices');
    const held = await balanceOf(t.merchant);
    const sent = Array.from({ length: 10 }, () => present(t, url, authorization));
    const responses = await Promise.all(sent);
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const bodies = responses.map((response) => response.json() as Promise<{ invoiceId: string }>);
    const answers = await Promise.all(bodies);
    expect(new Set(answers.map(({ invoiceId }) => invoiceId)).size).toBe(1);
    await t.finalize();
    const again = await present(t, url, authorization);
    expect(await again.json()).toEqual(answers[0]);
    expect(await rowsOf('invoices')).toBe(before + 1);
    const paid = 'broadcast' in options ? 0n : 2_500_000n;
    expect((await balanceOf(t.merchant)) - held).toBe(paid);
  });

  test.each(ways.slice(0, 2))('%s: of two transactions for one offer one is sent', async (...way) => {
    const [, wallet, query] = way;
    const first = await credentialFor(t, wallet(), `${url}${query}`);
    const second = await accept(t, wallet(), challengeOf(first), { computeUnitLimit: 190_000 });
    expect(second).not.toBe(first);
    const held = await balanceOf(t.merchant);
    const answers = await Promise.all([first, second].map((each) => present(t, url, each)));
    const settled = answers.filter(({ status }) => status === 200);
    expect(settled.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
      Array(2 - settled.length).fill(503),
    );
    await t.finalize();
    for (const each of [first, second]) expect((await present(t, url, each)).status).toBe(200);
    expect((await balanceOf(t.merchant)) - held).toBe(2_500_000n);
  });
});

describe('402 with its reason, and nothing written', () => {
  async function expectRefused(authorization: string, kind: string, at = url) {
    const before = await traces();
    const response = await present(t, at, authorization);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      402,
      expect.stringContaining('application/problem+json'),
    ]);
    expect(await response.json()).toMatchObject({
      type: `https://paymentauth.org/problems/${kind}`,
      status: 402,
      detail: expect.any(String),
    });
    expect(challengesOf(response).length).toBeGreaterThan(0);
    expect(await traces()).toEqual(before);
  }

  test('what is no credential', async () => {
    for (const text of ['Payment', 'Payment !', 'Payment e30', `Payment ${'A'.repeat(500)}`])
      await expectRefused(text, 'malformed-credential');
    const right = await credentialFor(t, poor, url);
    for (const payload of [
      {},
      { type: 'signature' },
      { type: 'transaction' },
      { type: 'signature', signature: 'x' },
    ])
      await expectRefused(
        changed(right, () => ({ payload })),
        'invalid-payload',
      );
    const other = changed(right, ({ challenge }) => ({ challenge: { ...challenge, method: 'tempo' } }));
    expect((await present(t, url, other)).status).toBe(400);
  });

  test('a challenge that is forged, changed, or of another place', async () => {
    const right = await credentialFor(t, poor, url);
    const forge = (change: object) =>
      changed(right, ({ challenge }) => ({ challenge: { ...challenge, ...change } }));
    const { request, opaque } = challengeOf(right);
    const forged = [
      { id: 'A'.repeat(43) },
      { id: '' },
      { realm: 'elsewhere.test' },
      { expires: '2999-01-01T00:00:00.000Z' },
      { request: { ...request, amount: '1' } },
      { request: { ...request, recipient: poor.address } },
      { request: { ...request, methodDetails: { network: 'localnet', decimals: 6 } } },
      { opaque: { order: randomUUID() } },
      { opaque: undefined },
    ];
    expect(opaque).toEqual({ order: expect.any(String) });
    for (const change of forged) await expectRefused(forge(change), 'invalid-challenge');
    await expectRefused(right, 'invalid-challenge', unsponsoredUrl);
    await expectRefused(right, 'invalid-challenge', `${url}?client_reference_id=other`);
    const intent = await newIntent(t.shop, 250);
    await expectRefused(right, 'invalid-challenge', `${t.service.url}/intents/${intent.id}`);
  });

  test('a transaction of another amount, token, payee or memo, unsigned or not enough', async () => {
    for (const [wallet, query] of [
      [poor, ''],
      [rich, '?fees=payer'],
    ] as const) {
      const right = challengeOf(await credentialFor(t, wallet, `${url}${query}`));
      const mint = await createMint(t.chain.rpcUrl, rich.signer, 10n ** 9n);
      t.chain.advanceSlots(40);
      const wrong: [object, string][] = [
        [{ amount: '2499999' }, 'payment-insufficient'],
        [{ amount: '2500001' }, 'payment-insufficient'],
        [{ currency: mint }, 'verification-failed'],
        [{ recipient: (await generateKeyPairSigner()).address }, 'verification-failed'],
        [{ externalId: 'another order' }, 'verification-failed'],
        [{ externalId: undefined }, 'verification-failed'],
      ];
      for (const [change, kind] of wrong) {
        const request = { ...right.request, ...change };
        const paid = await accept(t, wallet, { ...right, request } as never);
        await expectRefused(
          changed(paid, () => ({ challenge: right })),
          kind,
        );
      }
      const broke = await createWallet(t.chain, { usdcBaseUnits: 10n });
      t.chain.advanceSlots(40);
      await expectRefused(await accept(t, broke, right), 'verification-failed');
    }
  });

  test('409 for a signature of another payment or amount, with what it paid; 402 if it paid nothing of ours', async () => {
    const ours = challengesOf(await fetch(`${url}?fees=payer`, ASK))[0]!;
    const earlier = await credentialFor(t, rich, `${url}?fees=payer`, { broadcast: true });
    await expectPaid(await present(t, url, earlier), rich);
    const expectInVain = async (authorization: string, kind: string, amount: string) => {
      const answer = await present(t, url, authorization);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([409, null]);
      expect(await answer.json()).toMatchObject({
        type: expect.stringContaining(kind),
        detail: expect.stringContaining('Do not pay again'),
        amount,
      });
    };
    await expectInVain(
      changed(earlier, () => ({ challenge: ours })),
      'verification-failed',
      '2500000',
    );
    const { rpcUrl } = t.chain;
    const memo = (ours.request as { externalId: string }).externalId;
    const payment = { rpcUrl, from: rich.signer, destinationOwner: t.merchant.address, memo };
    const other = await generateKeyPairSigner();
    const pushed = async (each: Parameters<typeof pay>[0]) => {
      const signature = await pay(each);
      t.chain.advanceSlots(2);
      return changed(earlier, () => ({ challenge: ours, payload: { type: 'signature', signature } }));
    };
    await expectInVain(
      await pushed({ ...payment, amountBaseUnits: 2_499_999n }),
      'payment-insufficient',
      '2499999',
    );
    await expectInVain(
      await pushed({ ...payment, amountBaseUnits: 2_500_000n, memo: 'hello' }),
      'verification-failed',
      '2500000',
    );
    await expectRefused(
      await pushed({ ...payment, amountBaseUnits: 2_500_000n, destinationOwner: other.address }),
      'verification-failed',
    );
    const sponsored = challengesOf(await fetch(url, ASK))[0]!;
    await expectInVain(
      changed(earlier, () => ({ challenge: sponsored })),
      'invalid-payload',
      '2500000',
    );
    // Whatever is wrong with the rest of it.
    await expectInVain(
      changed(earlier, () => ({ challenge: { ...ours, id: 'another' } })),
      'invalid-challenge',
      '2500000',
    );
  });

  test('an offer whose time is over; what was paid in time is still taken', async () => {
    const pulled = await credentialFor(t, poor, url);
    const pushed = await credentialFor(t, rich, `${url}?fees=payer`, { broadcast: true });
    const { clock } = t.service;
    clock.setOffsetMs(10 * 60_000);
    try {
      await expectRefused(pulled, 'payment-expired');
      expect((await present(t, url, pushed)).status).toBe(200);
      clock.setOffsetMs(3 * 3_600_000);
      const late = await credentialFor(t, rich, `${url}?fees=payer`, { broadcast: true });
      clock.setOffsetMs(6 * 3_600_000);
      expect((await present(t, url, late)).status).toBe(409);
    } finally {
      clock.setOffsetMs(0);
    }
  });
});

async function balanceOf({ usdcAccount }: Wallet): Promise<bigint> {
  const rpc = createSolanaRpc(t.chain.rpcUrl);
  const { value } = await rpc
    .getTokenAccountBalance(usdcAccount as never, { commitment: 'processed' })
    .send();
  return BigInt(value.amount);
}
