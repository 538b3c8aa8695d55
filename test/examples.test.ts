import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CheckoutSession, type Florin, type WebhookEventName, webhooks } from '../sdk/src/florin.ts';
import {
  type Example,
  expectExplains,
  expectReadmeRight,
  type Sandbox,
  startExample,
  startSandbox,
} from './support/example.ts';
import { eventually } from './support/webhooks.ts';

const folder = join(import.meta.dirname, '../examples');
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** Every example is started by npm, and on a busy machine that takes a while. */
const GIVE_UP_MS = 300_000;

let sandbox: Sandbox;
let florin: Florin;
beforeAll(async () => {
  sandbox = await startSandbox();
  florin = sandbox.florin;
}, GIVE_UP_MS);

/** Sends a form as a browser does, and stays where it is when it is sent on. */
const submit = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

const textOf = async (url: string) => (await fetch(url)).text();

/** Returns the fields that a page's form sends when the button `at` is pressed. */
function formOf(page: string, at = 0): Record<string, string> {
  const fields = [...page.matchAll(/<(?:input type="hidden"|button) name="(\w+)" value="([^"]+)"/g)];
  const [hidden, ...buttons] = fields.map(([, name, value]) => [name!, value!]);
  return Object.fromEntries([hidden!, buttons[at]!]);
}

async function sessionAt(checkoutUrl: string): Promise<CheckoutSession> {
  for await (const session of florin.checkoutSessions.list()) {
    if (session.checkoutUrl === checkoutUrl) return session;
  }
  throw new Error(`no checkout session is at ${checkoutUrl}`);
}

const pay = ({ paymentIntentId }: CheckoutSession) => florin.sandbox.pay({ paymentIntentId });

const timesIn = (example: Example, text: string) => example.output().split(text).length - 1;

/** The service sends the event that names `mention` once more, and the example has accepted it. Answers what was sent. */
async function sendAgain(event: WebhookEventName, mention: string): Promise<string> {
  const first = await eventually(async () => {
    const { data } = await florin.webhookDeliveries.list({ event, status: 'succeeded' });
    return data.find(({ requestBody }) => requestBody?.includes(mention));
  });
  const again = await florin.webhookDeliveries.resend(first.id);
  await eventually(async () => (await florin.webhookDeliveries.retrieve(again.id)).status === 'succeeded');
  return first.requestBody!;
}

async function post(url: string, body: string, signature?: string): Promise<[number, unknown]> {
  const headers = {
    'content-type': 'application/json',
    ...(signature && { 'x-service-signature': signature }),
  };
  const answer = await fetch(url, { method: 'POST', body, headers });
  return [answer.status, answer.status === 204 ? undefined : await answer.json()];
}

/** Expects refusals of payloads that claim a payment and do not come from Florin, or not now. */
async function expectForgeriesRefused(url: string, payload: string) {
  const { webhookSecret } = sandbox;
  const sign = (secret: string, ageSeconds = 0) =>
    webhooks.generateTestHeader({ payload, secret, timestamp: Date.now() / 1000 - ageSeconds });
  expect(await post(url, payload)).toEqual([400, { error: 'missing_header' }]);
  expect(await post(url, payload, await sign('whsec_another'))).toEqual([400, { error: 'no_match' }]);
  expect(await post(url, `${payload} `, await sign(webhookSecret))).toEqual([400, { error: 'no_match' }]);
  expect(await post(url, payload, await sign(webhookSecret, 600))).toEqual([400, { error: 'too_old' }]);
}

const completed = (merchantReference: string) =>
  JSON.stringify({
    id: 'forged',
    event: 'checkout.session.completed',
    sequence: 9,
    data: { merchantReference, checkoutSession: {} },
  });

describe('express-shop', () => {
  test('a buyer buys, pays and sees it paid; nothing but a signed event of now makes an order paid', {
    timeout: GIVE_UP_MS,
  }, async () => {
    const shop = await startExample('express-shop', sandbox.env);
    expect((await florin.merchant.retrieve()).webhookUrl).toBe(shop.webhookUrl);

    const page = await textOf(shop.url);
    expect(page).toContain('Cups &#38; saucers &#60;set of 2&#62;');
    expect(page).not.toContain('<set of 2>');
    const form = formOf(page);
    const order = `${shop.url}/orders/${form.order}`;
    await expectNothingElse(shop.url, form);
    const clicks = await Promise.all([submit(`${shop.url}/buy`, form), submit(`${shop.url}/buy`, form)]);
    expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
    const [checkoutUrl, second] = clicks.map(({ headers }) => headers.get('location')!);
    expect(second).toBe(checkoutUrl);
    expect((await submit(`${shop.url}/buy`, formOf(page, 1))).status).toBe(409);
    expect(await (await fetch(checkoutUrl!)).text()).toContain('Espresso beans, 1 kg');

    const session = await sessionAt(checkoutUrl!);
    expect(session).toMatchObject({ amountCents: 2400, merchantReference: form.order });
    const thanks = `${session.successUrl}?session_id=${session.id}`;
    expect(await textOf(thanks)).toContain('We have not seen your payment yet.');
    expect(await textOf(thanks)).toContain(`<a href="${checkoutUrl}">Pay</a>`);
    await expectForgeriesRefused(shop.webhookUrl, completed(form.order!));
    expect(await textOf(order)).toContain('Waiting for your payment.');

    await pay(session);
    await eventually(async () => (await textOf(order)).includes('Paid. We have sent it.'));
    expect(await textOf(thanks)).toContain('Your payment has arrived.');
    const payload = await sendAgain('checkout.session.completed', form.order!);
    const signature = await webhooks.generateTestHeader({ payload, secret: sandbox.webhookSecret });
    expect(await post(shop.webhookUrl, payload, signature)).toEqual([204, undefined]);
    await sendAgain('checkout.session.created', form.order!);
    expect(await textOf(order)).toContain('Paid. We have sent it.');
    expect(timesIn(shop, `Deliver ${form.order}: Espresso beans, 1 kg\n`)).toBe(1);
  });
});

/** Expects 404 for everything that is not for sale, not ordered or not a session. */
async function expectNothingElse(shop: string, form: Record<string, string>): Promise<void> {
  const answers = await Promise.all([
    submit(`${shop}/buy`, { ...form, price: 'free' }),
    submit(`${shop}/buy`, { ...form, order: '1' }),
    fetch(`${shop}/buy`, { method: 'POST' }),
    fetch(`${shop}/orders/${form.order}`),
    fetch(`${shop}/thanks`),
    fetch(`${shop}/thanks?session_id=${form.order}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
}

describe('edge-handler', () => {
  test('the handlers take an order from the form to paid, and deliver once', {
    timeout: GIVE_UP_MS,
  }, async () => {
    const site = await startExample('edge-handler', sandbox.env);
    const checkout = `${site.url}/api/checkout`;
    const form = formOf(await textOf(site.url), 1);
    const answer = await submit(checkout, form);
    const again = await submit(checkout, form);
    expect([answer.status, again.headers.get('location')]).toEqual([303, answer.headers.get('location')]);
    expect((await submit(checkout, { ...form, product: 'ebook' })).status).toBe(409);
    expect((await submit(checkout, { ...form, product: 'yacht' })).status).toBe(400);
    expect((await fetch(checkout, { method: 'POST', body: '{}' })).status).toBe(400);
    expect((await fetch(`${site.url}/api/orders/none`)).status).toBe(404);

    const session = await sessionAt(answer.headers.get('location')!);
    expect(session).toMatchObject({ amountCents: 4900, merchantReference: form.order });
    const order = async () => JSON.parse(await textOf(session.successUrl!));
    await expectForgeriesRefused(site.webhookUrl, completed(form.order!));
    expect(await order()).toEqual({ id: form.order, product: 'course', status: 'waiting' });

    await pay(session);
    await eventually(async () => (await order()).status === 'paid');
    await sendAgain('checkout.session.completed', form.order!);
    expect(timesIn(site, `Deliver ${form.order}\n`)).toBe(1);
  });

  test('the handlers and what they import use nothing of Node', () => {
    const IMPORT = /^(?!\/\/).*\b(?:from|import)\s*\(?\s*'([^']+)'/gm;
    const files = ['app', 'lib'].flatMap((part) =>
      readdirSync(join(folder, 'edge-handler', part), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(part, file)),
    );
    const imports = files.flatMap((file) =>
      [...readFileSync(join(folder, 'edge-handler', file), 'utf8').matchAll(IMPORT)].map(([, target]) =>
        target!.startsWith('.') ? join(file, '..', target!) : target!,
      ),
    );
    expect(files.length).toBeGreaterThanOrEqual(6);
    expect(imports.filter((target) => !/^(app|lib|\.\.\/\.\.\/sdk\/src)\//.test(target))).toEqual([]);
  });
});

describe('prepaid-api', () => {
  test('402 without credits, a top-up makes calls work, each is paid once, and one event says that credits are low', {
    timeout: GIVE_UP_MS,
  }, async () => {
    const api = await startExample('prepaid-api', sandbox.env);
    const ask = (path: string, key: string, init: RequestInit = {}) =>
      fetch(`${api.url}/v1/${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
      });
    const count = async (text: string, idempotencyKey: string): Promise<[number, Record<string, string>]> => {
      const headers = { 'idempotency-key': idempotencyKey };
      const body = JSON.stringify({ text });
      const answer = await ask('words', 'ada-demo-key', { method: 'POST', body, headers });
      return [answer.status, (await answer.json()) as Record<string, string>];
    };
    const balance = async (key = 'ada-demo-key') =>
      (await (await ask('balance', key)).json()) as { credits: number; notice: string | null };

    expect((await ask('balance', 'wrong')).status).toBe(401);
    expect((await ask('words', 'ada-demo-key', { method: 'POST', body: '{"text":1}' })).status).toBe(400);
    expect((await ask('words', 'ada-demo-key', { method: 'POST', body: '{"te' })).status).toBe(400);
    await expectReadmeRight('prepaid-api', api, sandbox);
    const [status, { topUpUrl }] = await count('a b c', 'call-1');
    expect(status).toBe(402);
    expect(await count('a b c', 'call-2')).toMatchObject([402, { topUpUrl }]);
    await pay(await sessionAt(topUpUrl!));
    await eventually(async () => (await balance()).credits === 5);

    // The call that was refused, sent again with its key, is paid for now; repeated once more it is not.
    expect(await count('a b c', 'call-1')).toEqual([200, { words: 3 }]);
    expect(await count('a b c', 'call-1')).toEqual([200, { words: 3 }]);
    expect(await balance()).toEqual({ credits: 4, notice: null });
    expect(await count('other work with an old key', 'call-1')).toEqual([200, { words: 6 }]);
    expect(await balance()).toEqual({ credits: 3, notice: null });
    expect(await balance('bob-demo-key')).toEqual({ credits: 0, notice: null });

    expect(await count('', 'call-3')).toEqual([200, { words: 0 }]);
    await eventually(async () => (await balance()).notice === 'Credits left: 2.');
    const low = await sendAgain('customer.balance_low', 'ada');
    await expectForgeriesRefused(api.webhookUrl, low.replace('"creditBalance":2', '"creditBalance":1'));
    expect([timesIn(api, 'Mail to ada: Credits left: 2.\n'), timesIn(api, 'Mail to')]).toEqual([1, 1]);

    expect((await count('x', 'call-4'))[0]).toBe(200);
    expect((await count('x', 'call-5'))[0]).toBe(200);
    const [empty, { topUpUrl: nextUrl }] = await count('x', 'call-6');
    expect([empty, nextUrl === topUpUrl]).toEqual([402, false]);
    const made = (await (await ask('top-ups', 'ada-demo-key', { method: 'POST' })).json()) as object;
    expect(made).toEqual({ topUpUrl: nextUrl });
    await pay(await sessionAt(nextUrl!));
    await eventually(async () => (await count('x y', 'call-6'))[0] === 200);
    await eventually(async () => (await balance()).notice === null);
    expect((await balance()).credits).toBe(4);
  });
});

describe('every example', () => {
  test('says what is missing, that no service is there, or that the key is wrong, and ends with 1', {
    timeout: GIVE_UP_MS,
  }, async () => {
    expect(names).toEqual([
      'credits-for-programs',
      'edge-handler',
      'express-shop',
      'paid-api',
      'prepaid-api',
      'subscription-app',
    ]);
    // `test/interop/examples.test.ts` has this one, which installs packages of its own.
    const here = names.filter((name) => name !== 'paid-api');
    await Promise.all(here.map((name) => expectExplains(name, sandbox)));
  });
});
