import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer, newProject, newSession } from '../support/billing.ts';
import { expectAccessible, expectFits, PHONE } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newMember, newOwner, type TestMember } from '../support/members.ts';
import { newAddress } from '../support/service.ts';

let t: TestChain;
let owner: TestMember;
let colleague: TestMember;
let projectId: string;

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
  colleague = await newMember(t.service, owner, 'developer');
  projectId = (await newProject(t.shop)).id;
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (page: Page) => page.getByRole('dialog');
const closed = (page: Page) => inDialog(page).waitFor({ state: 'detached' });

async function submit(page: Page, label: string): Promise<void> {
  await inDialog(page).getByRole('button', { name: label, exact: true }).click();
  await closed(page);
}

test('notes about a customer and a payment: written, edited and deleted by their author, read by the team', async () => {
  const customer = await newCustomer(t.shop, projectId, { name: 'Ada' });
  const session = await newSession(t.shop, projectId, { amountCents: 500 });
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  for (const path of [`/customers/${customer.id}`, `/payments/${session.paymentIntentId}`]) {
    await page.goto(dashboardUrl(t, path));
    await page.getByLabel('New note').fill('Called about <b>oat</b> milk.\nCalls again on Monday.');
    await button(page, 'Add note').dblclick();
    await page.getByText('Calls again on Monday.').waitFor();
    await page.getByRole('strong').getByText('Olive').waitFor();
    expect(await button(page, 'Edit note').count()).toBe(1);
  }
  await expectAccessible(page);
  await button(page, 'Edit note').click();
  await inDialog(page).getByLabel('Note').fill('Called about soy milk.');
  await submit(page, 'Save');
  await page.getByText('Called about soy milk.').waitFor();
  const other = await pageOf(t, colleague, { reducedMotion: 'reduce', viewport: PHONE });
  await other.goto(dashboardUrl(t, `/payments/${session.paymentIntentId}`));
  await other.getByText('Called about soy milk.').waitFor();
  expect(await button(other, 'Edit note').count()).toBe(0);
  await expectFits(other);
  await button(page, 'Delete note').click();
  await submit(page, 'Delete');
  await page.getByText('Called about soy milk.').waitFor({ state: 'detached' });
});

test('five first steps: each is checked by the service, a test payment is seen to arrive, and all can be brought back', async () => {
  const page = await pageOf(t, owner, { reducedMotion: 'reduce', viewport: PHONE });
  await page.goto(dashboardUrl(t));
  const steps = page.getByRole('region', { name: 'Get ready for your first customer' });
  const step = (title: string) => steps.locator('li').filter({ hasText: title }).first();
  await step('Check your payout wallet').getByText('is not verified').waitFor();
  await expectFits(page);
  await step('See a test payment arrive').locator('summary').click();
  await button(page, 'Make a test payment').click();
  await steps.getByText('Pending').waitFor();
  await expectAccessible(page);
  await t.finalize();
  await step('See a test payment arrive').getByText('Done').waitFor();
  const { body: paid } = await owner.call('GET', '/api/dashboard/onboarding');
  expect(paid.wallet).toMatchObject({
    isDone: false,
    provenBy: null,
    hasPayment: true,
    isSeenInWallet: false,
  });
  const other = await owner.call('POST', '/api/dashboard/onboarding/wallet', { payoutAddress: newAddress() });
  expect([other.status, other.body.error.code]).toEqual([409, 'INVALID_STATE']);
  await step('Check your payout wallet').getByText('compare the address').waitFor();
  await expectAccessible(page);
  await button(page, 'It is the address of my wallet').click();
  await step('Check your payout wallet').getByText('Done').waitFor();
  await step('Go live').locator('summary').click();
  await step('Go live').getByText('A second way to sign in Done').waitFor();
  const answer = (await owner.call('GET', '/api/dashboard/onboarding')).body;
  expect(answer).toMatchObject({
    isDone: false,
    wallet: { isDone: true, provenBy: null, isSeenInWallet: true },
    payment: { isDone: true },
    paymentLink: { isDone: false },
    delivery: { isDone: false, hasReceiver: false },
  });
  const isDone = Object.fromEntries(
    answer.goLive.checks.map((check: { name: string; isDone: boolean }) => [check.name, check.isDone]),
  );
  expect(isDone).toMatchObject({
    mainnet: false,
    backup: false,
    second_way_in: true,
    support_address: false,
  });
  await t.service.db.query('update installation set backed_up_at = now()');
  await step('Go live').getByText('A backup Done').waitFor();
  await page.goto(dashboardUrl(t, '/settings'));
  await page.getByRole('link', { name: 'Show the first steps on the home page' }).click();
  await steps.waitFor();
});

test('a view is saved, shared, opened as a tab by a colleague, renamed and deleted', async () => {
  await newCustomer(t.shop, projectId, { name: 'Bo', email: 'bo@example.com' });
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  await page.goto(dashboardUrl(t, '/payments?status=succeeded'));
  await button(page, 'Save this view').click();
  await inDialog(page).getByLabel('Name').fill('Paid');
  await inDialog(page).getByLabel('Share with the team').check();
  await expectAccessible(page);
  await submit(page, 'Save');
  const tabs = page.getByRole('navigation', { name: 'Saved views' });
  expect(await tabs.locator('[aria-current=page]').innerText()).toBe('Paid');
  await tabs.getByRole('button', { name: 'All', exact: true }).click();
  await page.waitForURL((url) => url.search === '');
  await page.goBack();
  await page.waitForURL((url) => url.search === '?status=succeeded');
  await tabs.getByRole('button', { name: 'All', exact: true }).click();

  const other = await pageOf(t, colleague, { reducedMotion: 'reduce', viewport: PHONE });
  await other.goto(dashboardUrl(t, '/payments'));
  await button(other, 'Paid').click();
  await other.waitForURL((url) => url.search === '?status=succeeded');
  expect(await button(other, 'Delete view').count()).toBe(0);
  await expectFits(other);

  const gone = { list: 'intents', name: 'Old', query: 'status=no_longer_there' };
  expect((await owner.call('POST', '/api/dashboard/saved-views', gone)).status).toBe(201);
  await page.reload();
  await button(page, 'Old').click();
  await page.getByRole('row').nth(1).waitFor();
  await button(page, 'Rename view').click();
  await inDialog(page).getByLabel('Name').fill('Older');
  await submit(page, 'Save');
  await tabs.getByText('Older').waitFor();
  await button(page, 'Delete view').click();
  await submit(page, 'Delete');
  await tabs.getByText('Older').waitFor({ state: 'detached' });
  await expectAccessible(page);
});
