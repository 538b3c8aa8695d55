import type { Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { drainServer } from '../../src/platform/http/drain-server.ts';
import { newPlan, newProject, newSession, paySession } from '../support/billing.ts';
import { expectAccessible, expectFits, newPage, PHONE, takeProblems } from '../support/browser.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { openPage, pathOf } from '../support/checkout.ts';
import { freePort } from '../support/process.ts';
import { testService } from '../support/service.ts';

/** Each would do something if it were anything but text. */
const HOSTILE = [
  '"><script>window.hacked=1</script>',
  "'><img src=x onerror=window.hacked=1>",
  '<svg onload=window.hacked=1>',
  '</title><script>window.hacked=1</script>',
  '{{constructor.constructor("window.hacked=1")()}}',
  'javascript:window.hacked=1',
  '\u202Eevil\u202C \u0000'.replace('\0', ''),
];
const LONG =
  `${'Donaudampfschifffahrtsgesellschaft'.repeat(6)} ${'السلام عليكم ورحمة الله '.repeat(4)}`.slice(0, 250);

let t: TestChain;

beforeAll(async () => {
  t = await testChain();
});

async function hostileSession(text: string) {
  const shop = await t.service.createMerchant(text);
  const project = await newProject(shop, { name: text });
  const price = await newPlan(shop, project.id, { name: text });
  await shop.call('PATCH', `/api/v2/products/${price.productId}`, { name: text, description: text });
  return newSession(shop, project.id, {
    mode: 'subscription',
    priceId: price.id,
    merchantReference: text,
    customerName: text,
    externalCustomerId: text,
    successUrl: `https://shop.example/?x=${encodeURIComponent(text)}`,
    cancelUrl: `https://shop.example/?y=${encodeURIComponent(text)}`,
  });
}

describe('text of merchants and customers is text', () => {
  test.each(HOSTILE)('%s', async (text) => {
    const session = await hostileSession(text);
    for (const path of [pathOf(session), `/intents/${session.paymentIntentId}`]) {
      const page = await openPage(t, path);
      expect(await page.locator('.merchant').innerText()).toBe(text.trim());
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(await page.locator('main script, main img, main [onload], main [onerror]').count()).toBe(0);
    }
  });

  test('what is very long or runs the other way wraps and stays readable', async () => {
    const session = await hostileSession(LONG);
    for (const locale of ['en-US', 'ar']) {
      const page = await openPage(t, pathOf(session), { viewport: PHONE, locale });
      await expectFits(page);
      await expectAccessible(page);
    }
  });

  test('what comes in by the address is not shown', async () => {
    const session = await hostileSession('Shop');
    const evil = encodeURIComponent('"><script>window.hacked=1</script>');
    const page = await openPage(t, `${pathOf(session)}?lang=${evil}&claim=${evil}&x="><b>&y=${evil}`);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.content()).not.toContain('<script>window');
  });
});

describe('every page', () => {
  let session: Awaited<ReturnType<typeof newSession>>;
  beforeAll(async () => {
    session = await newSession(t.shop, (await newProject(t.shop)).id, {
      successUrl: 'https://shop.example/thanks',
    });
  });

  test('forbids what a page of ours never needs', async () => {
    for (const path of [pathOf(session), `/intents/${session.paymentIntentId}`, '/checkout/cs_none']) {
      const { headers } = await fetch(t.service.url + path);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('takes forms from itself alone', async () => {
    const send = (headers: Record<string, string>, action = 'check') =>
      fetch(`${t.service.url}${pathOf(session)}/${action}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: 'kind=exact',
      }).then(({ status, headers: answered }) => [status, answered.get('location')]);
    const back = `${pathOf(session)}?lang=en&claim=thanks`;
    expect(await send({})).toEqual([303, back]);
    expect(await send({ origin: t.service.url, 'sec-fetch-site': 'same-origin' })).toEqual([303, back]);
    expect(await send({ origin: 'null', 'sec-fetch-site': 'same-origin' })).toEqual([303, back]);
    for (const foreign of [
      { origin: 'https://evil.example' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: t.service.url, 'sec-fetch-site': 'same-site' },
    ]) {
      expect(await send(foreign)).toEqual([403, null]);
      expect(await send(foreign, 'test-payment')).toEqual([403, null]);
    }
  });

  test('sends a payer only where the session says, whatever the address asks for', async () => {
    const evil = 'https://evil.example/';
    const query = ['successUrl', 'success_url', 'cancelUrl', 'returnUrl', 'redirect', 'next', 'url']
      .map((name) => `${name}=${encodeURIComponent(evil)}`)
      .join('&');
    await paySession(t, session);
    await t.finalize();
    const page = await openPage(t, `${pathOf(session)}?${query}`);
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href));
    const elsewhere = links.filter((link) => !link.startsWith(t.service.url));
    expect(elsewhere).toEqual([`https://shop.example/thanks?session_id=${session.id}`]);
  });

  test('cannot be put into a frame', async () => {
    const page = await newPage();
    await page.goto(`${t.service.url}/health/live`);
    await page.setContent(`<iframe src="${t.service.url}${pathOf(session)}"></iframe>`);
    const frame = page.frames()[1]!;
    await frame.waitForLoadState().catch(() => undefined);
    expect(await frame.locator('.merchant').count()).toBe(0);
    expect(takeProblems().join('\n')).toContain("frame-ancestors 'none'");
  });
});

describe('the first load of a checkout', () => {
  test('is light: all of it under 60 KB as it crosses the wire', async () => {
    const session = await newSession(t.shop, (await newProject(t.shop)).id, {});
    const page = await newPage();
    const sizes: Record<string, number> = {};
    page.on('requestfinished', async (request) => {
      const { responseBodySize, responseHeadersSize } = await request.sizes();
      sizes[new URL(request.url()).pathname] = responseBodySize + responseHeadersSize;
    });
    await page.goto(t.service.url + pathOf(session), { waitUntil: 'load' });
    await page.locator('html.scripted').waitFor();
    const counted = Object.entries(sizes).filter(([path]) => !/wallet|\/live$/.test(path));
    const total = counted.reduce((sum, [, size]) => sum + size, 0);
    expect(counted.length).toBeGreaterThan(3);
    expect(total, JSON.stringify(sizes)).toBeLessThan(60_000);
  });

  test('moves nothing for those who asked for stillness', async () => {
    const session = await newSession(t.shop, (await newProject(t.shop)).id, {});
    const page = await openPage(t, pathOf(session), { reducedMotion: 'reduce' });
    const animation = `getComputedStyle(document.querySelector('.pulse')).animationName`;
    expect(await page.evaluate(animation)).toBe('none');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate(animation)).toBe('breathe');
  });

  test.each([
    ['de-CH', 'de', 'ltr', 'Mit USDC auf Solana bezahlen'],
    ['es-MX', 'es', 'ltr', 'Pagar con USDC en Solana'],
    ['fr-FR', 'fr', 'ltr', 'Payer en USDC sur Solana'],
    ['ar-EG', 'ar', 'rtl', 'الدفع بعملة USDC على شبكة Solana'],
    ['ja-JP', 'en', 'ltr', 'Pay with USDC on Solana'],
  ])('speaks the reader’s language: %s gets %s', async (locale, language, direction, heading) => {
    const session = await newSession(t.shop, (await newProject(t.shop)).id, {});
    const page = await openPage(t, pathOf(session), { locale });
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    expect(await page.locator('html').getAttribute('dir')).toBe(direction);
    await page.getByRole('heading', { name: heading }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Mit USDC auf Solana bezahlen' }).waitFor();
  });
});

test('a server that closes lets go of open pages, and they follow the next one', async () => {
  const PORT = String(await freePort());
  const other = await testChain({ PORT });
  const session = await newSession(other.shop, (await newProject(other.shop)).id, {});
  const page = await newPage();
  const streams: Request[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/live') && request.resourceType() === 'eventsource') streams.push(request);
  });
  await page.goto(other.service.url + pathOf(session));
  await expect.poll(() => streams.length).toBe(1);
  await (await streams[0]!.response())!.headersArray();

  await drainServer(other.service.app);
  const next = await testService({ PORT }, other.service.db);
  expect(next.url).toBe(other.service.url);
  // Without a reload.
  await expect.poll(() => streams.length).toBeGreaterThan(1);
  await paySession(other, session);
  await other.finalize();
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  takeProblems();
});
