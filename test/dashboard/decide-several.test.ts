import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import { expectSound } from '../support/billing.ts';
import { expectAccessible, expectFits, PHONE } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newMember, newOwner, PASSWORD, type TestMember } from '../support/members.ts';
import { newIntent, payIntent } from '../support/payments.ts';

let t: TestChain;
let owner: TestMember;

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
  const intent = await newIntent(t.shop);
  for (const cents of [101n, 102n, 103n])
    await payIntent(t, intent, { amountBaseUnits: centsToBaseUnits(cents), references: [] });
  await t.finalize();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const tick = (page: Page, amount: string) =>
  page.getByRole('checkbox', { name: `Select ${amount} USDC, No matching order` }).check();
const statuses = async () =>
  (await t.shop.call('GET', '/api/v2/exceptions')).body.data
    .map(({ amountCents, status }: { amountCents: number; status: string }) => `${amountCents} ${status}`)
    .toSorted();

test('several exceptions are decided at once, with a result for each, and all of it is undone', async () => {
  const lapse = `update dashboard_sessions set confirmed_at = confirmed_at - interval '1 hour' where member_id = $1`;
  await t.service.db.query(lapse, [owner.id]);
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  await page.goto(dashboardUrl(t, '/exceptions'));
  for (const amount of ['1.01', '1.02', '1.03']) await tick(page, amount);
  await page.getByText('3 selected').waitFor();
  await expectAccessible(page);
  // Somebody else decides one of them first.
  const { body } = await t.shop.call('GET', '/api/v2/exceptions');
  const other = body.data.find(({ amountCents }: { amountCents: number }) => amountCents === 102);
  await t.shop.call('POST', `/api/v2/exceptions/${other.id}/mark-returned`);
  await button(page, 'Keep').click();
  await dialog(page).getByLabel('Note').fill('tips');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Keep', exact: true }).click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await button(page, 'Confirm').click();
  await page.getByRole('heading', { name: '2 of 3 decided' }).waitFor();
  await dialog(page).getByText('This exception is already returned.').waitFor();
  expect(await statuses()).toEqual(['101 kept', '102 returned', '103 kept']);
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).dblclick();
  await page.getByRole('heading', { name: '0 of 3 decided' }).waitFor();
  expect(await statuses()).toEqual(['101 open', '102 returned', '103 open']);
  await dialog(page).getByRole('button', { name: 'Done', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
  expect(await page.getByText('selected').count()).toBe(0);

  await page.setViewportSize(PHONE);
  await tick(page, '1.01');
  await expectFits(page);
  await expectAccessible(page);
  await button(page, 'Mark as returned').click();
  await dialog(page).getByRole('button', { name: 'Mark as returned', exact: true }).click();
  await page.getByRole('heading', { name: '1 of 1 decided' }).waitFor();
  expect(await statuses()).toEqual(['101 returned', '102 returned', '103 open']);
  await expectSound(t.service);
});

test('only owners can select', async () => {
  const page = await pageOf(t, await newMember(t.service, await newOwner(t.service, t.shop), 'developer'));
  await page.goto(dashboardUrl(t, '/exceptions'));
  await page.getByText('1.03').first().waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
});
