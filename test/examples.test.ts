import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CheckoutSession, type Florin, type WebhookEventName, webhooks } from '../sdk/src/florin.ts';
import { programOf } from './interop/x402-program.ts';
import { requireTool } from './support/debian.ts';
import { type Example, type Sandbox, startExample, startSandbox } from './support/example.ts';
import { blockedReason } from './support/guide.ts';
import { freePort } from './support/process.ts';
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
    await expectReadmeRight('prepaid-api', api);
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

describe('paid-api', () => {
  test('402 without a payment, the answer for a program that pays, and an invoice of the project', {
    timeout: GIVE_UP_MS,
  }, async () => {
    const api = await startExample('paid-api', sandbox.env);
    expect((await fetch(`${api.url}/v1/weather`)).status).toBe(402);
    expect(await (await fetch(api.url)).text()).toContain('$0.02');
    const { pay, address } = await programOf(sandbox.chainUrl);
    const response = await pay(`${api.url}/v1/weather`);
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ city: 'Bern' }),
    ]);
    const projects = await florin.projects.list().toArray({ limit: 100 });
    const { id: projectId } = projects.find(({ name }) => name === 'Paid API')!;
    await eventually(async () => {
      const [invoice] = await florin.invoices.list({ projectId }).toArray({ limit: 1 });
      return invoice?.status === 'paid' && invoice.totalCents === 2;
    });
    const [session] = await florin.checkoutSessions.list({ projectId }).toArray({ limit: 1 });
    expect(session!.externalCustomerId).toBe(`solana:${address}`);
  });
});

describe('credits-for-programs', () => {
  test('a program without an account buys credits by x402 and spends them with the token of its receipt', {
    timeout: GIVE_UP_MS,
  }, async () => {
    const api = await startExample('credits-for-programs', sandbox.env);
    const roll = async (token?: string, key?: string): Promise<[number, Record<string, unknown>]> => {
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      };
      const answer = await fetch(`${api.url}/v1/rolls`, { method: 'POST', headers });
      return [answer.status, (await answer.json()) as Record<string, unknown>];
    };
    await expectReadmeRight('credits-for-programs', api);
    const [status, { buyCreditsAt }] = await roll();
    expect(status).toBe(402);
    const { pay, address } = await programOf(sandbox.chainUrl);
    const bought = await pay(String(buyCreditsAt));
    expect(bought.status).toBe(200);
    const receipt = (await bought.json()) as { creditToken: string; creditAmount: number };
    expect(receipt).toMatchObject({ status: 'paid', amountCents: 5, creditAmount: 20 });
    const token = receipt.creditToken;
    const { customer } = await florin.creditTokens.verify({ token });
    expect(customer).toMatchObject({ externalCustomerId: `solana:${address}`, creditBalance: 20 });

    const first = await roll(token, 'roll-1');
    expect(first).toEqual([200, { dice: expect.any(Number) }]);
    expect(await roll(token, 'roll-1')).toEqual(first);
    const left = await fetch(`${api.url}/v1/credits`, { headers: { authorization: `Bearer ${token}` } });
    expect(await left.json()).toEqual({ credits: 19 });
    for (let i = 2; i <= 20; i++) expect((await roll(token, `roll-${i}`))[0]).toBe(200);
    expect(await roll(token, 'roll-21')).toEqual([402, { error: 'Your credits are used up.', buyCreditsAt }]);
    expect((await roll(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`))[0]).toBe(401);
    await florin.creditTokens.revoke(customer!.id);
    expect((await roll(token))[0]).toBe(401);
  });
});

/** The command that the README tries the API with, and what the README says is answered. */
async function expectReadmeRight(name: string, api: Example): Promise<void> {
  requireTool('curl');
  const readme = readFileSync(join(folder, name, 'README.md'), 'utf8')
    .replaceAll(/http:\/\/127\.0\.0\.1:30\d\d/g, api.url)
    .replaceAll('http://127.0.0.1:4020', sandbox.env.FLORIN_URL!);
  const [, command, text] = /```sh\n(curl[\s\S]*?)```\s+```json\n([\s\S]*?)```/.exec(readme)!;
  const { stdout } = await promisify(execFile)('bash', ['-c', command!]);
  expect(blockedReason(stdout, { language: 'json', text: text! })).toBeUndefined();
}

describe('every example', () => {
  const why = (name: string, env: Record<string, string>) =>
    startExample(name, env).then(
      () => 'started',
      (error: Error) => error.message,
    );

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
    const { env } = sandbox;
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const check = async (name: string) => {
      expect(await why(name, { FLORIN_URL: env.FLORIN_URL! })).toMatch(
        /ended with 1:[\s\S]*Set .*FLORIN_KEY/,
      );
      expect(await why(name, { ...env, FLORIN_URL: nowhere })).toMatch(
        new RegExp(`ended with 1:[\\s\\S]*No Florin answers at ${nowhere}`),
      );
      expect(await why(name, { ...env, FLORIN_KEY: 'fl_dev_wrong' })).toMatch(
        /ended with 1:[\s\S]*does not know this FLORIN_KEY/,
      );
    };
    await Promise.all(names.map(check));
  });
});
