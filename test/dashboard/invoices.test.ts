import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  expectSound,
  newCustomer,
  newPrice,
  newProject,
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

test('an invoice is written, edited, opened, sent and paid; another is deleted, and one void', async () => {
  const projectId = (await newProject(t.shop)).id;
  const customer = await newCustomer(t.shop, projectId, { name: 'Ada', email: 'ada@example.com' });
  const price = await newPrice(t.shop, projectId);
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  await page.goto(dashboardUrl(t, '/invoices'));
  await button(page, 'New invoice').first().click();
  await expectAccessible(page);
  await dialog(page).getByLabel('Customer', { exact: true }).selectOption({ label: 'Ada' });
  await line(page, 1).getByLabel('Description').fill('Consulting <b>October</b>');
  await line(page, 1).getByLabel('Quantity').fill('8');
  await line(page, 1).getByLabel('Unit price in USDC').fill('much');
  await button(page, 'Create draft').click();
  await page.getByRole('alert').filter({ hasText: 'Line 1, unit price: enter an amount' }).waitFor();
  await line(page, 1).getByLabel('Unit price in USDC').fill('1,200.00');
  await button(page, 'Add line').click();
  await line(page, 2).getByLabel('Product').selectOption(price.id);
  await dialog(page).getByLabel('Due', { exact: true }).selectOption('14');
  await dialog(page).getByLabel('Note to the customer').fill('Thank you\nAda');
  await button(page, 'Create draft').click();
  await page.getByRole('heading', { name: 'Draft invoice', level: 1 }).waitFor();
  await page.getByText('14 days after it is opened').waitFor();
  await closed(page);
  await expectAccessible(page);

  await button(page, 'Edit').click();
  expect(await line(page, 1).getByLabel('Unit price in USDC').inputValue()).toBe('1,200.00');
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
      totalCents: 240_000,
      customerId: customer.id,
      memo: 'Thank you\nAda',
      lines: [{ quantity: 2 }],
    },
  ]);

  // The customer's page says by when; then it is paid on the chain.
  const shopper = await pageOf(t, owner);
  await shopper.goto(data[0].checkoutUrl);
  await shopper.getByText('Due by').first().waitFor();
  await paySession(t, await readSession(t.shop, data[0].checkoutSessionId));
  await t.finalize();
  await page.reload();
  await page.getByText('Paid', { exact: true }).first().waitFor();
  expect(await button(page, 'Void').count()).toBe(0);

  await page.goto(dashboardUrl(t, `/customers/${customer.id}`));
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
