import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { DESKTOP, expectAccessible, expectFits, expectUncut, PHONE } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newMember, newOwner, type TestMember } from '../support/members.ts';
import { eventually, setUrl, startReceiver, startWorker } from '../support/webhooks.ts';

let t: TestChain;
let owner: TestMember;
/** Every screen: its address, and something that only it shows. */
let screens: [path: string, sign: string][];

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
  screens = await filledShop();
});

/** Something on every screen, and the address of each. */
async function filledShop(): Promise<typeof screens> {
  const intents = [];
  for (const [amountCents, orderId] of [
    [1250, 'order-1001'],
    [123_456_789, 'order-1002 <b>bold</b>'],
    [990, 'order-1003'],
  ] as const) {
    intents.push((await t.shop.call('POST', '/api/merchants/intents', { amountCents, orderId })).body);
  }
  const pay = (paymentIntentId: string, more = {}) =>
    t.shop.call('POST', '/api/v2/sandbox/payments', { paymentIntentId, ...more });
  await pay(intents[0].id);
  await pay(intents[1].id, { amountCents: 4200 });
  await pay(intents[2].id, { outcome: 'no_reference' });
  await t.finalize();
  const { body: project } = await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' });
  const { body: setup } = await t.shop.call('POST', '/api/v2/payment-links/setup', {
    projectId: project.id,
    productName: 'Coffee <i>beans</i>',
    billingMode: 'one_time',
    unitAmountCents: 1500,
  });
  const receiver = await startReceiver();
  await setUrl(t.service.db, t.shop.id, `${receiver.url}/hooks`);
  startWorker(t.service);
  const { body: endpoint } = await t.shop.call('POST', '/api/v2/webhook-endpoints', {
    url: `${receiver.url}/books`,
    name: 'Accounting',
    eventTypes: ['invoice.paid', 'refund.succeeded'],
  });
  const { body: notification } = await t.shop.call('POST', '/api/v2/notifications', {
    kind: 'slack',
    url: `${receiver.url}/services/T/B/x`,
    name: 'Sales channel',
  });
  await t.shop.call('POST', '/api/v2/sandbox/events', { event: 'invoice.paid' });
  const delivery = await eventually(async () => {
    const { body } = await t.shop.call('GET', '/api/v2/webhook-deliveries?status=succeeded');
    return body.data[0];
  });
  return [
    ['/', 'Recent payments'],
    ['/payments', 'order-1003'],
    [`/payments/${intents[1].id}`, 'Timeline'],
    ['/exceptions', 'Payments we couldn’t match automatically'],
    ['/payment-links', 'Coffee <i>beans</i>'],
    [`/payment-links/${setup.paymentLink.id}`, 'Share'],
    ['/api-keys', 'keys'],
    ['/webhooks', 'invoice.paid'],
    [`/webhooks/${delivery.id}`, 'Request body'],
    [`/webhooks/endpoints/${endpoint.id}`, 'Deliveries'],
    ['/request-log', 'POST /api/v2/projects'],
    ['/notifications', 'Sales channel'],
    [`/notifications/${notification.id}`, 'Deliveries'],
    ['/sandbox', 'sandbox'],
    ['/settings', 'Payout address'],
    ['/settings/members', 'Last signed in'],
    ['/settings/account', 'Sign out everywhere'],
    ['/audit', 'API key created'],
  ];
}

/** Goes there inside the page, as a link would. */
async function show(page: Page, path: string, sign: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(dashboardUrl(t, path))})`);
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
  await page.getByRole('main').getByText(sign).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

test('every screen is accessible, in the light and in the dark, and fits a phone', async () => {
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t));
  for (const [path, sign] of screens) {
    await page.emulateMedia({ colorScheme: 'light' });
    await show(page, path, sign);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expectFits(page);
    await expectUncut(page);
    await page.setViewportSize(DESKTOP);
  }
});

test('a payment link’s code is on white, so that a phone reads it in the dark as well', async () => {
  const page = await pageOf(t, owner, { colorScheme: 'dark' });
  const [path] = screens.find(([, sign]) => sign === 'Share')!;
  await page.goto(dashboardUrl(t, path));
  await page.getByRole('img', { name: /^QR code of/ }).waitFor();
  const background = `getComputedStyle(document.querySelector('main img')).backgroundColor`;
  expect(await page.evaluate(background)).toBe('rgb(255, 255, 255)');
});

test('a viewer is offered no change on any screen', async () => {
  const viewer = await newMember(t.service, owner, 'viewer');
  const page = await pageOf(t, viewer);
  await page.goto(dashboardUrl(t));
  // Their own account is theirs to change; keys and the audit log are not for them.
  const others = screens.filter(([path]) => !['/settings/account', '/audit'].includes(path));
  for (const [path, sign] of others) {
    await show(page, path, sign);
    const buttons = await page.getByRole('main').getByRole('button').allInnerTexts();
    const offered = buttons.filter((text) => !/^(CSV( of lines)?$|Download QR code|Copy )/.test(text));
    expect([path, offered]).toEqual([path, []]);
  }
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('button', { name: 'Developers' }).click();
  // With one project there is nothing to choose from.
  expect(await nav.getByRole('link').allInnerTexts()).toEqual([
    'Home',
    'Payments',
    'Customers',
    'Payment links',
    'Invoices',
    'Subscriptions',
    'Checkouts',
    'Terminals',
    'Catalog',
    'Discounts',
    'Usage',
    'Refunds',
    'Exceptions',
    'Tax',
    'Settings',
    'Notifications',
    'Webhooks',
    'Request log',
  ]);
  expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0);
});
