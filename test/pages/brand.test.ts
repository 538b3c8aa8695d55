import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newLink, newProject, newSession } from '../support/billing.ts';
import { expectAccessible, newPage } from '../support/browser.ts';
import { jpeg, png, webp } from '../support/images.ts';
import { newIntent } from '../support/payments.ts';
import { type TestMerchant, type TestService, testService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

/** One page of each kind that a payer comes to. */
async function pagesOf(shop: TestMerchant): Promise<Record<string, string>> {
  const projectId = (await newProject(shop)).id;
  const { paymentLink } = await newLink(shop, projectId, { collectCustomerEmail: true });
  const closed = (await newLink(shop, projectId)).paymentLink;
  await shop.call('PATCH', `/api/v2/payment-links/${closed.id}`, { status: 'inactive' });
  const terminal = await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'Till' });
  return {
    link: `/pay/${paymentLink.publicToken}`,
    'closed link': `/pay/${closed.publicToken}`,
    checkout: new URL((await newSession(shop, projectId)).checkoutUrl).pathname,
    intent: `/intents/${(await newIntent(shop)).id}`,
    terminal: `/terminals/${terminal.body.id}`,
  };
}

const accentOf = (page: Page) =>
  page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')");

async function expectBranded(path: string, brandColor: string, colorScheme: 'light' | 'dark') {
  const page = await newPage({ colorScheme });
  await page.goto(service.url + path);
  const sheet = page.locator(`link[rel=stylesheet][href="/brand/${brandColor.slice(1)}.css"]`);
  expect([path, await sheet.count()]).toEqual([path, 1]);
  if (colorScheme === 'light') expect([path, await accentOf(page)]).toEqual([path, brandColor]);
  await expectAccessible(page);
  return page;
}

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test('each page of a merchant is in their colour, and as readable as any', async () => {
    const brandColor = '#ffd700';
    const shop = await service.createMerchant();
    await shop.call('PATCH', '/api/b2b/merchants/brand', { brandColor });
    const pages = Object.values(await pagesOf(shop));
    for (const path of pages) await expectBranded(path, brandColor, colorScheme);
    // With a logo of each kind, which the browser draws under the page's own rules of what may be loaded.
    for (const [at, image] of [png(), jpeg(), webp()].entries()) {
      const path = pages.filter((each) => !each.startsWith('/pay/'))[at]!;
      await shop.call('PUT', '/api/b2b/merchants/brand/logo', image);
      const page = await expectBranded(path, brandColor, colorScheme);
      const logo = page.locator('img.seller-logo');
      const size = await logo.evaluate((image) => [image.naturalWidth, image.naturalHeight]);
      expect(size).toEqual([24, 16]);
    }
  });

  test.each(['#ffffff', '#000000'])('so is a form in %s', async (brandColor) => {
    const shop = await service.createMerchant();
    await shop.call('PATCH', '/api/b2b/merchants/brand', { brandColor });
    const { link } = await pagesOf(shop);
    await expectBranded(link!, brandColor, colorScheme);
  });
});

test('a merchant without a colour has the plain pages, also after taking it back', async () => {
  const shop = await service.createMerchant();
  const pages = Object.values(await pagesOf(shop));
  const linksBrand = async () =>
    Promise.all(
      pages.map(async (path) => (await (await fetch(service.url + path)).text()).includes('/brand/')),
    );
  expect(await linksBrand()).toEqual(pages.map(() => false));
  await shop.call('PATCH', '/api/b2b/merchants/brand', { brandColor: '#0b6b57' });
  await shop.call('PATCH', '/api/b2b/merchants/brand', { brandColor: null });
  expect(await linksBrand()).toEqual(pages.map(() => false));
});
