import { beforeAll, expect, test } from 'vitest';
import { readInvoice, readSubscription } from '../support/billing.ts';
import { newPage } from '../support/browser.ts';
import { adjustCredit, customerInside, follow, heading, newPlans, pathOf } from '../support/portal-page.ts';
import { type SubscriptionWorld, subscriptionWorld } from '../support/subscriptions.ts';

let w: SubscriptionWorld;
let plans: Awaited<ReturnType<typeof newPlans>>;

beforeAll(async () => {
  w = await subscriptionWorld();
  plans = await newPlans(w.shop, w.projectId);
});

const inside = (name: string) => customerInside(w, plans.basic.id, name);
const adjust = (customerId: string, deltaCents: number) => adjustCredit(w, customerId, deltaCents);

const attention = 'section.attention';

test('previewed to the cent, waiting for its payment, and the old plan remains until then', async () => {
  const { sub, page, customerId } = await inside('pricier');
  await adjust(customerId, 250);
  await page.reload();
  await follow(page, 'a:has-text("Change plan")');
  expect(await page.locator('.rows li').allInnerTexts()).toHaveLength(2);
  await follow(page, 'li:has-text("Pro") a');
  expect(await heading(page)).toBe('Change to Coffee – Pro');
  const shown = await page.locator('.sums').innerText();
  expect(shown).toContain('-$2.50');
  expect(await page.locator('main').innerText()).toContain('You stay on Coffee – Basic until you pay');
  await follow(page, 'text=Confirm change');

  const { pendingChange } = await readSubscription(w.shop, sub.id);
  const due = `$${(pendingChange.amountDueCents / 100).toFixed(2)}`;
  expect(shown).toContain(due);
  expect(pathOf(page)).toBe('/portal');
  expect(await page.locator('.notice').innerText()).toContain(`pay ${due} to change to Coffee – Pro`);
  expect(await page.locator(`${attention} a.button`).getAttribute('href')).toBe(
    new URL(pendingChange.checkoutUrl).pathname,
  );
  expect(await page.locator('.subscription h3').innerText()).toBe('Coffee – Basic');

  await w.payInvoice(pendingChange.invoiceId);
  await page.goto(`${w.service.url}/portal`);
  expect(await page.locator('.subscription h3').innerText()).toBe('Coffee – Pro');
  expect(await page.locator(attention).count()).toBe(0);
});

test('a change that waits is taken back with one button, planned or unpaid', async () => {
  const { sub, page, path } = await inside('taken back');
  await page.goto(`${w.service.url}${path}/change?plan=${plans.pro.id}`);
  await follow(page, 'text=Confirm change');
  const { pendingChange } = await readSubscription(w.shop, sub.id);
  await follow(page, 'button:has-text("Keep current plan")');
  expect(await page.locator('.notice').innerText()).toBe('Your plan stays as it is.');
  expect((await readSubscription(w.shop, sub.id)).pendingChange).toBeNull();
  expect((await readInvoice(w.shop, pendingChange.invoiceId)).status).toBe('void');
  expect(await page.locator('button:has-text("Keep current plan")').count()).toBe(0);
});

test('409 with a fresh preview when something changed meanwhile; confirmed twice it is one change', async () => {
  const { sub, page, path, customerId } = await inside('stale');
  const preview = `${w.service.url}${path}/change?plan=${plans.pro.id}`;
  await page.goto(preview);
  await adjust(customerId, 100);
  expect(await follow(page, 'text=Confirm change')).toBe(409);
  expect(await page.locator('[role=alert]').innerText()).toContain('nothing was done');
  expect(await page.locator('.sums').innerText()).toContain('-$1.00');
  expect((await readSubscription(w.shop, sub.id)).pendingChange).toBeNull();

  const second = await newPage({ context: page.context() });
  await second.setContent('');
  await second.goto(preview);
  expect(await follow(page, 'text=Confirm change')).toBe(200);
  const { pendingChange } = await readSubscription(w.shop, sub.id);
  expect(await follow(second, 'text=Confirm change')).toBe(200);
  expect((await readSubscription(w.shop, sub.id)).pendingChange).toEqual(pendingChange);
  expect(await second.locator('.notice').innerText()).toContain('One step left');
});

test('a preview is good for fifteen minutes; nothing is billed by an older one', async () => {
  const { sub, page, path } = await inside('old preview');
  await page.goto(`${w.service.url}${path}/change?plan=${plans.pro.id}`);
  await w.moveTo(new Date(w.service.clock.now().getTime() + 16 * 60_000));
  expect(await follow(page, 'text=Confirm change')).toBe(409);
  await page.evaluate('document.querySelector("input[name=preview]").value = "made up"');
  expect(await follow(page, 'text=Confirm change')).toBe(409);
  await page.evaluate('document.querySelector("input[name=preview]").remove()');
  expect(await follow(page, 'text=Confirm change')).toBe(409);
  expect((await readSubscription(w.shop, sub.id)).pendingChange).toBeNull();
});

test('a cheaper plan waits for the next period; a more expensive one waits for a prepaid period', async () => {
  const { page, path, customerId } = await inside('cheaper');
  await adjust(customerId, 10_000);
  await page.goto(`${w.service.url}${path}/change?plan=${plans.pro.id}`);
  expect(await page.locator('main').innerText()).toContain('Your account credit covers it');
  await follow(page, 'text=Confirm change');
  expect(await page.locator('.notice').innerText()).toBe('Your plan has changed to Coffee – Pro.');
  await page.goto(`${w.service.url}${path}/change?plan=${plans.basic.id}`);
  expect(await page.locator('main').innerText()).toContain('There’s nothing to pay now');
  await follow(page, 'text=Confirm change');
  expect(await page.locator('.notice').innerText()).toContain('Your plan changes to Coffee – Basic on');
  await follow(page, 'a:has-text("Pay ahead")');
  await follow(page, 'text=Pay with account credit');
  const refused = await page.goto(`${w.service.url}${path}/change?plan=${plans.yearly.id}`);
  expect(refused!.status()).toBe(409);
  expect(await page.locator('.notice').innerText()).toContain('You’ve already paid for the next period');
});
