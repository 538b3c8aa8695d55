import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { portalMessages } from '../../src/pages/portal-pages/messages/languages.ts';
import { LANGUAGES } from '../../src/platform/lib/language.ts';
import { newPlan, newProject, newSession, readSubscription } from '../support/billing.ts';
import { DESKTOP, expectAccessible, expectFits, newPage, PHONE } from '../support/browser.ts';
import { visit } from '../support/portal.ts';
import { enter, follow, heading, newLinkUrl, newPlans } from '../support/portal-page.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../support/subscriptions.ts';

let w: SubscriptionWorld;
let plans: Awaited<ReturnType<typeof newPlans>>;

beforeAll(async () => {
  w = await subscriptionWorld({ usageCredits: { 'api.calls': 2 } });
  plans = await newPlans(w.shop, w.projectId);
  w.service.db.queuesEmails = true;
});

const url = (path: string) => w.service.url + path;

describe('what is somebody else’s', () => {
  test('404 for their subscriptions and plans, in addresses and in forms, and nothing happens', async () => {
    const theirs = await w.subscribe(plans.basic.id, 'theirs');
    const mine = await w.subscribe(plans.basic.id, 'mine');
    const elsewhere = await newPlan(w.shop, w.projectId);
    const me = await visit(w.service, w.shop, w.projectId, mine.customerId);
    const headers = { cookie: me.cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const send = (path: string, more: Record<string, string> = {}) =>
      fetch(url(path), {
        method: 'POST',
        headers,
        body: new URLSearchParams({ csrf: me.csrfToken, ...more }),
        redirect: 'manual',
      });
    const before = await readSubscription(w.shop, theirs.id);
    for (const id of [theirs.id, randomUUID(), 'x', '%00']) {
      for (const page of ['change', 'cancel', 'renew']) {
        const answer = await fetch(url(`/portal/subscriptions/${id}/${page}`), { headers });
        expect([id, page, answer.status]).toEqual([id, page, 404]);
        expect(await answer.text()).toContain('Page not found');
      }
      for (const page of ['change', 'cancel', 'renew', 'keep']) {
        const answer = await send(`/portal/subscriptions/${id}/${page}`, {
          plan: plans.pro.id,
          preview: 'x',
        });
        expect([id, page, answer.status]).toEqual([id, page, 404]);
      }
    }
    expect(await readSubscription(w.shop, theirs.id)).toEqual(before);
    for (const plan of [elsewhere.id, randomUUID(), 'x']) {
      const path = `/portal/subscriptions/${mine.id}/change`;
      expect((await fetch(url(`${path}?plan=${plan}`), { headers })).status).toBe(404);
      expect((await send(path, { plan, preview: 'x' })).status).toBe(404);
    }
    expect((await fetch(url('/portal/invoices?cursor=nonsense'), { headers })).status).toBe(400);
    expect((await fetch(url('/portal/usage?cursor=nonsense'), { headers })).status).toBe(400);
  });

  test('401 without the cookie, 403 without the token of this visit or from another site: nothing happens', async () => {
    const sub = await w.subscribe(plans.basic.id, 'forged');
    const other = await w.subscribe(plans.basic.id, 'forger');
    const me = await visit(w.service, w.shop, w.projectId, sub.customerId);
    const forger = await visit(w.service, w.shop, w.projectId, other.customerId);
    const send = async (path: string, fields: Record<string, string>, headers: Record<string, string>) => {
      const body = new URLSearchParams(fields);
      return (await fetch(url(path), { method: 'POST', headers, body, redirect: 'manual' })).status;
    };
    const { cookie, csrfToken: csrf } = me;
    const forms = [
      ...['cancel', 'keep', 'renew', 'change'].map((name) => `/portal/subscriptions/${sub.id}/${name}`),
      '/portal/details',
      '/portal/details/withdraw-email',
      '/portal/sign-out',
    ];
    for (const path of forms) {
      expect([path, await send(path, { csrf }, {})]).toEqual([path, 401]);
      expect([path, await send(path, {}, { cookie })]).toEqual([path, 403]);
      expect([path, await send(path, { csrf: forger.csrfToken }, { cookie })]).toEqual([path, 403]);
      for (const foreign of [
        { origin: 'https://evil.example' },
        { origin: 'http://127.0.0.1:1' },
        // Our own pages hide their origin too; then the browser says whether it is the same site.
        { origin: 'null', 'sec-fetch-site': 'cross-site' },
      ]) {
        expect([path, await send(path, { csrf }, { cookie, ...foreign })]).toEqual([path, 403]);
      }
    }
    const link = new URL(await newLinkUrl(w, sub.customerId)).pathname;
    expect(await send(link, {}, { origin: 'https://evil.example' })).toBe(403);
    const { cancelAtPeriodEnd, pendingChange, renewalCheckoutUrl } = await readSubscription(w.shop, sub.id);
    expect([cancelAtPeriodEnd, pendingChange, renewalCheckoutUrl]).toEqual([false, null, null]);
    expect((await me.call('GET', '/me')).status).toBe(200);
  });
});

test('whatever merchants and customers call things is text, runs nowhere, and wraps on the smallest phone', async () => {
  const evil = `"><img src=x onerror=alert(1)><script>alert(2)</script>'\`{{7*7}}`;
  const long = `${'W'.repeat(200)} مرحبا \u202e dlrow`;
  const { shop } = w;
  const projectId = (await newProject(shop, { name: evil })).id;
  const world = { ...w, projectId };
  await w.service.db.query('update merchants set name = $2 where id = $1', [shop.id, evil]);
  const { basic } = await newPlans(shop, projectId);
  await shop.call('PATCH', `/api/v2/products/${basic.productId}`, {
    name: evil,
    description: `${evil}\n${long}`,
  });
  await shop.call('PATCH', `/api/v2/prices/${basic.id}`, { name: long });
  const customer = { customerName: `${evil}${long}`.slice(0, 255) };
  // No request can store such an address; the pages do not rely on that.
  const customerEmail = '"><svg/onload=alert(3)>@x.example';
  const fields = { mode: 'subscription', priceId: basic.id, externalCustomerId: 'evil', ...customer };
  const session = await newSession(shop, projectId, fields);
  await w.payInvoice(session.invoiceId);
  const { customerId } = await readSubscription(shop, session.subscriptionId);
  await w.service.db.query(
    `update customers set email = $3, email_source = 'merchant' where merchant_id = $1 and id = $2`,
    [shop.id, customerId, customerEmail],
  );
  const reason = { deltaCents: 5, reason: evil };
  await shop.call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, reason);
  const returnUrl = 'https://shop.example/"><script>alert(4)</script>?a=1&b=2';

  const page = await newPage({ viewport: { width: 320, height: 700 } });
  page.on('dialog', () => expect.unreachable('something ran'));
  const link = await newLinkUrl(world, customerId, { returnUrl });
  await page.goto(link);
  await expectFits(page);
  await follow(page, 'main button');
  const paths = ['', '/invoices', '/balance', '/details', '/usage'].map((path) => `/portal${path}`);
  for (const name of ['change', 'cancel', 'renew']) {
    paths.push(`/portal/subscriptions/${session.subscriptionId}/${name}`);
  }
  for (const path of paths) {
    await page.goto(url(path));
    expect(await page.locator('bdi').first().innerText()).toContain('<script>alert(2)</script>');
    const inserted = 'img, svg, [onerror], [onload], script:not([src]), [style]';
    expect([path, await page.locator(inserted).count()]).toEqual([path, 0]);
    await expectFits(page);
  }
  await page.goto(url('/portal/details'));
  expect(await page.inputValue('#email')).toBe(customerEmail);
  await page.goto(url('/portal'));
  const href = (await page.locator('.portal-back').getAttribute('href'))!;
  expect(href).toBe((await readReturnUrl())!);
  expect(new URL(href).protocol).toBe('https:');
  await w.service.db.query('update merchants set name = $2 where id = $1', [shop.id, 'Shop']);

  async function readReturnUrl() {
    const rows = await w.service.db.query<{ url: string | null }>(
      'select return_url as url from portal_sessions where customer_id = $1 and return_url is not null',
      [customerId],
    );
    return rows[0]?.url;
  }
});

/** Some two dozen pages, each looked at closely: only what hangs takes longer. */
const MANY_PAGES = { timeout: 600_000 };

/** Everything there is to see, for one customer. */
async function everyPage(page: Page, look: (page: Page) => Promise<void>): Promise<void> {
  const { shop, projectId } = w;
  const external = randomUUID();
  const fields = { customerEmail: 'ada@example.com', customerName: 'Ada' };
  const sub = await w.subscribe(plans.basic.id, external, fields);
  const { customerId } = sub;
  const weekly = await newPlan(shop, projectId, { recurringInterval: 'week', recurringIntervalCount: 2 });
  const [ended, ending] = [await w.subscribe(weekly.id, external), await w.subscribe(weekly.id, external)];
  await shop.call('POST', `/api/v2/subscriptions/${ended.id}/cancel`, { atPeriodEnd: false });
  await shop.call('POST', `/api/v2/subscriptions/${ending.id}/cancel`, {});
  await newSession(shop, projectId, {
    mode: 'subscription',
    priceId: plans.pro.id,
    externalCustomerId: external,
  });
  for (const change of [{ deltaCents: 350 }, { deltaCredits: 5000 }]) {
    const body = { ...change, reason: 'gift' };
    await shop.call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, body);
  }
  const usage = { projectId, customerId, metric: 'api.calls', quantity: 1234, idempotencyKey: randomUUID() };
  expect((await shop.call('POST', '/api/v2/usage', usage)).status).toBe(200);

  const lang = page.url().includes('lang=') ? new URL(page.url()).search : '';
  const link = await newLinkUrl(w, customerId, { returnUrl: 'https://shop.example/' });
  await page.goto(link + lang);
  await look(page);
  await follow(page, 'main button');
  await page.locator('#ended summary').click();
  await look(page);
  const own = `/portal/subscriptions/${sub.id}`;
  const paths = ['/portal/invoices', '/portal/balance', '/portal/usage', '/portal/details', `${own}/change`];
  paths.push(
    `${own}/change?plan=${plans.pro.id}`,
    `${own}/cancel`,
    `${own}/renew`,
    `/portal/subscriptions/x/cancel`,
  );
  const at = (path: string) => url(path) + (path.includes('?') ? lang.replace('?', '&') : lang);
  for (const path of paths) {
    await page.goto(at(path));
    await look(page);
  }
  await page.goto(at('/portal/details'));
  await page.fill('#email', 'none');
  await follow(page, 'main button.primary');
  await look(page);
  await page.goto(at(`${own}/change?plan=${plans.pro.id}`));
  await page.evaluate('document.querySelector("input[name=preview]").remove()');
  await follow(page, 'main button.primary');
  await look(page);
  await follow(page, 'main button.primary');
  await look(page);
  await page.goto(at(`${own}/change`));
  await look(page);
  await page.goto(at(`${own}/cancel`));
  await look(page);
  await follow(page, 'main button.danger');
  await look(page);
  await follow(page, '.portal-out button');
  await look(page);
  await page.goto(at('/portal'));
  await look(page);
  await page.goto(link + lang);
  await look(page);
}

test.each([
  ['light', DESKTOP],
  ['dark', PHONE],
] as const)('every page and state is accessible and fits: %s', MANY_PAGES, async (colorScheme, viewport) => {
  const page = await newPage({ colorScheme, viewport, reducedMotion: 'reduce' });
  const seen: string[] = [];
  await everyPage(page, async () => {
    seen.push(await heading(page));
    await expectAccessible(page);
    await expectFits(page);
    const levels = (await page.evaluate(
      '[...document.querySelectorAll("h1, h2, h3")].map((each) => Number(each.tagName[1]))',
    )) as number[];
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [at, level] of levels.entries()) expect(level).toBeLessThanOrEqual((levels[at - 1] ?? 0) + 1);
  });
  expect(new Set(seen).size).toBeGreaterThan(12);
});

test.each(LANGUAGES)(
  'every page in %s: said so, kept from page to page, nothing left to fill in',
  async (language) => {
    const page = await newPage({ viewport: PHONE });
    await page.goto(url(`/portal/signed-out?lang=${language}`));
    const titles = new Set<string>();
    await everyPage(page, async () => {
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      expect(await page.locator('html').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
      expect(await page.locator('body').innerText()).not.toMatch(/[{}]|undefined|null|NaN/);
      await expectFits(page);
      titles.add(await heading(page));
    });
    const { account, invoices, details, signedOut } = portalMessages[language];
    for (const title of [account, invoices.title, details.editTitle, signedOut.title]) {
      expect([...titles]).toContain(title);
    }
  },
);

test('the browser’s own language is spoken where none was chosen', async () => {
  const sub = await w.subscribe(plans.basic.id, 'locale');
  const page = await newPage({ locale: 'de-CH' });
  await enter(page, w, sub.customerId);
  expect(await heading(page)).toBe('Ihr Konto');
  await follow(page, '.languages a[lang=fr]');
  await follow(page, 'nav a:has-text("Factures")');
  expect(await heading(page)).toBe('Factures');
});

test('a renewal that is overdue, a subscription that ended unpaid: told in words, accessible', async () => {
  const sub = await w.subscribe(plans.basic.id, 'unpaid');
  const page = await newPage({ colorScheme: 'dark' });
  await w.moveTo(days(sub.currentPeriodEnd, 1));
  await enter(page, w, sub.customerId);
  await expectAccessible(page);
  await follow(page, 'a:has-text("Cancel subscription")');
  expect(await page.locator('.consequences').innerText()).toContain('ends immediately');
  await expectAccessible(page);
  await w.moveTo(days(sub.currentPeriodEnd, 30));
  await enter(page, w, sub.customerId);
  expect(await page.locator('.subscription').innerText()).toContain('because it wasn’t paid');
  await expectAccessible(page);

  const tried = { mode: 'subscription', priceId: plans.basic.id, externalCustomerId: 'tried', trialDays: 14 };
  const { subscriptionId, customerId } = await newSession(w.shop, w.projectId, tried);
  const { trialEndsAt } = await readSubscription(w.shop, subscriptionId);
  await w.moveTo(days(trialEndsAt, 1));
  await enter(page, w, customerId);
  const overdue = await page.locator('.subscription').innerText();
  expect(overdue).toContain('Free until');
  expect(overdue).not.toMatch(/paid until|renew/i);
});
