import { randomUUID } from 'node:crypto';
import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import { newIntent, payIntent } from '../../../test/support/payments.ts';
import { call, type TestAnswer } from '../../../test/support/service.ts';

let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  call(t.service.url + path, method, body, headers);

describe('GET /api/public/intents/{id}', () => {
  test('200 with exactly what a payer may know, and nothing of the merchant’s', async () => {
    const order = { amountCents: 1250, orderId: 'secret order?' };
    const { body: intent } = await t.shop.call('POST', '/api/merchants/intents', order);
    const { status, body, headers } = await ask('GET', `/api/public/intents/${intent.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      merchantName: 'Shop',
      expectedAmountCents: 1250,
      amountReceivedCents: 0,
      destinationAddress: t.merchant.address,
      referenceAddress: intent.referenceAddress,
      status: 'pending',
      expiresAt: intent.expiresAt,
      paymentUrl: expect.stringMatching(
        new RegExp(`^solana:${t.merchant.address}\\?amount=12\\.5&spl-token=\\w+&reference=\\w+&`),
      ),
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('the on-chain memo names no intent: reading it there does not reveal the page', async () => {
    const intent = await newIntent(t.shop);
    const { body } = await ask('GET', `/api/public/intents/${intent.id}`);
    expect(body.paymentUrl).not.toContain(intent.id);
    expect(new URL(body.paymentUrl).searchParams.get('memo')).toBe(intent.reference);
    const prepared = await ask('POST', `/api/public/intents/${intent.id}/pay`, {
      account: t.customer.address,
    });
    const bytes = Buffer.from(prepared.body.transaction, 'base64').toString('latin1');
    expect(bytes).not.toContain(intent.id);
    expect(bytes).toContain(intent.reference);
  });

  test('200 for long names in any script, whose payment URL and code are shortened instead of failing', async () => {
    const name = '東京都千代田区の小さな珈琲店と書店、そして図書館'.repeat(9).slice(0, 200);
    const shop = await t.service.createMerchant(name);
    for (const orderId of ['注文'.repeat(64), '👩‍👩‍👧‍👦'.repeat(11), 'x'.repeat(128)]) {
      const { body: intent } = await shop.call('POST', '/api/merchants/intents', { amountCents: 1, orderId });
      const { status, body } = await ask('GET', `/api/public/intents/${intent.id}`);
      expect(status).toBe(200);
      const { searchParams } = new URL(body.paymentUrl);
      expect(name.startsWith(searchParams.get('label')!.replace(/…$/, ''))).toBe(true);
      expect(orderId.startsWith(searchParams.get('message')!.replace(/…$/, ''))).toBe(true);
      const page = await fetch(`${t.service.url}/intents/${intent.id}`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('class="qr"')]);
    }
  });

  test('the merchant’s order is on the page while it can be paid, and not once money came in', async () => {
    const order = { amountCents: 100, orderId: 'Order of Ada Lovelace' };
    const { body: made } = await t.shop.call('POST', '/api/merchants/intents', order);
    const intent = { id: made.id, reference: made.referenceAddress, expiresAt: new Date(made.expiresAt) };
    const page = async () => (await fetch(`${t.service.url}/intents/${made.id}`)).text();
    const json = async () => (await ask('GET', `/api/public/intents/${made.id}`)).text;
    expect(await page()).toContain(order.orderId);
    await payIntent(t, intent, { amountBaseUnits: 1_000_000n });
    t.chain.advanceSlots(2);
    await t.look();
    expect(await page()).not.toContain(order.orderId);
    await t.finalize();
    expect((await ask('GET', `/api/public/intents/${made.id}`)).body.status).toBe('succeeded');
    for (const text of [await page(), await json()]) {
      expect(text).not.toContain(order.orderId);
      expect(text).not.toContain(encodeURIComponent(order.orderId));
    }
  });

  test('200 with what is still due after a part, and no URL once nothing is', async () => {
    const intent = await newIntent(t.shop);
    const view = async () => (await ask('GET', `/api/public/intents/${intent.id}`)).body;
    await payIntent(t, intent, { amountBaseUnits: 400_000n });
    await t.finalize();
    expect(await view()).toMatchObject({ status: 'underpaid', amountReceivedCents: 40 });
    expect(new URL((await view()).paymentUrl).searchParams.get('amount')).toBe('0.6');
    await payIntent(t, intent, { amountBaseUnits: 600_000n });
    await t.finalize();
    expect(await view()).toMatchObject({ status: 'succeeded', paymentUrl: null });
  });

  test('200 without a URL for an amount that no transfer can carry, digits kept', async () => {
    const body = '{"amountCents":9223372036854775807,"orderId":"much"}';
    const { body: intent } = await t.shop.call('POST', '/api/merchants/intents', body);
    const view = await ask('GET', `/api/public/intents/${intent.id}`);
    expect(view.text).toContain('"expectedAmountCents":9223372036854775807,');
    expect(view.body.paymentUrl).toBeNull();
    const prepared = await ask('POST', `/api/public/intents/${intent.id}/pay`, {
      account: t.customer.address,
    });
    expect([prepared.status, Object.keys(prepared.body)]).toEqual([409, ['message']]);
  });

  test('404 for an unknown and a malformed id, 400 for an unknown parameter, 405 for another method', async () => {
    const intent = await newIntent(t.shop);
    expect((await ask('GET', `/api/public/intents/${randomUUID()}`)).body.error.code).toBe('NOT_FOUND');
    expect((await ask('GET', '/api/public/intents/none')).body.error.code).toBe('NOT_FOUND');
    expect((await ask('GET', `/api/public/intents/${intent.id}?a=1`)).status).toBe(400);
    expect((await ask('DELETE', `/api/public/intents/${intent.id}`)).status).toBe(405);
    expect((await ask('GET', `/api/public/intents/${intent.id}/check`)).status).toBe(405);
  });
});

async function newTerminal(): Promise<string> {
  return (await t.shop.call('POST', '/api/b2b/merchants/terminals', { name: 'Till' })).body.id;
}

async function newTerminalIntent() {
  const terminalId = await newTerminal();
  const order = { amountCents: 100, orderId: randomUUID(), terminalId };
  const { body } = await t.shop.call('POST', '/api/merchants/intents', order);
  return { terminalId, intentId: body.id as string, reference: body.referenceAddress as string };
}

function expectForWallets(answer: TestAnswer, status: number, keys: string[]) {
  expect([answer.status, Object.keys(answer.body)]).toEqual([status, keys]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
}

describe.each(['intents', 'terminals'])('transaction request of %s', (kind) => {
  let path: string;
  let reference: string;

  beforeAll(async () => {
    const made = await newTerminalIntent();
    path = `/api/public/${kind}/${kind === 'intents' ? made.intentId : made.terminalId}/pay`;
    reference = made.reference;
  });

  test('GET 200 with label and icon', async () => {
    const answer = await ask('GET', path);
    expectForWallets(answer, 200, ['label', 'icon']);
    expect(answer.body).toEqual({ label: 'Shop', icon: 'http://127.0.0.1/icon.png' });
  });

  test('POST 200 with an unsigned transaction of that account which names the reference', async () => {
    const answer = await ask('POST', path, { account: t.customer.address });
    expectForWallets(answer, 200, ['transaction', 'message']);
    expect(answer.body.message).toBe('Shop: 1 USDC');
    const wire = getBase64Encoder().encode(answer.body.transaction);
    const { signatures, messageBytes } = getTransactionDecoder().decode(wire);
    expect(signatures).toEqual({ [t.customer.address]: null });
    const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(messageBytes);
    expect(staticAccounts).toContain(reference);
  });

  test('OPTIONS 204 allows what a wallet in a browser sends', async () => {
    const preflight = { origin: 'https://wallet.example', 'access-control-request-method': 'POST' };
    const { status, headers } = await ask('OPTIONS', path, undefined, preflight);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, OPTIONS');
    // The Solana Pay library sends all three.
    expect(headers.get('access-control-allow-headers')).toBe('Content-Type, Accept, Cache-Control');
  });

  test('400 with a message that names the account', async () => {
    for (const body of [undefined, {}, [], null, { account: 7 }, { account: '' }, { account: 'me' }]) {
      const answer = await ask('POST', path, body);
      expectForWallets(answer, 400, ['message']);
      expect(answer.body.message).toMatch(/^account /);
    }
  });

  test('400 and 415 with a message for a body that is no JSON', async () => {
    expectForWallets(await ask('POST', path, '{'), 400, ['message']);
    const plain = { 'content-type': 'text/plain' };
    expectForWallets(await ask('POST', path, 'account', plain), 415, ['message']);
  });

  test('404 with a message for an unknown and a malformed id', async () => {
    for (const id of [randomUUID(), 'none']) {
      const account = { account: t.customer.address };
      expectForWallets(await ask('GET', `/api/public/${kind}/${id}/pay`), 404, ['message']);
      expectForWallets(await ask('POST', `/api/public/${kind}/${id}/pay`, account), 404, ['message']);
    }
  });

  test('503 with a message and Retry-After while no node answers', async () => {
    t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['getLatestBlockhash'] }] });
    try {
      // An answer of a moment ago may still be used.
      for (;;) {
        const answer = await ask('POST', path, { account: t.customer.address });
        if (answer.status === 200) continue;
        expectForWallets(answer, 503, ['message']);
        expect(answer.headers.get('retry-after')).toBe('1');
        break;
      }
    } finally {
      t.chain.faults.clear();
    }
  });
});

describe('POST …/pay', () => {
  const account = () => ({ account: t.customer.address });

  test('409 with a message once the intent is paid or canceled', async () => {
    const paid = await newIntent(t.shop);
    await payIntent(t, paid);
    await t.finalize();
    const canceled = await newIntent(t.shop);
    await t.shop.call('POST', `/api/merchants/intents/${canceled.id}/cancel`);
    const answers = await Promise.all(
      [paid, canceled].map(({ id }) => ask('POST', `/api/public/intents/${id}/pay`, account())),
    );
    for (const answer of answers) expectForWallets(answer, 409, ['message']);
    expect(answers.map(({ body }) => body.message)).toEqual([
      'This payment has succeeded.',
      'This payment is canceled.',
    ]);
  });

  test('409 with a message while a terminal shows nothing', async () => {
    const path = `/api/public/terminals/${await newTerminal()}/pay`;
    expectForWallets(await ask('POST', path, account()), 409, ['message']);
    expectForWallets(await ask('GET', path), 200, ['label', 'icon']);
  });

  test('a hundred wallets at once cost the node a few calls', async () => {
    const { id } = await newIntent(t.shop);
    t.chain.faults.set({ rules: [{ kind: 'latency', ms: 1_000, methods: ['getLatestBlockhash'] }] });
    await Promise.all(
      Array.from({ length: 100 }, () => ask('POST', `/api/public/intents/${id}/pay`, account())),
    );
    const [calls] = t.chain.faults.struck;
    t.chain.faults.clear();
    expect(calls).toBeLessThan(20);
  });
});
