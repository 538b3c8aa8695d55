import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/platform/lib/language.ts';
import { expectAccessible, expectFits, newPage, PHONE } from '../support/browser.ts';
import { follow, newLinkUrl, newPlans } from '../support/portal-page.ts';
import { type SubscriptionWorld, subscriptionWorld } from '../support/subscriptions.ts';

let w: SubscriptionWorld;
let priceId: string;

beforeAll(async () => {
  w = await subscriptionWorld();
  priceId = (await newPlans(w.shop, w.projectId)).basic.id;
  w.service.db.queuesEmails = true;
});

async function expectGood(page: Page, language: string): Promise<void> {
  expect(await page.locator('html').getAttribute('lang')).toBe(language);
  expect(await page.locator('body').innerText()).not.toMatch(/[{}]|undefined|null|NaN/);
  await expectFits(page);
  await expectAccessible(page);
}

async function mailedToken(customerId: string): Promise<string> {
  const [row] = await w.service.db.query<{ link: Buffer }>(
    `select sealed_link as link from emails where customer_id = $1 and kind = 'email_confirmation'
      order by created_at desc limit 1`,
    [customerId],
  );
  return w.service.secrets.open(row!.link).split('/').pop()!;
}

test.each(LANGUAGES)(
  'another e-mail address in %s: waiting, confirmed, too late; on a small phone',
  async (language) => {
    const fields = { customerEmail: `${language}@example.com`, customerName: 'Ada' };
    const { customerId } = await w.subscribe(priceId, language, fields);
    const at = (path: string) => `${w.service.url}${path}?lang=${language}`;
    const page = await newPage({ viewport: PHONE });
    await page.goto(`${await newLinkUrl(w, customerId)}?lang=${language}`);
    await follow(page, 'main button');
    await page.goto(at('/portal/details'));
    await page.fill('#email', `${'ada'.repeat(20)}.${language}@example.com`);
    expect(await follow(page, 'main button.primary')).toBe(200);
    await expectGood(page, language);
    await page.goto(at('/portal/details'));
    await expectGood(page, language);

    const link = at(`/portal/email/${await mailedToken(customerId)}`);
    await page.goto(link);
    await expectGood(page, language);
    await follow(page, 'main button.primary');
    await expectGood(page, language);
    expect((await page.goto(link))!.status()).toBe(410);
    await expectGood(page, language);
  },
);

test('where the service sends no e-mail, the page says whom to ask', async () => {
  const fields = { customerEmail: 'fixed@example.com' };
  const { customerId } = await w.subscribe(priceId, 'fixed', fields);
  w.service.db.queuesEmails = false;
  const page = await newPage({ viewport: PHONE });
  await page.goto(await newLinkUrl(w, customerId));
  await follow(page, 'main button');
  await page.goto(`${w.service.url}/portal/details`);
  expect(await page.locator('main').innerText()).toContain('To change it, please contact');
  expect(await page.locator('#email').count()).toBe(0);
  await expectGood(page, 'en');
  await page.fill('#name', 'Grace');
  await follow(page, 'main button.primary');
  expect(await page.locator('.notice').innerText()).toBe('Your details are saved.');
});
