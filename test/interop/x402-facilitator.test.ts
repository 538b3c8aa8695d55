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
import type { Wallet } from '../support/wallet.ts';
import { DEVNET, payingClient, programWallet, withSlots } from './x402-client.ts';
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

describe('an unmodified @x402/hono server that is pointed at us', () => {
  /** As its documentation writes it, with our URL and a key. */
  function weatherApi(price: string) {
    const headers = { Authorization: `Bearer ${t.shop.key}` };
    const facilitator = new HTTPFacilitatorClient({
      url: `${t.service.url}/x402`,
      createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
    });
    const server = new x402ResourceServer(facilitator).register(DEVNET, new ExactSvmScheme());
    const app = new Hono();
    const accepts = { scheme: 'exact', price, network: DEVNET, payTo: t.merchant.address } as const;
    app.use(paymentMiddleware({ 'GET /weather': { accepts, description: 'The weather' } }, server));
    app.get('/weather', (c) => c.json({ weather: 'sunny' }));
    const ask = (input: Request) => app.fetch(input);
    return wrapFetchWithPayment(ask as unknown as typeof fetch, payingClient(t, wallet));
  }

  test('sells: the payment has an intent and an invoice of the merchant', async () => {
    const response = await withSlots(t, weatherApi('$0.02')('http://weather.example/weather'));
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
    const response = await weatherApi('$0.001')('http://weather.example/weather');
    expect(response.status).toBe(402);
    const { error } = JSON.parse(Buffer.from(response.headers.get('PAYMENT-REQUIRED')!, 'base64').toString());
    expect(error).toBe('invalid_payment_requirements');
    expect(await count('payment_intents')).toBe(before);
  });
});

describe('settling twice', () => {
  test('20 times at once is one payment, and so is the same identifier with another transaction', async () => {
    const [first, second] = [await mutations.sound(t, wallet), await mutations.sound(t, wallet)];
    const before = await count('sponsored_transactions');
    const settle = (body: object) => t.shop.call('POST', '/x402/settle', body);
    const answers = await withSlots(t, Promise.all(Array.from({ length: 20 }, () => settle(first))));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.body).toMatchObject({ success: true, payer: wallet.address });
    expect(await count('sponsored_transactions')).toBe(before + 1);
    const named = (body: typeof second) => ({
      ...body,
      paymentPayload: {
        ...body.paymentPayload,
        extensions: { 'payment-identifier': { info: { required: false, id: 'order_0123456789abcdef' } } },
      },
    });
    const one = await withSlots(t, settle(named(second)));
    const other = await settle(named(await mutations.sound(t, wallet)));
    expect(other.body).toEqual(one.body);
    expect(await count('sponsored_transactions')).toBe(before + 2);
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
