import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newProject, newSession, paySession } from '../support/billing.ts';
import { expectAccessible, expectFits, PHONE } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOwner, type TestMember } from '../support/members.ts';

let t: TestChain;
let owner: TestMember;
let session: { id: string; invoiceId: string; paymentIntentId: string; amountCents: number };
let signature: string;

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
  const project = await newProject(t.shop);
  session = await newSession(t.shop, project.id, {
    amountCents: 4_250,
    merchantReference: 'order-4711',
    customerEmail: 'ada@example.com',
    customerName: 'Ada <b>Lovelace</b>',
  });
  for (const n of [1, 2, 3])
    await t.shop.call('POST', '/api/merchants/intents', { amountCents: 100, orderId: `more-${n}` });
  signature = await paySession(t, session, 5_000);
  await t.finalize();
});

const box = (page: Page) => page.getByRole('combobox', { name: 'Search' });
const payment = () => dashboardUrl(t, `/payments/${session.paymentIntentId}`);

test('every way to a payment: order, its beginning, address, amount, reference, transaction', async () => {
  const { body: intent } = await t.shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t));
  for (const text of ['order-4711', 'order-47', '42.50', intent.referenceAddress, signature, intent.id]) {
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await page.waitForURL(payment());
    expect(await box(page).inputValue()).toBe('');
    await page.goto(dashboardUrl(t));
  }
});

test('what is found is shown by kind, chosen by arrows, and inert', async () => {
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t));
  await box(page).fill('ada@example.com');
  const options = page.getByRole('option');
  await options.first().waitFor();
  expect(await page.getByRole('listbox').innerText()).toContain('Ada <b>Lovelace</b>');
  for (const kind of ['Customers', 'Payments', 'Invoices'])
    await page.getByText(kind, { exact: true }).last().waitFor();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(payment());

  await box(page).fill('no such thing');
  await page.getByText('No results').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByText('No results').waitFor({ state: 'hidden' });
});

test('an exception is shown alone in its list', async () => {
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t));
  await box(page).fill(signature);
  await page.getByRole('option').filter({ hasText: 'Overpaid' }).click();
  await page.waitForURL(`**/exceptions?txSignature=${signature}`);
  await page.getByText('7.50').waitFor();
});

test('a narrow screen has room for it', async () => {
  const page = await pageOf(t, owner, { viewport: PHONE });
  await page.goto(dashboardUrl(t));
  await box(page).fill('more-');
  await page.getByRole('option').nth(2).waitFor();
  await expectFits(page);
  await page.getByRole('option').first().click();
  await page.getByRole('heading', { name: '1.00 USDC' }).waitFor();
});

test('a payment tells its story: every change, its transaction, what was too much', async () => {
  const page = await pageOf(t, owner);
  await page.goto(payment());
  const story = page.getByRole('region', { name: 'Timeline' });
  await story.getByText('Paid', { exact: true }).waitFor();
  const text = await story.innerText();
  expect(text).toContain('Payment of 42.50 USDC requested');
  expect(text).toContain('7.50 USDC to review: overpaid');
  expect(await page.getByTitle(signature).count()).toBe(0);
  await page.getByText('Details for developers').click();
  const chain = page.locator('details');
  await chain.getByTitle(signature).waitFor();
  expect(await chain.innerText()).toContain('50.00');
  await expectAccessible(page);

  // The links lead to related objects, and back.
  await page.getByRole('link', { name: 'View checkout' }).click();
  await page.waitForURL(dashboardUrl(t, `/checkout-sessions/${session.id}`));
  await page.getByText('Payment of 42.50 USDC requested').waitFor();
  await page.getByRole('link', { name: /^INV-/ }).click();
  await page.waitForURL(dashboardUrl(t, `/invoices/${session.invoiceId}`));
  await page.getByRole('link', { name: 'View payment' }).click();
  await page.waitForURL(payment());
});

test('the list of payments finds by address, transaction and amount', async () => {
  const page = await pageOf(t, owner);
  for (const query of ['find=ADA@example.com', `find=${signature}`, 'find=order-4711', 'amount=42.50']) {
    await page.goto(dashboardUrl(t, `/payments?${query}`));
    await page.getByText('1 result').waitFor();
    await page.getByText('order-4711').first().waitFor();
  }
  // A text that could mean two amounts is no filter; an address whose amount is none finds nothing, and says so.
  const amount = page.getByRole('textbox', { name: 'Amount' });
  await amount.fill('1,250');
  await amount.press('Enter');
  await page.getByText('Amount: “1,250” could mean two amounts.').waitFor();
  await amount.fill('1,250.00');
  await amount.press('Enter');
  await page.waitForURL(dashboardUrl(t, '/payments?amount=1250.00'));
  expect(await amount.inputValue()).toBe('1,250.00');
  await page.goto(dashboardUrl(t, '/payments?amount=42%2C50'));
  await page.getByText('Amount: enter an amount such as 12 or 12.50.').waitFor();
  expect(await page.getByText('order-4711').count()).toBe(0);
});
