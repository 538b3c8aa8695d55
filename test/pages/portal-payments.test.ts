import { beforeAll, expect, test } from 'vitest';
import { portalMessages } from '../../src/pages/portal-pages/messages/languages.ts';
import { LANGUAGES } from '../../src/platform/lib/language.ts';
import { newSession, readInvoice, readSession, readSubscription } from '../support/billing.ts';
import { newPage } from '../support/browser.ts';
import { expectGood } from '../support/checkout.ts';
import { customerInside, enter, follow, heading, newPlans, pathOf } from '../support/portal-page.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../support/subscriptions.ts';

let w: SubscriptionWorld;
let plans: Awaited<ReturnType<typeof newPlans>>;

beforeAll(async () => {
  w = await subscriptionWorld();
  plans = await newPlans(w.shop, w.projectId);
});

const attention = 'section.attention';

/** A customer in their portal whose renewal is open. */
async function askedToRenew(name: string) {
  const { sub, customerId } = await customerInside(w, plans.basic.id, name);
  await w.moveTo(days(sub.currentPeriodEnd, -6));
  const page = await newPage();
  await enter(page, w, customerId);
  const { renewalInvoiceId, latestInvoiceId } = await readSubscription(w.shop, sub.id);
  return { sub, page, invoiceId: (renewalInvoiceId ?? latestInvoiceId) as string };
}

test('a renewal whose payment is on its way asks for nothing more, in any language', async () => {
  const { page, invoiceId } = await askedToRenew('on its way');
  const signature = await w.payInvoice(invoiceId, undefined, { isFinal: false });
  for (const language of LANGUAGES) {
    const text = portalMessages[language];
    await page.goto(`${w.service.url}/portal?lang=${language}`);
    const told = await page.locator(attention).innerText();
    expect(told).toContain(text.states.onItsWay);
    expect(told).toContain(text.attention.see);
    expect(told).not.toContain(text.attention.title);
    expect(told).not.toContain(text.attention.noDebit);
    expect(await page.locator(`${attention} a.primary`).count()).toBe(0);
    expect(await page.locator('.subscription .badge').innerText()).toBe(text.badges.onItsWay);
    expect(await page.locator('.rows .badge').first().innerText()).toBe(text.invoices.onItsWay);
  }
  await page.goto(`${w.service.url}/portal`);
  await expectGood(page);

  await w.payInvoice(invoiceId, undefined, { signature });
  await page.reload();
  expect(await page.locator(attention).count()).toBe(0);
  expect(await page.locator('.rows .badge').first().innerText()).toBe('Paid');
});

test('a renewal paid in part says what is missing and asks for the rest alone', async () => {
  const { sub, page, invoiceId } = await askedToRenew('in part');
  await w.payInvoice(invoiceId, 333);
  await page.reload();
  const told = await page.locator(attention).innerText();
  expect(told).toContain('We received $3.33 of $10.00. $6.67 left to pay.');
  expect(told).toContain('Pay $6.67 by');
  expect(await page.locator(`${attention} a.primary`).innerText()).toContain('Pay the rest: $6.67');
  const row = page.locator('.rows li').first();
  expect(await row.innerText()).toContain('$6.67 left to pay.');
  const { renewalCheckoutUrl } = await readSubscription(w.shop, sub.id);
  expect(await row.locator('a:has-text("Pay the rest")').getAttribute('href')).toBe(
    new URL(renewalCheckoutUrl).pathname,
  );
  await expectGood(page);

  await w.moveTo(days(sub.currentPeriodEnd, 1));
  await enter(page, w, sub.customerId);
  expect(await page.locator(attention).innerText()).toContain('Your payment of $10.00 was due');
  await w.payInvoice(invoiceId, 667);
  await page.reload();
  expect(await page.locator(attention).count()).toBe(0);
});

test('the checkout of one’s own renewal leads back to the account; anybody else’s does not', async () => {
  const { sub, page, invoiceId } = await askedToRenew('and back');
  await follow(page, `${attention} a.primary`);
  expect(pathOf(page)).toMatch(/^\/checkout\/cs_/);
  await expectGood(page);
  expect(await follow(page, 'a:has-text("Back to your account")')).toBe(200);
  expect(pathOf(page)).toBe('/portal');
  await page.goBack();

  await w.payInvoice(invoiceId);
  await page.reload();
  const panel = page.locator('.panel');
  expect(await panel.locator('a.primary').innerText()).toBe('Back to your account');
  expect(await panel.innerText()).not.toContain('You can close this page.');
  await follow(page, 'a:has-text("Deutsch")');
  await follow(page, 'a:has-text("Zurück zu Ihrem Konto")');
  expect([pathOf(page), await heading(page)]).toEqual(['/portal', 'Ihr Konto']);

  const { checkoutUrl } = await newSession(w.shop, w.projectId, { externalCustomerId: 'another' });
  await page.goto(w.service.url + new URL(checkoutUrl).pathname);
  expect(await page.locator('a[href^="/portal"]').count()).toBe(0);
  const stranger = await newPage();
  const paid = (await readInvoice(w.shop, invoiceId)).checkoutSessionId;
  await stranger.goto(w.service.url + new URL((await readSession(w.shop, paid)).checkoutUrl).pathname);
  expect(await stranger.locator('.panel').innerText()).toContain('You can close this page.');
  expect(await stranger.locator('a[href^="/portal"]').count()).toBe(0);

  await enter(page, w, sub.customerId);
  await follow(page, 'text=Sign out');
  await page.goto(w.service.url + new URL((await readSession(w.shop, paid)).checkoutUrl).pathname);
  expect(await page.locator('a[href^="/portal"]').count()).toBe(0);
});
