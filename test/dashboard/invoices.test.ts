import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newCustomer,
  newPlan,
  newPrice,
  newProject,
  newSession,
  paySession,
  readSession,
} from '../support/billing.ts';
import { expectAccessible } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOwner, type TestMember } from '../support/members.ts';

let t: TestChain;
let owner: TestMember;

beforeAll(async () => {
  t = await dashboardChain();
  t.service.db.queuesEmails = true;
  owner = await newOwner(t.service, t.shop);
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' });
const line = (page: Page, number: number) => dialog(page).getByRole('group', { name: `Line ${number}` });

async function confirm(page: Page, label: string, submit = label): Promise<void> {
  await button(page, label).click();
  await dialog(page).getByRole('button', { name: submit, exact: true }).click();
  await closed(page);
}

/** Types a text, and chooses one of the customers offered for it. */
async function chooseCustomer(page: Page, typed: string, offered: string): Promise<void> {
  await dialog(page).getByRole('combobox', { name: 'Customer' }).fill(typed);
  await page.getByRole('option', { name: offered }).click();
}

test('an invoice is written, edited, opened, sent and paid; another is deleted, and one void', async () => {
  const projectId = (await newProject(t.shop)).id;
  const customer = await newCustomer(t.shop, projectId, { name: 'Ada', email: 'ada@example.com' });
  const price = await newPrice(t.shop, projectId);
  const sale = { projectId, name: 'Friends', percentOff: 50 };
  await t.shop.call('POST', '/api/v2/discounts', sale);
  const seller = { legalName: 'Muster GmbH', country: 'DE' };
  await t.shop.call('PATCH', `/api/v2/projects/${projectId}`, { seller });
  const rate = { projectId, name: 'VAT', percent: 20, country: 'DE', isDefault: true };
  await t.shop.call('POST', '/api/v2/tax-rates', rate);
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  await page.goto(dashboardUrl(t, '/invoices'));
  await button(page, 'New invoice').first().click();
  await expectAccessible(page);
  await dialog(page).getByRole('combobox', { name: 'Customer' }).fill('nobody');
  await page.getByText('No customer found').waitFor();
  await expectAccessible(page);
  await chooseCustomer(page, 'ada', 'Ada · ada@example.com');
  await line(page, 1).getByLabel('Description').fill('Consulting <b>October</b>');
  await line(page, 1).getByLabel('Quantity').fill('8');
  await line(page, 1).getByLabel('Unit price in USDC').fill('much');
  await button(page, 'Create draft').click();
  await page.getByRole('alert').filter({ hasText: 'Line 1, unit price: enter an amount' }).waitFor();
  await line(page, 1).getByLabel('Unit price in USDC').fill('1,200.00');
  await button(page, 'Add line').click();
  await line(page, 2).getByLabel('Product').selectOption(price.id);
  expect(await line(page, 2).getByLabel('Tax', { exact: true }).count()).toBe(0);
  await line(page, 1).getByLabel('Tax', { exact: true }).selectOption('exclusive');
  await line(page, 1).getByLabel('Tax rate').selectOption({ label: '20% VAT (DE)' });
  await dialog(page).getByLabel('Discount').selectOption({ label: 'Friends, 50% off' });
  await dialog(page).getByLabel('Due', { exact: true }).selectOption('14');
  await dialog(page).getByLabel('Note to the customer').fill('Thank you\nAda');
  await button(page, 'Create draft').click();
  await page.getByRole('heading', { name: 'Draft invoice', level: 1 }).waitFor();
  await page.getByText('14 days after it is opened').waitFor();
  await closed(page);
  await expectAccessible(page);

  await button(page, 'Edit').click();
  expect(await line(page, 1).getByLabel('Unit price in USDC').inputValue()).toBe('1,200.00');
  expect(await line(page, 1).getByLabel('Tax', { exact: true }).inputValue()).toBe('exclusive');
  const chosen = (label: string, hasText: string) =>
    dialog(page).getByLabel(label).locator('option:checked', { hasText }).waitFor({ state: 'attached' });
  await chosen('Tax rate', '20% VAT (DE)');
  await chosen('Discount', 'Friends, 50% off');
  await line(page, 1).getByLabel('Quantity').fill('2');
  await dialog(page).getByRole('button', { name: 'Remove line 2' }).click();
  await button(page, 'Save').click();
  await closed(page);
  await confirm(page, 'Open invoice');
  await page.getByRole('heading', { name: 'Invoice INV-000001', level: 1 }).waitFor();
  await confirm(page, 'Send by e-mail', 'Send');
  await button(page, 'Send again').waitFor();
  const { data } = (await t.shop.call('GET', '/api/v2/invoices')).body;
  expect(data).toMatchObject([
    {
      status: 'open',
      totalCents: 144_000,
      discountCents: 120_000,
      taxes: [{ percent: 20, behavior: 'exclusive', taxCents: 24_000 }],
      customerId: customer.id,
      memo: 'Thank you\nAda',
      lines: [{ quantity: 2 }],
    },
  ]);

  // The customer's page says by when; then it is paid on the chain.
  const shopper = await pageOf(t, owner);
  await shopper.goto(data[0].checkoutUrl);
  await shopper.getByText('Due by').first().waitFor();
  await shopper.getByText('Thank you\nAda').waitFor();
  await paySession(t, await readSession(t.shop, data[0].checkoutSessionId));
  await t.finalize();
  await page.reload();
  await page.getByText('Paid', { exact: true }).first().waitFor();
  expect(await button(page, 'Void').count()).toBe(0);

  for (const [action, submit] of [
    ['Delete draft', 'Delete draft'],
    ['Open invoice', 'Open invoice'],
  ] as const) {
    await page.goto(dashboardUrl(t, `/customers/${customer.id}`));
    await button(page, 'New invoice').click();
    await line(page, 1).getByLabel('Description').fill('Mistake');
    await line(page, 1).getByLabel('Unit price in USDC').fill('1');
    await button(page, 'Create draft').click();
    await closed(page);
    await confirm(page, action, submit);
  }
  await confirm(page, 'Void', 'Void invoice');
  await page.getByText('Void', { exact: true }).first().waitFor();
  const { body } = await t.shop.call('GET', '/api/v2/invoices');
  expect(body.data.map(({ number, status }: Record<string, string>) => [number, status])).toEqual([
    ['INV-000002', 'void'],
    ['INV-000001', 'paid'],
  ]);
  await expectSound(t.service);
});

test('tax without curl: seller, rate, price, customer, XML and the report', async () => {
  const projectId = (await newProject(t.shop)).id;
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  const field = (label: string) => dialog(page).getByLabel(label, { exact: true });
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();
  const save = async (name = 'Save') => {
    await dialog(page).getByRole('button', { name, exact: true }).click();
    await closed(page);
  };
  await page.goto(dashboardUrl(t, `/projects/${projectId}`));
  await button(page, 'Add seller').click();
  await field('Legal name').fill('Muster <b>GmbH</b>');
  await field('City').fill('Berlin');
  await field('Country').selectOption('DE');
  await button(page, 'Add tax ID').click();
  await field('Number').fill('DE 136 695 977');
  await expectAccessible(page);
  await button(page, 'Save').click();
  await alert('Address: enter the first line');
  await field('Address').fill('Weg 1');
  await button(page, 'Save').click();
  await alert('Seller, tax ID 1 must be a VAT number of DE');
  expect(await field('City').inputValue()).toBe('Berlin');
  await field('Number').fill('DE 136 695 976');
  await save();
  await page.getByText('EU VAT number DE136695976').waitFor();

  await page.goto(dashboardUrl(t, '/tax'));
  await button(page, 'New tax rate').first().click();
  await field('Project').selectOption(projectId);
  await field('Name').fill('VAT');
  await field('Percent').fill('a lot');
  expect(await field('Country').inputValue()).toBe('DE');
  await expectAccessible(page);
  await button(page, 'Create tax rate').click();
  await alert('Percent: enter a number such as 19');
  await field('Percent').fill('19,5');
  await save('Create tax rate');
  await page.getByRole('row', { name: /19\.5% VAT \(DE\) Germany Standard Default/ }).waitFor();
  await button(page, 'Edit 19.5% VAT (DE)').click();
  await field('Name').fill('MwSt.');
  await save();
  await button(page, 'Archive: 19.5% MwSt. (DE)').click();
  await button(page, 'Activate: 19.5% MwSt. (DE)').click();
  await button(page, 'Edit 19.5% MwSt. (DE)').click();
  await field('Default of Germany').check();
  await save();
  await page.getByRole('row', { name: /19\.5% MwSt\. \(DE\) Germany Standard Default/ }).waitFor();

  const product = (await newPrice(t.shop, projectId)).productId;
  await page.goto(dashboardUrl(t, `/catalog/${product}`));
  await button(page, 'New price').click();
  await field('Amount in USDC').fill('100');
  await field('Tax').selectOption({ label: 'Added to the amount' });
  expect(await field('Tax rate').locator('option').allTextContents()).toEqual([
    'Default of the customer’s country',
    '19.5% MwSt. (DE)',
  ]);
  await save('Create price');
  await page.getByRole('link', { name: '100.00 USDC once' }).click();
  await page.getByText('Details for developers').click();
  await button(page, 'Edit metadata').waitFor();
  await expectAccessible(page);
  await button(page, 'Edit').click();
  await field('Name').fill('By the box');
  expect(await field('Tax').locator('option').allTextContents()).toEqual(['Added to the amount']);
  await field('Tax rate').selectOption({ label: '19.5% MwSt. (DE)' });
  await save();
  await page.getByRole('heading', { name: 'Coffee · By the box, 100.00 USDC once', level: 1 }).waitFor();
  await button(page, 'Edit metadata').click();
  await button(page, 'Add').click();
  await field('Key 1').fill('shelf');
  await field('Value 1').fill('B7');
  await save();
  const priceId = page.url().split('/').pop()!;
  const { body: price } = await t.shop.call('GET', `/api/v2/prices/${priceId}`);
  expect(price).toMatchObject({ name: 'By the box', taxBehavior: 'exclusive', metadata: { shelf: 'B7' } });
  expect(price.taxRateId).not.toBeNull();

  const { id: customerId } = await newCustomer(t.shop, projectId, { name: 'Ada & Co.' });
  const sale = { priceId, customerId };
  const early = await newSession(t.shop, projectId, sale);
  await page.goto(dashboardUrl(t, `/invoices/${early.invoiceId}`));
  await button(page, 'XML (UBL)').click();
  await page
    .getByText(/country/)
    .first()
    .waitFor();

  await page.goto(dashboardUrl(t, `/customers/${customerId}`));
  await button(page, 'Edit').click();
  await button(page, 'Address and tax').click();
  await field('Address').fill('Rue 1');
  await field('Country').selectOption({ label: 'France' });
  await field('Buys for a business').check();
  await button(page, 'Add tax ID').click();
  await field('Number').fill('FR1');
  await expectAccessible(page);
  await button(page, 'Save').click();
  await alert('Tax ID 1 must be a VAT number of FR');
  await field('Number').fill('FR40303265045');
  await field('I have verified it').check();
  await save();
  await page.getByText('EU VAT number FR40303265045 (verified)').waitFor();

  const sold = await newSession(t.shop, projectId, sale);
  await paySession(t, sold);
  await t.finalize();
  await page.goto(dashboardUrl(t, `/invoices/${sold.invoiceId}`));
  for (const format of ['UBL', 'CII']) {
    const saving = page.waitForEvent('download');
    await button(page, `XML (${format})`).click();
    const saved = await saving;
    const text = (await (await saved.createReadStream()).setEncoding('utf8').toArray()).join('');
    expect(saved.suggestedFilename()).toMatch(new RegExp(`^INV-\\d+-${format.toLowerCase()}\\.xml$`));
    expect(text).toContain('Muster &lt;b&gt;GmbH&lt;/b&gt;');
  }
  await page.goto(dashboardUrl(t, `/tax/report?projectId=${projectId}`));
  await page.getByRole('row', { name: /reverse charge 1 0 100\.00/i }).waitFor();
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await alert('To must be the same day as From');
  await page.getByLabel('Period').selectOption({ label: 'Last year' });
  await page.getByRole('heading', { name: 'Nothing in this period' }).waitFor();
});

test('a checkout made by hand has a trial of its own, promotion codes and tips', async () => {
  const projectId = (await newProject(t.shop)).id;
  const plan = await newPlan(t.shop, projectId, { trialDays: 14 });
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  const open = async () => {
    await page.goto(dashboardUrl(t, '/checkout-sessions'));
    await button(page, 'New checkout').first().click();
    await dialog(page).getByLabel('Project').selectOption(projectId);
    await button(page, 'More options').click();
  };
  const read = async () => {
    await button(page, 'Create checkout').click();
    await button(page, 'Open page')
      .or(page.getByRole('link', { name: 'Open page' }))
      .or(page.getByText('Complete', { exact: true }))
      .first()
      .waitFor();
    return readSession(t.shop, page.url().split('/').pop()!);
  };
  await open();
  await dialog(page).getByLabel('Product').selectOption(plan.id);
  expect(await dialog(page).getByLabel('Free trial in days').inputValue()).toBe('14');
  expect(await dialog(page).getByLabel('Tips in percent').count()).toBe(0);
  await expectAccessible(page);
  await dialog(page).getByLabel('Free trial in days').fill('30');
  await dialog(page).getByLabel('Your customer ID').fill('reader-30');
  await dialog(page).getByLabel('Customers can enter a promotion code').check();
  expect(await read()).toMatchObject({ trialDays: 30, allowPromotionCodes: true });

  await open();
  await dialog(page).getByLabel('Amount in USDC').fill('40');
  await dialog(page).getByLabel('Tips in percent').fill('5, a lot');
  await button(page, 'Create checkout').click();
  await page.getByRole('alert').filter({ hasText: 'Tips: enter whole percentages' }).waitFor();
  await dialog(page).getByLabel('Tips in percent').fill('5%, 12 %');
  expect(await read()).toMatchObject({ amountCents: 4_000, tipPercents: [5, 12], trialDays: null });
});

test('a part-paid invoice is voided on screen; “Pay late” pays one after its due date, not years later', async () => {
  const projectId = (await newProject(t.shop)).id;
  const { id: customerId } = await newCustomer(t.shop, projectId, { name: 'Late' });
  const openInvoice = async () => {
    const lineItems = [{ name: 'Consulting', unitAmountCents: 1_000 }];
    const body = { projectId, customerId, lineItems, netDays: 7 };
    const { body: draft } = await t.shop.call('POST', '/api/v2/invoices', body);
    return (await t.shop.call('POST', `/api/v2/invoices/${draft.id}/open`)).body;
  };
  const part = await openInvoice();
  await paySession(t, await readSession(t.shop, part.checkoutSessionId), 400);
  await t.finalize();
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  await page.goto(dashboardUrl(t, `/invoices/${part.id}`));
  await button(page, 'Void').click();
  await dialog(page).getByText('What was paid becomes the customer’s account credit').waitFor();
  await dialog(page).getByRole('button', { name: 'Void invoice', exact: true }).click();
  await closed(page);
  await page.getByText('Void', { exact: true }).first().waitFor();

  const late = await openInvoice();
  const before = t.service.clock.now();
  await page.goto(late.checkoutUrl);
  await page.getByRole('button', { name: 'Pay late', exact: true }).click();
  await page.waitForURL(/lang=/);
  const days = (t.service.clock.now().getTime() - before.getTime()) / 86_400_000;
  expect([days > 6.9, days < 8]).toEqual([true, true]);
  await expectSound(t.service);
});

test('what is overdue is one need of attention, which leads to exactly those; a cart that was left is no alarm', async () => {
  const projectId = (await newProject(t.shop)).id;
  const { clock } = t.service;
  const { id: customerId } = await newCustomer(t.shop, projectId, { email: 'late@example.com' });
  const dueAt = new Date(clock.now().getTime() + 86_400_000).toISOString();
  const lineItems = [{ name: 'Late', unitAmountCents: 1_111, quantity: 1 }];
  const late = await t.shop.call('POST', '/api/v2/invoices', { projectId, customerId, lineItems, dueAt });
  await t.shop.call('POST', `/api/v2/invoices/${late.body.id}/open`);
  const left = await newSession(t.shop, projectId, { amountCents: 2_222 });
  await t.service.db.query(`update invoices set status = 'uncollectible' where id = $1`, [left.invoiceId]);
  clock.setOffsetMs(clock.now().getTime() - Date.now() + 2 * 86_400_000);
  await newSession(t.shop, projectId, { amountCents: 3_333 });
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t));
  await page.getByRole('link', { name: /overdue invoice/ }).click();
  await page.waitForURL('**/invoices?status=overdue');
  await page.getByRole('row', { name: /11\.11/ }).waitFor();
  await page.getByRole('row', { name: /33\.33/ }).waitFor({ state: 'detached' });
  await page.getByLabel('Status').selectOption('uncollectible');
  const row = page.getByRole('row', { name: /22\.22/ });
  expect(await row.innerText()).toContain('Uncollectible');
  expect(await row.locator('[class*="calm"]').count()).toBe(1);
});

test('screens go by the service’s clock, which a sandbox can move', async () => {
  const projectId = (await newProject(t.shop)).id;
  const { clock } = t.service;
  clock.setOffsetMs(clock.now().getTime() - Date.now() + 400 * 86_400_000);
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t, `/tax/report?projectId=${projectId}`));
  const now = clock.now();
  const month = now.getUTCMonth() - (now.getUTCMonth() % 3) + 1;
  const first = `${now.getUTCFullYear()}-${String(month).padStart(2, '0')}-01`;
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe(first);
});
