import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newLink, newProject, newSession } from '../support/billing.ts';
import { expectAccessible, expectFits, newPage, PHONE, takeProblems } from '../support/browser.ts';
import { installWallet } from '../support/browser-wallet.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { pathOf } from '../support/checkout.ts';
import { cleanUp } from '../support/clean-up.ts';

let t: TestChain;
let projectId: string;
/** The shop's own site, on another origin. */
let site: string;
let embedded: string;

beforeAll(async () => {
  t = await testChain();
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(request.url === '/thanks' ? '<!doctype html><title>Thanks</title>' : shopPage(embedded));
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  cleanUp(async () => server.close());
  site = `http://localhost:${(server.address() as AddressInfo).port}`;
});

beforeEach(async () => {
  projectId = (await newProject(t.shop)).id;
  await allow([site]);
});

const allow = (embedOrigins: readonly string[], project = projectId) =>
  t.shop.call('PATCH', `/api/v2/projects/${project}`, { settings: { embedOrigins } });

const shopPage = (src: string) => `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
<script>
const reports = [];
for (const type of ['florin-status', 'florin-complete'])
  document.addEventListener(type, ({ detail }) => reports.push([type, detail.status, detail.sessionId]));
</script>
<script src="${t.service.url}/embed.js" async></script>
<florin-checkout src="${src}"></florin-checkout></html>`;

/** The shop's page with this checkout in it. */
async function openShop(src: string, prepare?: (page: Page) => Promise<void>) {
  embedded = src;
  const page = await newPage();
  // Safari before 17 lacks this function.
  await page.addInitScript('delete URL.canParse');
  await prepare?.(page);
  await page.goto(site);
  return { page, frame: page.frameLocator('florin-checkout iframe') };
}

const urlOf = (session: { checkoutUrl: string }) => t.service.url + pathOf(session);
const reportsOf = (page: Page) => page.evaluate<unknown[]>('reports');
const heading = (frame: FrameLocator, name: string) => frame.getByRole('heading', { name }).waitFor();

test('a buyer pays inside the shop’s own page, which gets every status and continues afterwards', async () => {
  const session = await newSession(t.shop, projectId, { amountCents: 1234, successUrl: `${site}/thanks` });
  const { page, frame } = await openShop(urlOf(session), (page) => installWallet(page, t, { name: 'Amber' }));
  await frame.getByRole('button', { name: 'Pay with Amber' }).waitFor();
  await expect.poll(() => reportsOf(page)).toEqual([['florin-status', 'open', session.id]]);
  // The frame is exactly as high as it has to be: nothing in it is scrolled.
  const inner = page.frames()[1]!;
  await expect.poll(() => inner.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expectFits(page);
  await frame.getByRole('button', { name: 'Pay with Amber' }).click();
  await frame.getByText('Sent. Waiting for the network…').first().waitFor();
  t.chain.advanceSlots(2);
  await t.look();
  await heading(frame, 'Payment detected');
  await t.finalize();
  await heading(frame, 'Paid. Thank you!');
  await expect
    .poll(() => reportsOf(page))
    .toEqual([
      ['florin-status', 'open', session.id],
      ['florin-status', 'processing', session.id],
      ['florin-status', 'complete', session.id],
      ['florin-complete', 'complete', session.id],
    ]);
  expect(await frame.getByRole('link', { name: 'Pay in a new tab' }).isVisible()).toBe(false);
  expect(await frame.getByRole('link', { name: 'Receipt (PDF)' }).getAttribute('target')).toBe('_blank');
  await frame.getByRole('link', { name: 'Back to Shop' }).click();
  await page.waitForURL(`${site}/thanks?session_id=${session.id}`);
});

test('a payment link works the same way; forms and languages stay inside the frame', async () => {
  const { paymentLink } = await newLink(t.shop, projectId, {
    unitAmountCents: 500,
    collectCustomerEmail: true,
  });
  const { page, frame } = await openShop(`${t.service.url}/pay/${paymentLink.publicToken}`);
  await frame.getByLabel('E-mail').fill('not an address');
  await frame.locator('form button').last().click();
  await frame.locator('#email-problem').waitFor();
  // A browser lets no page of another site take the focus.
  expect(takeProblems()).toEqual([expect.stringContaining('Blocked autofocusing')]);
  await frame.getByLabel('E-mail').fill('ada@example.com');
  await frame.locator('form button').last().click();
  await heading(frame, 'Pay with USDC on Solana');
  const [session] = (await t.shop.call('GET', '/api/v2/checkout-sessions?limit=1')).body.data;
  await expect.poll(() => reportsOf(page)).toContainEqual(['florin-status', 'open', session.id]);
  await frame.getByRole('link', { name: 'Deutsch' }).click();
  await heading(frame, 'Mit USDC auf Solana bezahlen');
  const link = frame.getByRole('link', { name: 'In einem neuen Tab bezahlen' });
  const opened = page.waitForEvent('popup');
  await link.click();
  expect((await opened).url()).toBe(`${urlOf(session)}?lang=de`);
});

describe('another site', () => {
  test('cannot embed it: not before it is allowed, and not after', async () => {
    await allow([]);
    const session = await newSession(t.shop, projectId);
    const { page } = await openShop(urlOf(session));
    await expect.poll(() => takeProblems().join()).toContain("frame-ancestors 'none'");
    expect(await reportsOf(page)).toEqual([]);
    await allow(['https://shop.example.com']);
    await page.reload();
    await expect.poll(() => takeProblems().join()).toContain('frame-ancestors https://shop.example.com');
    expect(await reportsOf(page)).toEqual([]);
    // Its own page stays as it is.
    const own = await newPage();
    await own.goto(urlOf(session));
    await own.getByRole('heading', { name: 'Pay with USDC on Solana' }).waitFor();
    expect(await own.getByRole('link', { name: 'Pay in a new tab' }).isVisible()).toBe(false);
  });

  test('that sends messages is neither answered nor believed', async () => {
    const session = await newSession(t.shop, projectId);
    const { page, frame } = await openShop(urlOf(session));
    await heading(frame, 'Pay with USDC on Solana');
    await expect.poll(() => reportsOf(page)).toHaveLength(1);
    // From the shop's own window, from a frame of somebody else's, and with nonsense.
    await page.evaluate(`(async () => {
      postMessage({ florin: 'checkout', status: 'complete', sessionId: 'x' }, '*');
      const other = document.createElement('iframe');
      other.srcdoc = '<script>parent.postMessage({ florin: "checkout", status: "complete" }, "*")</script>';
      document.body.append(other);
      await new Promise((done) => other.addEventListener('load', done));
      const frame = document.querySelector('florin-checkout').shadowRoot.querySelector('iframe');
      for (const data of [null, 1, 'hello', { florin: 'hello', height: 1e9 }]) frame.contentWindow.postMessage(data, '*');
      await new Promise((done) => setTimeout(done));
    })()`);
    expect(await reportsOf(page)).toHaveLength(1);
  });
});

test.each(['javascript:alert(1)', 'https://evil.example/checkout/cs_1', '/checkout/cs_1', 'nonsense', ''])(
  'an address that is no checkout is not opened: %s',
  async (src) => {
    const { page } = await openShop(src);
    await page.getByText('src must be the address of a checkout').waitFor();
    expect(page.frames()).toHaveLength(1);
  },
);

test('every page but checkout and payment link stays out of frames', async () => {
  const session = await newSession(t.shop, projectId);
  const paths = [`/intents/${session.paymentIntentId}`, '/portal', '/dashboard', '/docs', '/pay/nothing'];
  for (const path of paths) {
    const { headers } = await fetch(t.service.url + path);
    expect([path, headers.get('content-security-policy')]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
  }
  const { headers } = await fetch(urlOf(session));
  expect(headers.get('content-security-policy')).toContain(`frame-ancestors ${site}`);
  expect(headers.get('x-frame-options')).toBeNull();
});

test('the script is small, can be loaded from anywhere, and is not fetched twice', async () => {
  const url = `${t.service.url}/embed.js`;
  const answer = await fetch(url);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  expect((await answer.text()).length).toBeLessThan(3_000);
  const again = await fetch(url, { headers: { 'if-none-match': answer.headers.get('etag')! } });
  expect(again.status).toBe(304);
});

const NO_SITE = 'must be a site with https:// before it, such as https://shop.example.com';
const ALONE = 'must be the site alone, without a path: https://shop.example.com';

describe('settings.embedOrigins', () => {
  test.each([
    ['shop.example.com', NO_SITE],
    ['https://shop.example.com/', ALONE],
    ['https://shop.example.com/path', ALONE],
    ['https://user@shop.example.com', 'must not contain a user name or password'],
    ['https://Shop.example.com', ALONE],
    ['https://shop.example.com:443', ALONE],
    ['http://shop.example.com', 'must use https, such as https://shop.example.com'],
    ['https://*.example.com', 'must name one site, without wildcards, such as https://shop.example.com'],
    ['*', NO_SITE],
    ["https://a.example; script-src 'unsafe-inline'", NO_SITE],
    ['https://a.example https://b.example', NO_SITE],
    ['javascript:alert(1)', NO_SITE],
    ['null', NO_SITE],
  ])('400 for %j, which says what is wrong, and nothing changes', async (origin, problem) => {
    const { status, body } = await allow([site, origin]);
    expect([status, body.error.message]).toEqual([400, `settings.embedOrigins.1 ${problem}`]);
    const project = await t.shop.call('GET', `/api/v2/projects/${projectId}`);
    expect(project.body.settings.embedOrigins).toEqual([site]);
  });

  test('sites with and without a port are kept as given; an empty list ends it', async () => {
    const origins = [
      'https://shop.example.com',
      'https://xn--bcher-kva.example:8443',
      'http://127.0.0.1:3000',
    ];
    expect((await allow(origins)).body.settings.embedOrigins).toEqual(origins);
    expect((await allow([])).body.settings.embedOrigins).toEqual([]);
  });
});
