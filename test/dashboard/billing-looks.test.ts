import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newPlan, newProject, newSession, newTopUp, paySession } from '../support/billing.ts';
import { DESKTOP, expectAccessible, expectFits, expectUncut, PHONE } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newMember, newOwner, type TestMember } from '../support/members.ts';

let t: TestChain;
let owner: TestMember;
let viewer: TestMember;
let details: string[] | undefined;

const LISTS = {
  '/projects': 'No projects yet',
  '/customers': 'No customers yet',
  '/catalog': 'No products yet',
  '/tax': 'No tax rates yet',
  '/checkout-sessions': 'No checkouts yet',
  '/invoices': 'No invoices yet',
  '/refunds': 'No refunds yet',
  '/subscriptions': 'No subscriptions yet',
  '/usage': 'No usage yet',
  '/terminals': 'No terminals yet',
};

const LONG = 'A very long name that somebody gave to it, since nobody ever told them where to stop';

/** One of everything, with names as long as people make them. */
async function sellSomething(): Promise<string[]> {
  const { shop } = t;
  const project = await newProject(shop, {
    name: LONG,
    monthlyVolumeLimitCents: 130_000_000,
    monthlyRequestLimit: 1_000,
    settings: { usageCredits: { images: 5 }, lowBalanceCredits: 100 },
    seller: {
      legalName: LONG,
      address: { line1: LONG, postalCode: '10115', city: 'Berlin' },
      country: 'DE',
      taxIds: [{ type: 'eu_vat', value: 'DE136695976' }],
    },
  });
  const rate = { projectId: project.id, name: LONG, percent: 19.1234, country: 'DE' };
  await shop.call('POST', '/api/v2/tax-rates', { ...rate, isDefault: true });
  const { body: old } = await shop.call('POST', '/api/v2/tax-rates', { ...rate, name: 'VAT' });
  await shop.call('PATCH', `/api/v2/tax-rates/${old.id}`, { isActive: false });
  await newProject(shop, { name: 'Second shop' });
  const plan = await newPlan(shop, project.id, { name: 'Monthly', taxBehavior: 'inclusive' });
  await newPlan(shop, project.id, { unitAmountCents: 250_000, recurringInterval: 'year' });
  const topUp = await newTopUp(shop, project.id);
  const buyer = { externalCustomerId: 'reader-7', customerName: LONG, customerEmail: 'reader@shop.example' };
  const first = await newSession(shop, project.id, { mode: 'subscription', priceId: plan.id, ...buyer });
  const credits = await newSession(shop, project.id, { mode: 'balance_top_up', priceId: topUp.id, ...buyer });
  const open = await newSession(shop, project.id, {
    merchantReference: 'order-1001',
    amountCents: 123_456_789,
  });
  for (const session of [first, credits]) await paySession(t, session);
  await t.finalize();
  await shop.call('PATCH', `/api/v2/customers/${first.customerId}`, {
    address: { line1: LONG, city: 'Paris' },
    country: 'FR',
    isBusiness: true,
    taxIds: [{ type: 'eu_vat', value: 'FR40303265045', status: 'verified' }],
  });
  const usage = { projectId: project.id, metric: 'images', customerId: first.customerId };
  for (const quantity of [3, 12]) {
    await shop.call('POST', '/api/v2/usage', { ...usage, quantity, idempotencyKey: `u-${quantity}` });
  }
  const refund = await shop.call('POST', '/api/v2/refunds', {
    paymentIntentId: first.paymentIntentId,
    amountCents: 100,
    reason: 'requested_by_customer',
    note: LONG,
    address: t.customer.address,
  });
  const unaddressed = await shop.call('POST', '/api/v2/refunds', {
    paymentIntentId: credits.paymentIntentId,
    reason: 'other',
  });
  await sendTooMuch(open.paymentIntentId);
  const terminal = await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'Front counter' });
  return [
    `/projects/${project.id}`,
    `/customers/${first.customerId}`,
    `/catalog/${plan.productId}`,
    `/catalog/prices/${plan.id}`,
    `/tax/report?projectId=${project.id}`,
    '/tax/accounting',
    `/checkout-sessions/${first.id}`,
    `/checkout-sessions/${open.id}`,
    `/invoices/${first.invoiceId}`,
    `/payments/${first.paymentIntentId}`,
    `/refunds/${refund.body.id}`,
    `/refunds/${unaddressed.body.id}`,
    `/subscriptions/${first.subscriptionId}`,
    `/terminals/${terminal.body.id}`,
  ];
}

/** Exceptions of several kinds: overpaid, returned by a refund, and a refund that was sent for too much. */
async function sendTooMuch(unpaidId: string): Promise<void> {
  const { shop } = t;
  await shop.call('POST', '/api/v2/sandbox/payments', { paymentIntentId: unpaidId, outcome: 'no_reference' });
  for (const orderId of ['twice', 'held']) {
    const order = { amountCents: 500, orderId };
    const { body: intent } = await shop.call('POST', '/api/merchants/intents', order);
    await paySession(t, { paymentIntentId: intent.id, amountCents: 800 });
    await t.finalize();
    const { body } = await shop.call('GET', '/api/v2/exceptions?kind=surplus&limit=1');
    const fields = { exceptionId: body.data[0].id, reason: 'overpaid', address: t.customer.address };
    const { body: refund } = await shop.call('POST', '/api/v2/refunds', fields);
    if (orderId === 'held') continue;
    for (let i = 0; i < 2; i++) {
      await shop.call('POST', `/api/v2/sandbox/refunds/${refund.id}/pay`, i > 0 ? { amountCents: 100 } : {});
      await t.finalize();
    }
  }
}

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
  viewer = await newMember(t.service, owner, 'viewer');
});

/** Nothing fades in: what is looked at is there. */
const calmPage = (member: TestMember) => pageOf(t, member, { reducedMotion: 'reduce' });

/** Every request is answered. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await page.getByText(/^…$/).first().waitFor({ state: 'detached' });
}

async function expectGoodEverywhere(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
  await expectFits(page);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(PHONE);
  await expectFits(page);
  await expectUncut(page);
  await expectAccessible(page);
}

test('empty lists say what would be there, in every light and width', async () => {
  const page = await calmPage(owner);
  for (const [path, text] of Object.entries(LISTS)) {
    await page.goto(dashboardUrl(t, path));
    await page.getByRole('heading', { name: text }).waitFor();
    await expectGoodEverywhere(page);
  }
});

test('full lists are accessible and fit, in every light and width', async () => {
  details ??= await sellSomething();
  await expectGoodScreens([...Object.keys(LISTS), '/payments', '/exceptions']);
});

test('each thing’s own screen is accessible and fits, in every light and width', async () => {
  details ??= await sellSomething();
  await expectGoodScreens(details);
});

async function expectGoodScreens(paths: readonly string[]): Promise<void> {
  const page = await calmPage(owner);
  for (const path of paths) {
    await page.goto(dashboardUrl(t, path));
    await settled(page);
    await expectGoodEverywhere(page);
  }
}

test('a viewer sees everything and no button that changes anything', async () => {
  details ??= await sellSomething();
  const page = await calmPage(viewer);
  const harmless =
    /^(Account menu|Copy |CSV$|CSV of lines$|General ledger|Bank statement|Report \(|XML \(|Clear$|Download QR code|Menu$|Developers$)/;
  for (const path of [...Object.keys(LISTS), ...details]) {
    await page.goto(dashboardUrl(t, path));
    await settled(page);
    const names = await page
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((one) => one.textContent));
    expect(names.map(String).filter((name) => !harmless.test(name))).toEqual([]);
  }
});
