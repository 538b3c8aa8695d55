import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/platform/lib/clock.ts';
import {
  advance,
  bring,
  newCustomer,
  newPlan,
  newPrice,
  newProject,
  newSession,
} from '../support/billing.ts';
import { expectAccessible } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOwner, type TestMember } from '../support/members.ts';

let t: TestChain;
let owner: TestMember;
/** Page of the running test. */
let page: Page;

beforeAll(async () => {
  t = await dashboardChain();
  t.service.db.queuesEmails = true;
  owner = await newOwner(t.service, t.shop);
});

const newPage = () => pageOf(t, owner, { reducedMotion: 'reduce' });

/** Signs in again, after so much time that everybody was signed out. */
async function signIn(): Promise<void> {
  owner = await newOwner(t.service, t.shop);
  page = await newPage();
}

const figure = (title: string) =>
  page.locator('dl > div').filter({ has: page.getByText(title, { exact: true }) });
const chart = () => page.getByRole('slider', { name: 'Revenue over time' });

/** Payments of the last weeks, some subscribers, and one that is underpaid. */
async function sell(): Promise<string> {
  const projectId = (await newProject(t.shop)).id;
  const price = await newPrice(t.shop, projectId, { unitAmountCents: 1_250 });
  const plan = await newPlan(t.shop, projectId, { unitAmountCents: 4_000 });
  await newCustomer(t.shop, projectId, {
    ...{ externalCustomerId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' },
  });
  for (let n = 0; n < 6; n++) {
    await advance(t.service, 9, { isRead: false });
    const session = await newSession(t.shop, projectId, { priceId: price.id, externalCustomerId: 'ada' });
    await bring(t.service, t.shop, session, 1_250);
  }
  const subscription = await newSession(t.shop, projectId, {
    ...{ mode: 'subscription', priceId: plan.id, externalCustomerId: 'bob' },
  });
  await bring(t.service, t.shop, subscription, 4_000);
  const part = await newSession(t.shop, projectId, {
    ...{ amountCents: 1_000, customerEmail: 'eve@example.com', merchantReference: 'Order 7' },
  });
  await bring(t.service, t.shop, part, 800);
  return part.paymentIntentId;
}

test('an empty shop has an empty home; a shop with payments sees numbers, a chart and what to do', async () => {
  page = await newPage();
  await page.goto(dashboardUrl(t));
  await page.getByText('No payments in this period.').waitFor();
  await expectAccessible(page);

  const underpaid = await sell();
  await signIn();
  await page.goto(dashboardUrl(t));
  await figure('Revenue').getByText('90.00 USDC').waitFor();
  expect(await figure('Payments').innerText()).toMatch(/^Payments\n5\b/);
  expect(await figure('Monthly recurring revenue').innerText()).toContain('40.00 USDC');
  expect(await figure('Checkouts paid').innerText()).toContain('5 of 6 opened');
  await page.getByText(/Days are in UTC\./).waitFor();
  await page.getByRole('table', { name: 'Top customers' }).getByText('Ada Lovelace').waitFor();
  await expectAccessible(page);

  // The keyboard reads the chart, and opens the payments of a day.
  await chart().focus();
  await page.keyboard.press('End');
  expect(await chart().getAttribute('aria-valuetext')).toContain('52.50 USDC, 2 payments');
  for (let n = 0; n < 9; n++) await page.keyboard.press('ArrowLeft');
  expect(await chart().getAttribute('aria-valuetext')).toContain('12.50 USDC, 1 payment');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/payments\?succeededFrom=(\d{4}-\d\d-\d\d)&succeededTo=\1$/);
  await page.getByRole('table', { name: 'Payments', exact: true }).getByText('12.50').first().waitFor();
  expect(await page.getByRole('table', { name: 'Payments', exact: true }).getByRole('row').count()).toBe(2);
  await page.goBack();

  await page.getByLabel('Period').selectOption('12m');
  await figure('Revenue').getByText('115.00 USDC').waitFor();
  expect(new URL(page.url()).searchParams.get('range')).toBe('12m');
  await page.getByLabel('Period').selectOption('own');
  await page.getByLabel('From').fill('2026-02-02');
  await page.getByLabel('To', { exact: true }).fill('2026-02-01');
  await page.getByRole('alert').getByText('To must be the same day as From, or later.').waitFor();

  const row = page.getByRole('listitem').filter({ hasText: 'Order 7 · eve@example.com' }).last();
  expect(await row.innerText()).toContain('2.00 USDC missing');
  await row.getByRole('button', { name: 'Send reminder' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send reminder' }).click();
  await page.getByText('The reminder is on its way.').waitFor();
  await row.getByRole('link').click();
  await page.waitForURL(new RegExp(`/payments/${underpaid}$`));
});

test('the days follow the time zone of the settings', async () => {
  page = await newPage();
  await page.goto(dashboardUrl(t, '/settings'));
  await page.getByLabel('Times and days in the dashboard').selectOption('Australia/Adelaide');
  await page.getByText('Saved.').waitFor();
  await page.goto(dashboardUrl(t, '/?range=today'));
  await page.getByText(/Days are in the time zone Australia\/Adelaide\./).waitFor();
  expect(await chart().getAttribute('aria-valuemax')).toBe('23');
});

test('a bar opens the payments that succeeded on that day of the merchant, in the chosen project', async () => {
  await t.shop.call('PATCH', '/api/b2b/merchants/me', { timeZone: 'Pacific/Kiritimati' });
  const other = await newProject(t.shop, { name: 'Second shop' });
  // Midnight there is at 10:00 UTC. Both are opened before it, on one day of UTC, and one is paid after it.
  const { clock } = t.service;
  const midnight = Math.ceil((clock.now().getTime() - 8 * HOUR_MS) / DAY_MS) * DAY_MS + 10 * HOUR_MS;
  const moveTo = (ms: number) => clock.setOffsetMs(ms - Date.now());
  moveTo(midnight - HOUR_MS);
  const open = (amountCents: number, merchantReference: string) =>
    newSession(t.shop, other.id, { amountCents, merchantReference });
  const [before, after] = [await open(7_700, 'Second-1'), await open(8_800, 'Second-2')];
  await bring(t.service, t.shop, before, 7_700);
  moveTo(midnight + HOUR_MS);
  await bring(t.service, t.shop, after, 8_800);
  await signIn();
  await page.goto(dashboardUrl(t, `/?range=7d&projectId=${other.id}`));
  await chart().focus();
  await page.keyboard.press('End');
  expect(await chart().getAttribute('aria-valuetext')).toContain('88.00 USDC, 1 payment');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/payments\?projectId=[0-9a-f-]+&succeededFrom=(\d{4}-\d\d-\d\d)&succeededTo=\1$/);
  const table = page.getByRole('table', { name: 'Payments', exact: true });
  await table.getByText('Second-2').waitFor();
  expect(await table.getByRole('row').count()).toBe(2);
  expect(await page.getByLabel('Project').inputValue()).toBe(other.id);
  await expectAccessible(page);
});
