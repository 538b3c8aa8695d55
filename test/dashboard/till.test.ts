import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits, PHONE } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOwner } from '../support/members.ts';
import { payIntent } from '../support/payments.ts';
import { newPlace, pairedTill } from '../support/till.ts';

let t: TestChain;
let page: Page;

beforeAll(async () => {
  t = await dashboardChain();
});

const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const click = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('an owner pairs a till and unpairs it, and approves what staff ask for', async () => {
  const owner = await newOwner(t.service, t.shop);
  const place = await newPlace(t.shop);
  page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  await page.goto(dashboardUrl(t, `/terminals/${place.terminalId}`));
  await click('Pair a till');
  await page.getByLabel('Device name').fill('Blue tablet');
  await page.getByLabel('Tips').fill('10, 15');
  await expectAccessible(page);
  await inDialog('Get a code').click();
  const code = await page.getByTestId('pairing-code').innerText();
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expectFits(page);

  const phone = await pageOf(t, owner, { viewport: PHONE, reducedMotion: 'reduce' });
  await phone.goto(`${t.service.config.PUBLIC_URL}/till#code=${code.replace('-', '')}`);
  await phone.getByRole('button', { name: 'Pair till' }).click();
  await phone.getByRole('button', { name: 'Enter an amount' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Blue tablet').waitFor();
  await page.getByText('10%, 15%').waitFor();
  await expectAccessible(page);
  await click('Unpair');
  await inDialog('Unpair till').click();
  await page.getByText('Till unpaired.').waitFor();
  await phone.getByText('This till was unpaired.').waitFor();

  const till = await pairedTill(t.service, t.shop, { ...place, tipPercents: [] });
  const { body: sale } = await till.call('POST', '/sales', { amountCents: 400 });
  const { body: intent } = await t.shop.call('GET', `/api/merchants/intents/${sale.id}`);
  const payment = { id: intent.id, reference: intent.referenceAddress };
  await payIntent(t, payment, { amountBaseUnits: 4_000_000n });
  await t.finalize();
  await page.goto(dashboardUrl(t, '/'));
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  await till.call('POST', `/sales/${sale.id}/refund-request`, { reason: 'Wrong size' });
  await page.getByRole('link', { name: /^1 refund requested at a till/ }).click();
  await page.getByRole('heading', { name: 'Requested at a till' }).waitFor();
  await page.getByText('Wrong size').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await click('Approve');
  await inDialog('Approve refund').click();
  await page.waitForURL(/\/refunds\/[0-9a-f-]{36}$/);
  await page.getByText('Refund created.').waitFor();
  expect((await till.call('GET', `/sales/${sale.id}`)).body.refundRequest).toBe('approved');
});
