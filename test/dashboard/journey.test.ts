import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { appPage, dashboardChain, dashboardUrl } from '../support/dashboard.ts';
import { newSetupToken, PASSWORD } from '../support/members.ts';

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
  await page.getByRole('link', { name: 'Create a payment link' }).waitFor();
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
  // What a browser says before it keeps a page to come back to.
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
  await page.getByText('Receive your first payment (done)').waitFor();
  await expectAccessible(page);
});
