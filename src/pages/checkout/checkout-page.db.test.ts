import { beforeAll, describe, expect, test } from 'vitest';
import {
  advance,
  newLink,
  newPrice,
  newProject,
  newSession,
  readInvoice,
  readSession,
  referenceOf,
  runDue,
} from '../../../test/support/billing.ts';
import { visit } from '../../../test/support/portal.ts';
import { newPlans } from '../../../test/support/portal-page.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { arrive } from '../../../test/support/transfers.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

const statusOf = async (path: string, method = 'GET') =>
  (await fetch(service.url + path, { method, redirect: 'manual' })).status;

describe('404 for what cannot be the address of a checkout', () => {
  const NONE = ['%00', 'cs_%00', '%F0%9F%92%A9', 'x', 'cs_', `cs_${'a'.repeat(90)}`, 'cs_a%2Fb'];

  test.each(NONE)('/checkout/%s', async (token) => {
    for (const more of ['', '/live', '/receipt.pdf']) {
      expect([more, await statusOf(`/checkout/${token}${more}`)]).toEqual([more, 404]);
    }
    expect(await statusOf(`/checkout/${token}/check`, 'POST')).toBe(404);
  });

  test.each(['/intents/%00', '/intents/%00/live', '/terminals/%00', '/terminals/%00/live', '/pay/%00'])(
    '%s',
    async (path) => {
      expect(await statusOf(path)).toBe(404);
    },
  );

  test('one that is a checkout’s is found', async () => {
    const { checkoutUrl } = await newSession(shop, projectId);
    expect(await statusOf(new URL(checkoutUrl).pathname)).toBe(200);
  });
});

test('asking for news, as a stream or once, and for a receipt leaves no error in the log', async () => {
  const session = await newSession(shop, projectId, { amountCents: 500 });
  const { pathname } = new URL(session.checkoutUrl);
  const errors = () => service.log.filter((line) => JSON.parse(line).level === 'error');
  const before = errors().length;
  const once = await fetch(`${service.url}${pathname}/live`);
  expect([once.status, await once.json()]).toEqual([200, { version: expect.any(String) }]);
  const ending = new AbortController();
  const stream = await fetch(`${service.url}${pathname}/live`, {
    headers: { accept: 'text/event-stream' },
    signal: ending.signal,
  });
  expect(new TextDecoder().decode((await stream.body!.getReader().read()).value)).toContain('retry');
  ending.abort();
  await arrive(service, shop.id, { baseUnits: 5_000_000n, references: [await referenceOf(shop, session)] });
  const receipt = await fetch(`${service.url}${pathname}/receipt.pdf`);
  expect([receipt.status, (await receipt.bytes()).length > 1_000]).toEqual([200, true]);
  // Whatever is logged late is logged before the next answer of the same server.
  expect((await fetch(`${service.url}${pathname}/live`)).status).toBe(200);
  expect(errors().slice(before)).toEqual([]);
});

describe('the way to begin again after a session expired', () => {
  let link: { id: string; publicToken: string };

  beforeAll(async () => {
    link = (await newLink(shop, projectId)).paymentLink;
  });

  async function expired(order: object): Promise<string> {
    const begun = await shop.call('POST', `/api/v2/payment-links/${link.publicToken}/checkout`, order);
    const { checkoutUrl } = await readSession(shop, begun.body.sessionId);
    await advance(service, 2);
    await runDue(service);
    return `${new URL(checkoutUrl).pathname}?lang=de`;
  }

  const wayOf = async (path: string) =>
    /href="(\/pay\/[^"]*)"/
      .exec(await (await fetch(service.url + path)).text())?.[1]
      ?.replaceAll('&amp;', '&');

  test('is the link, for the same cart', async () => {
    const again = `/pay/${link.publicToken}?lang=de`;
    expect(await wayOf(await expired({}))).toBe(again);
    expect(await wayOf(await expired({ clientReferenceId: 'cart-7' }))).toBe(
      `${again}&client_reference_id=cart-7`,
    );
  });

  test('is none when the link was switched off', async () => {
    const path = await expired({});
    expect(await wayOf(path)).toBeDefined();
    await shop.call('PATCH', `/api/v2/payment-links/${link.id}`, { status: 'inactive' });
    expect(await wayOf(path)).toBeUndefined();
  });
});

describe('what is bought, in the reader’s language where the words are ours', () => {
  const summaryOf = async (checkoutUrl: string, language: string, at = service.url) => {
    const answer = await fetch(`${at}${new URL(checkoutUrl).pathname}?lang=${language}`);
    const list = /<ul class="bought">(.*?)<\/ul>/s.exec(await answer.text())![1]!;
    return list.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
  };

  test('an amount, with and without a reference; a product called the same stays as it is', async () => {
    const alone = await newSession(shop, projectId, { amountCents: 100 });
    const named = await newSession(shop, projectId, { amountCents: 100, merchantReference: 'A <b>7' });
    expect(await summaryOf(alone.checkoutUrl, 'en')).toBe(' Payment ');
    expect(await summaryOf(alone.checkoutUrl, 'de')).toBe(' Zahlung ');
    expect(await summaryOf(named.checkoutUrl, 'en')).toContain('Payment for A &lt;b&gt;7 ');
    expect(await summaryOf(named.checkoutUrl, 'ar')).toContain('دفعة مقابل A &lt;b&gt;7 ');
    const product = await shop.call('POST', '/api/v2/products', { projectId, name: 'Payment' });
    const price = await newPrice(shop, projectId, { productId: product.body.id });
    const sold = await newSession(shop, projectId, { priceId: price.id });
    expect(await summaryOf(sold.checkoutUrl, 'de')).toBe(' Payment ');
  });

  test('an amount is said once where there is one, and beside each line where there are more', async () => {
    const said = async (session: { checkoutUrl: string }, amount: string) => {
      const answer = await fetch(`${service.url}${new URL(session.checkoutUrl).pathname}`);
      return (await answer.text()).split(amount).length - 1;
    };
    const one = await newSession(shop, projectId, { amountCents: 123 });
    expect(await said(one, '$1.23')).toBe(1);
    const lineItems = [123, 456].map((unitAmountCents) => ({ name: 'Cup', unitAmountCents }));
    const two = await newSession(shop, projectId, { amountCents: undefined, lineItems });
    expect([await said(two, '$1.23'), await said(two, '$4.56'), await said(two, '$5.79')]).toEqual([1, 1, 2]);
  });

  test('a change of plan, on its checkout and among the invoices', async () => {
    const w = await subscriptionWorld();
    const { basic, pro } = await newPlans(w.shop, w.projectId);
    const sub = await w.subscribe(basic.id, 'changes');
    const path = `/api/v2/subscriptions/${sub.id}`;
    const { body } = await w.shop.call('PATCH', path, { priceId: pro.id });
    const { checkoutUrl, invoiceId } = body.pendingChange;
    const told = await summaryOf(checkoutUrl, 'fr', w.service.url);
    expect(told).toMatch(/Temps non utilisé\s: Coffee – Basic.*Temps restant\s: Coffee – Pro/);
    const { lines } = await readInvoice(w.shop, invoiceId);
    expect(lines[1].description).toBe('Remaining time: Coffee – Pro');
    const { cookie } = await visit(w.service, w.shop, w.projectId, sub.customerId);
    const page = await fetch(`${w.service.url}/portal/invoices?lang=es`, { headers: { cookie } });
    expect(await page.text()).toContain('Tiempo restante: <bdi>Coffee – Pro</bdi>');
  });
});
