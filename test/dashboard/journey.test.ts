import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  moveTo,
  newPlan,
  newProject,
  readInvoice,
  readSession,
  readSubscription,
} from '../support/billing.ts';
import { expectAccessible } from '../support/browser.ts';
import { installWallet } from '../support/browser-wallet.ts';
import type { TestChain } from '../support/chain.ts';
import { openPage, pathOf } from '../support/checkout.ts';
import { appPage, dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOwner, newSetupToken, PASSWORD } from '../support/members.ts';
import { readPdf } from '../support/read-pdf.ts';
import { days } from '../support/subscriptions.ts';
import { createWallet } from '../support/wallet.ts';

let t: TestChain;

beforeAll(async () => {
  t = await dashboardChain();
});

const place = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Evil in every text a merchant or a payer can choose: it must show, and do nothing. */
const EVIL = '<img src=x onerror=alert(1)>"\'';

test('from the setup link to the first money, seen without loading again', async () => {
  const page = await appPage();
  await page.goto(dashboardUrl(t, `/setup/${await newSetupToken(t.service, t.shop.id)}`));
  await page.getByLabel('Your name').fill(EVIL);
  await page.getByLabel('E-mail').fill('olive@shop.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Go to the dashboard');

  // A key, shown once.
  await page.getByRole('heading', { name: 'Get ready for your first customer' }).waitFor();
  await press(page, 'Developers');
  await place(page, 'API keys');
  await press(page, 'Create key');
  await page.getByLabel('Name', { exact: true }).fill(EVIL);
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const secret = await page.getByTestId('secret').innerText();
  await expectAccessible(page);
  await press(page, 'Done');
  await page.getByRole('cell', { name: EVIL }).waitFor();
  expect(await page.content()).not.toContain(secret);
  const asked = await fetch(`${t.service.url}/api/b2b/merchants/me`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(asked.status).toBe(200);
  await press(page, 'Create key');
  await page.getByLabel('Name', { exact: true }).fill('Left open');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const leftOpen = await page.getByTestId('secret').innerText();
  // Browsers send this event before they keep a page to come back to.
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
  await page.getByTestId('secret').waitFor({ state: 'detached' });
  await page.goto('about:blank');
  await page.goBack();
  await page.getByRole('cell', { name: 'Left open' }).waitFor();
  expect(await page.content()).not.toContain(leftOpen);

  // A link, and the page behind it.
  await place(page, 'Payment links');
  await page.getByRole('heading', { name: 'Sell without code' }).waitFor();
  await page.getByRole('button', { name: 'Create link', exact: true }).first().click();
  await page.getByLabel('Product name').fill(EVIL);
  await page.getByLabel('Price in USDC').fill('12.5');
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('heading', { name: 'Share' }).waitFor();
  await page.getByText('12.50 USDC').waitFor();
  await expectAccessible(page);
  const url = (await page.getByRole('link', { name: 'Open page' }).getAttribute('href'))!;
  const token = url.split('/').pop();
  const checkout = await fetch(`${t.service.url}/api/v2/payment-links/${token}/checkout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect([checkout.status, await checkout.clone().text()]).toEqual([201, await checkout.text()]);

  // Paid with test money, and followed from home.
  await place(page, 'Payments');
  await page
    .getByRole('row', { name: /12\.50/ })
    .getByRole('link')
    .click();
  await press(page, 'Pay with test money');
  await press(page, 'Pay');
  await page.getByText('Test payment sent.').waitFor();
  await place(page, 'Home');
  await page.getByRole('row', { name: /Pending/ }).waitFor();
  await page.evaluate('globalThis.isSamePage = true');
  await t.finalize();
  await page.getByRole('row', { name: /Succeeded/ }).waitFor();
  await page.getByText('12.50 USDC').first().waitFor();
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  await page.getByText('See a test payment arrive Done').waitFor();
  await expectAccessible(page);
});

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const usdc = (cents: number) => `${(cents / 100).toFixed(2)} USDC`;

/** Pays on a checkout page that requests `cents`, with the sandbox's wallet. */
async function payOn(page: Page, cents: number): Promise<void> {
  expect(await page.locator('h1').innerText()).toBe(dollars(cents));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Pay exactly' }).click();
  await t.finalize();
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  await expectAccessible(page);
}

async function newTaxedPlan(projectId: string) {
  const rate = { projectId, name: 'VAT', percent: 19, country: 'DE' };
  const { body: vat } = await t.shop.call('POST', '/api/v2/tax-rates', rate);
  const { body: discount } = await t.shop.call('POST', '/api/v2/discounts', {
    projectId,
    name: 'Spring sale',
    percentOff: 25,
  });
  await t.shop.call('POST', '/api/v2/promotion-codes', { discountId: discount.id, code: 'SPRING' });
  return newPlan(t.shop, projectId, {
    unitAmountCents: 1_999,
    trialDays: 14,
    taxBehavior: 'exclusive',
    taxRateId: vat.id,
  });
}

test('a plan is sold: code, trial, first invoice, more seats, refund and credit note, the same cents everywhere', async () => {
  const { id: projectId } = await newProject(t.shop);
  const plan = await newTaxedPlan(projectId);
  const { body: session } = await t.shop.call('POST', '/api/v2/checkout-sessions', {
    ...{ projectId, mode: 'subscription', externalCustomerId: 'team', allowPromotionCodes: true },
    lineItems: [
      { priceId: plan.id, quantity: 3 },
      { name: 'Set-up', unitAmountCents: 4_900 },
    ],
  });

  // Three seats: 59.97, with tax 71.36; a quarter off: 44.98, with tax 53.53.
  const buyer = await openPage(t, pathOf(session));
  await buyer.getByText('Free for 14 days, then $71.36 every month.').waitFor();
  await buyer.getByLabel('Promotion code').fill('spring');
  await buyer.getByRole('button', { name: 'Apply' }).click();
  await buyer.getByText('Discount: SPRING').waitFor();
  await buyer
    .getByText('Free for 14 days, then $53.53 for 1 month, and after that $71.36 every month.')
    .waitFor();
  await payOn(buyer, 4_900);
  expect(await readInvoice(t.shop, session.invoiceId)).toMatchObject({ status: 'paid', totalCents: 4_900 });
  const read = () => readSubscription(t.shop, session.subscriptionId);
  const { status, trialEndsAt } = await read();
  expect(status).toBe('trialing');

  await moveTo(t, days(trialEndsAt, -1));
  const { latestInvoiceId, renewalCheckoutUrl } = await read();
  const first = { subtotalCents: 5_997, discountCents: 1_499, taxCents: 855, totalCents: 5_353 };
  expect(await readInvoice(t.shop, latestInvoiceId)).toMatchObject({ status: 'open', ...first });
  await buyer.goto(t.service.url + pathOf({ checkoutUrl: renewalCheckoutUrl }));
  await buyer.getByText('Discount: Spring sale').waitFor();
  await payOn(buyer, first.totalCents);
  const paid = await readInvoice(t.shop, latestInvoiceId);
  expect(paid).toMatchObject({ status: 'paid', amountPaidCents: 5_353 });

  await moveTo(t, days(trialEndsAt, 1));
  const member = await newOwner(t.service, t.shop);
  const page = await pageOf(t, member, { reducedMotion: 'reduce' });
  await installWallet(page, t, { name: 'Ours', signer: t.merchant.signer });
  await page.goto(dashboardUrl(t, `/subscriptions/${session.subscriptionId}`));
  const changed = await changeSeats(page, session.subscriptionId, 5);
  await buyer.goto(t.service.url + pathOf(changed));
  await payOn(buyer, changed.amountDueCents);
  expect(await read()).toMatchObject({ status: 'active', quantity: 5, pendingChange: null });
  expect(await readInvoice(t.shop, changed.invoiceId)).toMatchObject({
    totalCents: changed.amountDueCents,
    amountPaidCents: changed.amountDueCents,
  });
  await page.reload();
  await page
    .getByRole('row', { name: /Plan change/ })
    .getByText('Paid')
    .waitFor();
  await expectAccessible(page);

  await page.goto(dashboardUrl(t, `/invoices/${paid.id}`));
  const summary = page.getByRole('region', { name: 'Summary' });
  const facts = (await summary.locator('dl').innerText()).replace(/\s+/g, ' ').replaceAll('−', '-');
  for (const said of [
    'Subtotal 59.97',
    'Discount amount -14.99',
    '19% VAT (DE) 8.55',
    'Total 53.53',
    'Paid 53.53',
  ]) {
    expect(facts).toContain(`${said} USDC`);
  }
  await expectAccessible(page);
  const { paymentIntentId } = await readSession(t.shop, paid.checkoutSessionId);
  await page.goto(dashboardUrl(t, `/payments/${paymentIntentId}`));
  await refundAll(page, first.totalCents);
  const { body: notes } = await t.shop.call('GET', `/api/v2/credit-notes?invoiceId=${paid.id}`);
  expect(notes.data).toMatchObject([{ amountCents: first.totalCents, taxCents: first.taxCents }]);
  expect(await readInvoice(t.shop, paid.id)).toMatchObject({ refundedCents: first.totalCents });
  const pdf = page.getByRole('link', { name: notes.data[0].number });
  const paper = await page.request.get(new URL((await pdf.getAttribute('href'))!, page.url()).href);
  expect(paper.headers()['content-type']).toBe('application/pdf');
  const [text] = await readPdf(await paper.body());
  for (const said of [notes.data[0].number, paid.number, '53.53', '8.55']) expect(text).toContain(said);
});

/** Changes the quantity in the dashboard: the preview says what is then requested. */
async function changeSeats(page: Page, subscriptionId: string, quantity: number) {
  await press(page, 'Change plan');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Quantity').fill(String(quantity));
  await press(page, 'Preview charges');
  await dialog.getByText('The customer is asked to pay the amount due.').waitFor();
  const shown = await dialog.innerText();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change plan', exact: true }).click();
  const pending = page.getByRole('region', { name: 'Pending change' });
  await pending.getByText('When the customer has paid').waitFor();
  const { pendingChange } = await readSubscription(t.shop, subscriptionId);
  expect(pendingChange.quantity).toBe(quantity);
  for (const text of [shown, await pending.innerText()]) {
    expect(text).toContain(usdc(pendingChange.amountDueCents));
  }
  const { taxCents } = await readInvoice(t.shop, pendingChange.invoiceId);
  expect(shown.replace(/\s+/g, ' ')).toContain(`19% VAT (DE) ${usdc(taxCents)}`);
  await expectAccessible(page);
  return pendingChange;
}

/** Refunds in the dashboard, from the payment to the money that has arrived. */
async function refundAll(page: Page, cents: number): Promise<void> {
  await press(page, 'Refund');
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Amount in USDC').inputValue()).toBe((cents / 100).toFixed(2));
  await dialog.getByLabel('Enter an address').check();
  await dialog.getByLabel('Solana address').fill((await createWallet(t.chain)).address);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create refund', exact: true }).click();
  await page.getByRole('heading', { name: /^Refund RF-/ }).waitFor();
  await press(page, 'Pay with Ours');
  await page.getByText('Waiting for confirmation').waitFor();
  await t.finalize();
  await page.getByText(`${usdc(cents)} arrived at the address.`).waitFor();
  await expectAccessible(page);
}
