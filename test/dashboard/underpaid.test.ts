import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  moveTo,
  newCustomer,
  newProject,
  newSession,
  paySession,
  readInvoice,
} from '../support/billing.ts';
import { expectAccessible } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOpenInvoice } from '../support/manual-invoices.ts';
import { newOwner, type TestMember } from '../support/members.ts';

let t: TestChain;
let owner: TestMember;
let projectId: string;

beforeAll(async () => {
  t = await dashboardChain();
  t.service.db.queuesEmails = true;
  owner = await newOwner(t.service, t.shop);
  projectId = (await newProject(t.shop)).id;
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' });

async function confirm(page: Page, label: string): Promise<void> {
  await button(page, label).click();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: label, exact: true }).click();
  await closed(page);
}

/** A checkout over 10 dollars, of which 8 were paid. */
async function underpaid() {
  const customer = { customerName: 'Ada', customerEmail: 'ada@example.com' };
  const session = await newSession(t.shop, projectId, { amountCents: 1000, ...customer });
  await paySession(t, session, 800);
  await t.finalize();
  return session;
}

const emailed = async () =>
  (await t.service.db.query(`select from emails where kind = 'rest_reminder'`)).length;

test('the payer of an underpaid payment is reminded, and the payment accepted as paid', async () => {
  const session = await underpaid();
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  await page.goto(dashboardUrl(t, `/payments/${session.paymentIntentId}`));
  const before = await emailed();
  await confirm(page, 'Send reminder');
  await page.getByText('The reminder is on its way.').waitFor();
  expect(await emailed()).toBe(before + 1);
  await button(page, 'Accept as paid').click();
  await dialog(page).getByText('8.00 USDC, and 2.00 USDC is waived').waitFor();
  await dialog(page).getByRole('button', { name: 'Accept as paid', exact: true }).click();
  await closed(page);
  await page.getByText('2.00 USDC was waived.').waitFor();
  expect(await button(page, 'Accept as paid').count()).toBe(0);
  await expectAccessible(page);
  for (const path of ['/payments', `/customers/${session.customerId}`]) {
    await page.goto(dashboardUrl(t, path));
    await page.getByRole('row', { name: /8\.00 USDC\s*10\.00 expected\s*Succeeded/ }).waitFor();
  }
  await page.goto(dashboardUrl(t, `/invoices/${session.invoiceId}`));
  await page.getByText('Waived', { exact: true }).waitFor();
  expect(await readInvoice(t.shop, session.invoiceId)).toMatchObject({ status: 'paid', waivedCents: 200 });
  const paid = await (await fetch(session.checkoutUrl)).text();
  expect(paid).not.toContain('left to pay');
  await expectSound(t.service);
});

test('the same on its invoice', async () => {
  const session = await underpaid();
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  await page.goto(dashboardUrl(t, `/invoices/${session.invoiceId}`));
  await confirm(page, 'Send reminder');
  await confirm(page, 'Accept as paid');
  await page.getByText('Accepted as paid.').waitFor();
  await page.getByText('Waived', { exact: true }).waitFor();
  expect((await readInvoice(t.shop, session.invoiceId)).status).toBe('paid');
});

test('the same on the exception that it became when the rest had not come in time', async () => {
  const session = await underpaid();
  await moveTo(t, new Date(t.service.clock.now().getTime() + 40 * 86_400_000));
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  await page.goto(dashboardUrl(t, '/exceptions?status=open'));
  await button(page, 'Resolve').click();
  await dialog(page)
    .getByLabel(/^Accept it as paid/)
    .check();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Accept as paid', exact: true }).click();
  await closed(page);
  await page.getByText('No results').waitFor();
  expect(await readInvoice(t.shop, session.invoiceId)).toMatchObject({ status: 'paid', waivedCents: 200 });
  await expectSound(t.service);
});

test('a voided invoice with a part payment is neither accepted nor asked for the rest', async () => {
  const customer = await newCustomer(t.shop, projectId);
  const invoice = await newOpenInvoice({ shop: t.shop, projectId, customerId: customer.id });
  const { body: session } = await t.shop.call(
    'GET',
    `/api/v2/checkout-sessions/${invoice.checkoutSessionId}`,
  );
  await paySession(t, session, 800);
  await t.finalize();
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t, `/payments/${session.paymentIntentId}`));
  await button(page, 'Send reminder').waitFor();
  const { status, text } = await t.shop.call('POST', `/api/v2/invoices/${invoice.id}/void`);
  expect([status, text]).toEqual([200, text]);
  await page.reload();
  await page.getByText('Timeline').waitFor();
  await button(page, 'Send reminder').waitFor({ state: 'detached' });
  expect(await button(page, 'Accept as paid').count()).toBe(0);
});
