import { randomUUID } from 'node:crypto';
import { seededRandom } from '@florin/sandbox-chain';
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
import { wrapFetchWithPayment } from '@x402/fetch';
import { paymentMiddleware } from '@x402/hono';
import { toFacilitatorSvmSigner } from '@x402/svm';
import { ExactSvmScheme as ReferenceFacilitator } from '@x402/svm/exact/facilitator';
import { ExactSvmScheme } from '@x402/svm/exact/server';
import { Hono } from 'hono';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { usdcMint, type Wallet } from '../support/wallet.ts';
import {
  DEVNET,
  decoded,
  payingClient,
  programWallet,
  sendOnce,
  sendPayment,
  signOffer,
  withSlots,
} from './x402-client.ts';
import { mutations } from './x402-mutations.ts';

/** Other people's servers that sell through us, and the protocol's own facilitator as the judge of ours. */
let t: TestChain;
let wallet: Wallet;
let projectId: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_KEY_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  wallet = await programWallet(t);
  t.chain.advanceSlots(40);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
});

const count = async (table: string) =>
  Number((await t.service.db.query<{ n: bigint }>(`select count(*) as n from ${table}`))[0]!.n);

/** Server as in its documentation, with our URL and a key. */
function weatherServer(price: string) {
  const headers = { Authorization: `Bearer ${t.shop.key}` };
  const facilitator = new HTTPFacilitatorClient({
    url: `${t.service.url}/x402`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  });
  const server = new x402ResourceServer(facilitator).register(DEVNET, new ExactSvmScheme());
  const api = new Hono();
  const accepts = { scheme: 'exact', price, network: DEVNET, payTo: t.merchant.address } as const;
  api.use(paymentMiddleware({ 'GET /weather': { accepts, description: 'The weather' } }, server));
  api.get('/weather', (c) => c.json({ weather: 'sunny' }));
  const buy = (see: (request: Request) => void = () => {}) => {
    const ask = (request: Request) => {
      see(request);
      return api.fetch(request);
    };
    return wrapFetchWithPayment(
      ask as unknown as typeof fetch,
      payingClient(t, wallet),
    )('http://weather.example/weather');
  };
  return { api, buy };
}

describe('an unmodified @x402/hono server that is pointed at us', () => {
  test('sells: the payment has an intent and an invoice of the merchant', async () => {
    const response = await withSlots(t, weatherServer('$0.02').buy());
    expect([response.status, await response.json()]).toEqual([200, { weather: 'sunny' }]);
    const said = JSON.parse(Buffer.from(response.headers.get('PAYMENT-RESPONSE')!, 'base64').toString());
    expect(said).toMatchObject({ success: true, payer: wallet.address, network: DEVNET });
    await t.finalize();
    const { paymentIntentId, invoiceId } = said.extra;
    const { body: intent } = await t.shop.call('GET', `/api/merchants/intents/${paymentIntentId}`);
    expect(intent).toMatchObject({ status: 'succeeded', amountReceivedCents: 2, paidVia: 'x402' });
    const { body: invoice } = await t.shop.call('GET', `/api/v2/invoices/${invoiceId}`);
    expect(invoice).toMatchObject({ status: 'paid', projectId, totalCents: 2 });
  });

  test('does not sell below a cent, and says why', async () => {
    const before = await count('payment_intents');
    const response = await weatherServer('$0.001').buy();
    expect(response.status).toBe(402);
    const { error } = JSON.parse(Buffer.from(response.headers.get('PAYMENT-REQUIRED')!, 'base64').toString());
    expect(error).toBe('invalid_payment_requirements');
    expect(await count('payment_intents')).toBe(before);
  });
});

describe('settling twice', () => {
  const settle = (body: object, headers?: Record<string, string>) =>
    t.shop.call('POST', '/x402/settle', body, headers);
  const verify = async (body: object) => (await t.shop.call('POST', '/x402/verify', body)).body;
  const named = (body: Awaited<ReturnType<typeof mutations.sound>>) => ({
    ...body,
    paymentPayload: {
      ...body.paymentPayload,
      extensions: { 'payment-identifier': { info: { required: false, id: 'order_0123456789abcdef' } } },
    },
  });
  const DUPLICATE = { success: false, errorReason: 'duplicate_settlement' };

  test('20 times at once is one payment and one success, because a server hands its goods over for each', async () => {
    const first = await mutations.sound(t, wallet);
    const before = await count('sponsored_transactions');
    expect((await verify(first)).isValid).toBe(true);
    const answers = await withSlots(t, Promise.all(Array.from({ length: 20 }, () => settle(first))));
    const successes = answers.filter(({ body }) => body.success);
    expect(successes).toHaveLength(1);
    expect(successes[0]!.body).toMatchObject({ success: true, payer: wallet.address });
    for (const { body } of answers) if (!body.success) expect(body).toMatchObject(DUPLICATE);
    expect(await count('sponsored_transactions')).toBe(before + 1);
    await t.finalize();
    expect((await settle(first)).body).toMatchObject(DUPLICATE);
    expect(await verify(first)).toMatchObject({ isValid: false, invalidReason: 'duplicate_settlement' });
  });

  test('a wallet buys as often as it likes, one after the other, before any of it is booked', async () => {
    for (let purchase = 1; purchase <= 8; purchase++) {
      const { body } = await withSlots(t, settle(await mutations.sound(t, wallet)));
      expect([purchase, body.success, body.errorMessage]).toEqual([purchase, true, undefined]);
    }
  });

  test('a server that repeats its own request with an Idempotency-Key gets its answer again', async () => {
    const payment = await mutations.sound(t, wallet);
    const key = { 'idempotency-key': 'request-1' };
    const one = await withSlots(t, settle(payment, key));
    expect(one.body.success).toBe(true);
    expect((await settle(payment, key)).body).toEqual(one.body);
    expect((await settle(payment)).body).toMatchObject(DUPLICATE);
  });

  test('the same identifier with another transaction charges nobody again, and sells nothing again', async () => {
    const before = await count('sponsored_transactions');
    const one = await withSlots(t, settle(named(await mutations.sound(t, wallet))));
    expect(one.body.success).toBe(true);
    expect((await settle(named(await mutations.sound(t, wallet)))).body).toMatchObject(DUPLICATE);
    expect(await count('sponsored_transactions')).toBe(before + 1);
    const stranger = await programWallet(t);
    t.chain.advanceSlots(2);
    const theirs = await withSlots(t, settle(named(await mutations.sound(t, stranger))));
    expect(theirs.body).toMatchObject({ success: true, payer: stranger.address });
    expect(await count('sponsored_transactions')).toBe(before + 2);
  });

  test('one identifier for two prices: the expensive one is refused, whether the cheap one is landing, has landed unheard or is answered', async () => {
    const id = `order_${randomUUID()}`;
    const sign = async (amount: string, project = projectId) => {
      const { kinds } = (await t.shop.call('GET', '/x402/supported')).body;
      const extra = { feePayer: kinds[0].extra.feePayer, projectId: project };
      const terms = { scheme: 'exact', network: DEVNET, asset: usdcMint, payTo: t.merchant.address };
      const paymentRequirements = { ...terms, amount, maxTimeoutSeconds: 300, extra };
      const offered = {
        x402Version: 2,
        resource: { url: 'http://shop.example' },
        accepts: [paymentRequirements],
      };
      const paymentPayload = await payingClient(t, wallet).createPaymentPayload(offered as never);
      paymentPayload.extensions = { 'payment-identifier': { info: { required: false, id } } };
      return { x402Version: 2, paymentPayload, paymentRequirements };
    };
    const { body: elsewhere } = await t.shop.call('POST', '/api/v2/projects', { name: 'Other shop' });
    const others = { expensive: await sign('9000000'), 'another project': await sign('10000', elsewhere.id) };
    const cheap = await sign('10000');
    const before = await count('sponsored_transactions');
    const expectRefused = async () => {
      for (const [name, other] of Object.entries(others)) {
        const refused = (await settle(other)).body;
        expect([name, refused]).toMatchObject([
          name,
          { success: false, errorReason: 'invalid_payment_requirements', transaction: '' },
        ]);
        expect(refused.errorMessage).toContain('another amount');
        expect(await verify(other)).toMatchObject({ invalidReason: 'invalid_payment_requirements' });
      }
    };
    const first = settle(cheap);
    await vi.waitFor(async () => expect(await count('sponsored_transactions')).toBe(before + 1), 10_000);
    await expectRefused();
    // Pretends that the server had stopped before it was answered.
    t.chain.advanceSlots(40);
    await first;
    await t.service.db.query('update sponsored_transactions set answered_at = null, answered_key = null');
    await expectRefused();
    expect((await settle(cheap)).body).toMatchObject({ success: true });
    await expectRefused();
    expect(await count('sponsored_transactions')).toBe(before + 1);
  });

  test('what a server has taken buys nothing at a payment link, though it names its order; nor does either of two at once', async () => {
    const sold = { projectId, productName: 'Report', billingMode: 'one_time', unitAmountCents: 2 };
    const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', sold);
    const url = `${t.service.url}/pay/${body.paymentLink.publicToken}`;
    const paymentsOf = async () =>
      (await t.shop.call('GET', `/api/v2/payment-links/${body.paymentLink.id}`)).body.paymentsCount;
    const bothWays = async () => {
      const { payload, headers } = await signOffer(t, wallet, url);
      const extra = { ...payload.accepted.extra, projectId };
      const paymentRequirements = { ...payload.accepted, extra };
      return { headers, taken: { x402Version: 2, paymentPayload: payload, paymentRequirements } };
    };
    const one = await bothWays();
    expect((await withSlots(t, settle(one.taken))).body.success).toBe(true);
    const refused = await sendPayment(t, url, one.headers);
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('Do not pay again'),
    ]);
    expect(decoded(refused, 'PAYMENT-RESPONSE')).toMatchObject(DUPLICATE);
    for (let round = 0; round < 5; round++) {
      const both = await bothWays();
      const before = await count('sponsored_transactions');
      const [server, link] = await withSlots(
        t,
        Promise.all([settle(both.taken), sendOnce(url, both.headers)]),
      );
      expect([server.body.success, link.status === 200].filter(Boolean)).toHaveLength(1);
      expect(await count('sponsored_transactions')).toBe(before + 1);
    }
    await t.finalize();
    const { body: paid } = await t.shop.call(
      'GET',
      `/api/v2/checkout-sessions?paymentLinkId=${body.paymentLink.id}&status=complete`,
    );
    expect(paid.data).toHaveLength(await paymentsOf());
  });

  test('what was paid at a payment link buys nothing at a server', async () => {
    const sold = { projectId, productName: 'Report', billingMode: 'one_time', unitAmountCents: 2 };
    const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', sold);
    const url = `${t.service.url}/pay/${body.paymentLink.publicToken}`;
    const { payload, headers } = await signOffer(t, wallet, url);
    expect((await sendPayment(t, url, headers)).status).toBe(200);
    const forged = {
      x402Version: 2,
      paymentPayload: payload,
      paymentRequirements: { ...payload.accepted, extra: { ...payload.accepted.extra, projectId } },
    };
    expect(await verify(forged)).toMatchObject({ isValid: false, invalidReason: 'duplicate_settlement' });
    expect((await settle(forged)).body).toMatchObject(DUPLICATE);
  });

  test('the unmodified server sells once for a payment that is sent five times', async () => {
    const { api, buy } = weatherServer('$0.03');
    let sent: Request | undefined;
    const response = await withSlots(
      t,
      buy((request) => {
        if (request.headers.has('PAYMENT-SIGNATURE')) sent = request.clone() as Request;
      }),
    );
    expect(response.status).toBe(200);
    const again = await Promise.all(
      Array.from({ length: 5 }, async () => api.fetch(sent!.clone() as Request)),
    );
    expect(again.map(({ status }) => status)).toEqual([402, 402, 402, 402, 402]);
  });
});

describe('our verify and the reference facilitator', () => {
  test('agree on 200 mutated payments, and on the code for what is wrong', async () => {
    const address = t.sponsor.feePayer.address;
    const signer = toFacilitatorSvmSigner({ address } as never, { defaultRpcUrl: t.chain.rpcUrl });
    const reference = new ReferenceFacilitator(signer);
    const random = seededRandom(402, 0);
    // The judge prints what it cannot decode.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const before = [await count('payment_intents'), await count('sponsored_transactions')];
    const said: [string, unknown, unknown][] = [];
    for (let i = 0; i < 200; i++) {
      const { name, body } = await mutations.any(t, wallet, random);
      const theirs = await reference.verify(body.paymentPayload as never, body.paymentRequirements as never);
      const { body: ours } = await t.shop.call('POST', '/x402/verify', body);
      said.push([name, verdict(ours), verdict(theirs)]);
    }
    for (const [name, ours, theirs] of said) expect([name, ours]).toEqual([name, theirs]);
    const kinds = new Set(said.map(([, , theirs]) => JSON.stringify(theirs)));
    expect(kinds.size).toBeGreaterThan(15);
    expect([await count('payment_intents'), await count('sponsored_transactions')]).toEqual(before);
  }, 120_000);

  /** A reason may carry more words after a colon. */
  const verdict = ({ isValid, invalidReason }: { isValid: boolean; invalidReason?: string }) =>
    isValid ? 'valid' : invalidReason?.split(':')[0];
});
