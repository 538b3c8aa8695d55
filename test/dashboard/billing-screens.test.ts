import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer, newPlan, newProject, newSession, paySession } from '../support/billing.ts';
import { expectAccessible } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { png } from '../support/images.ts';
import { rawCall } from '../support/mcp.ts';
import { newOwner, PASSWORD, type TestMember } from '../support/members.ts';
import { readQrCode } from '../support/read-qr-code.ts';
import { call } from '../support/service.ts';
import { createWallet } from '../support/wallet.ts';

let t: TestChain;
let owner: TestMember;

/** A name that would run if any screen took it for more than text. */
const EVIL = `Paper <img src=x onerror="window.hit=1">`;

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
});

/** Nothing fades in: what is looked at is there. */
const calmPage = (member: TestMember) => pageOf(t, member, { reducedMotion: 'reduce' });

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (page: Page) => page.getByRole('dialog');
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' });
const isUnhurt = async (page: Page) => expect(await page.evaluate('window.hit')).toBeUndefined();

/** Opens a dialog, fills its fields by label and sends it. */
async function fill(page: Page, open: string, fields: Record<string, string>, send: string): Promise<void> {
  await button(page, open).first().click();
  await dialog(page).waitFor();
  await expectAccessible(page);
  for (const [label, text] of Object.entries(fields)) await dialog(page).getByLabel(label).fill(text);
  await dialog(page).getByRole('button', { name: send, exact: true }).click();
}

test('a new shop: project, product, prices, a checkout that is paid, its invoice and its subscription', async () => {
  const page = await calmPage(owner);
  await page.goto(dashboardUrl(t, '/projects'));
  await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
  await fill(page, 'New project', { Name: EVIL }, 'Create project');
  await heading(page, EVIL).waitFor();
  await closed(page);

  await page.getByRole('link', { name: 'Catalog' }).click();
  await page.getByRole('heading', { name: 'No products yet' }).waitFor();
  await fill(page, 'New product', { Name: EVIL, Description: 'Every morning' }, 'Create product');
  await heading(page, EVIL).waitFor();
  for (const amount of ['10', '30.00']) {
    await button(page, 'New price').click();
    await dialog(page).getByLabel('Billing').selectOption('subscription');
    await dialog(page).getByLabel('Amount in USDC').fill(amount);
    await button(page, 'Create price').click();
    await closed(page);
  }
  await fill(page, 'New price', { 'Amount in USDC': 'ten' }, 'Create price');
  await page.getByRole('alert').filter({ hasText: 'enter an amount such as 12' }).waitFor();
  await dialog(page).getByLabel('Billing').selectOption('balance_top_up');
  await dialog(page).getByLabel('Amount in USDC').fill('20');
  await dialog(page).getByLabel('Credits included').fill('500');
  await button(page, 'Create price').click();
  await closed(page);
  await button(page, 'Archive: 20.00 USDC for 500 credits').click();
  await button(page, 'Activate: 20.00 USDC for 500 credits').waitFor();

  await page.getByRole('link', { name: 'Checkouts' }).click();
  await heading(page, 'Checkouts').waitFor();
  await button(page, 'New checkout').first().click();
  const choice = dialog(page).getByLabel('Product');
  expect(await choice.locator('option').allTextContents()).toEqual([
    'Custom amount',
    `${EVIL}, 30.00 USDC a month`,
    `${EVIL}, 10.00 USDC a month`,
  ]);
  await choice.selectOption(`${EVIL}, 10.00 USDC a month`);
  await dialog(page).getByLabel('Your customer ID').fill('reader-7');
  await button(page, 'Create checkout').click();
  await heading(page, '10.00 USDC').waitFor();
  await page.getByText('Waiting for payment').waitFor();
  await button(page, /^Copy checkout link http/).waitFor();

  await button(page, 'Pay with test money').click();
  await page.getByText('Test payment sent.').waitFor();
  await t.finalize();
  await page.getByText('Complete', { exact: true }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Paid' }).waitFor();

  await page.getByRole('link', { name: /^INV-/ }).click();
  await page.getByRole('heading', { name: /^Invoice / }).waitFor();
  await page.getByRole('row', { name: /Paper/ }).waitFor();
  const href = await page.getByRole('link', { name: 'PDF' }).getAttribute('href');
  const pdf = await owner.call('GET', href!);
  expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);
  await isUnhurt(page);
});

async function running(cents = 1000) {
  const project = await newProject(t.shop, { name: 'Plans' });
  const plan = await newPlan(t.shop, project.id, { unitAmountCents: cents });
  await newPlan(t.shop, project.id, { unitAmountCents: cents * 3 });
  const session = await newSession(t.shop, project.id, {
    mode: 'subscription',
    priceId: plan.id,
    externalCustomerId: 'subscriber',
  });
  await paySession(t, session);
  await t.finalize();
  return session;
}

test('a subscription: the preview says what a change costs, an end is planned, taken back, and made at once', async () => {
  const { subscriptionId } = await running();
  const page = await calmPage(owner);
  await page.goto(dashboardUrl(t, `/subscriptions/${subscriptionId}`));
  await button(page, 'Change plan').click();
  await dialog(page).getByLabel('New plan').waitFor();
  await expectAccessible(page);
  await button(page, 'Preview charges').click();
  await page.getByText('The customer is asked to pay the amount due.').waitFor();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Change plan', exact: true }).click();
  await page
    .getByRole('region', { name: 'Pending change' })
    .getByText('When the customer has paid')
    .waitFor();
  await button(page, 'Withdraw change').click();
  await page.getByRole('region', { name: 'Pending change' }).waitFor({ state: 'detached' });

  await button(page, 'Cancel').click();
  await dialog(page)
    .getByText(/Access continues until/)
    .waitFor();
  await expectAccessible(page);
  await button(page, 'End subscription').click();
  await page.getByRole('alert').filter({ hasText: 'Ends with the billing period' }).waitFor();
  await page.getByRole('region', { name: 'Pending change' }).waitFor({ state: 'detached' });

  await button(page, 'Resume').click();
  await page.getByText('Subscription resumed').waitFor();
  await button(page, 'Cancel').click();
  await dialog(page).getByLabel('Now', { exact: true }).check();
  await button(page, 'End subscription').click();
  await page.getByText('Canceled on request').waitFor();
  const { body } = await t.shop.call('GET', `/api/v2/subscriptions/${subscriptionId}`);
  expect([body.status, body.hasAccess]).toEqual(['canceled', false]);
});

test('a customer: made, given credits and account credit, edited, let into the portal once', async () => {
  const page = await calmPage(owner);
  await page.goto(dashboardUrl(t, '/customers'));
  await heading(page, 'Customers').waitFor();
  await fill(page, 'New customer', { 'Your customer ID': 'user-9', Name: EVIL }, 'Create customer');
  await heading(page, EVIL).waitFor();
  await fill(page, 'Adjust', { Amount: '250', Reason: 'Welcome' }, 'Adjust');
  await closed(page);
  await page.getByRole('row', { name: /\+250 credits.*Welcome/ }).waitFor();
  await button(page, 'Adjust').click();
  await dialog(page).getByLabel('Balance').selectOption('money');
  await dialog(page).getByLabel('Amount').fill('1.50');
  await dialog(page).getByLabel('Reason').fill(EVIL);
  // Some people double-click everything.
  await dialog(page).getByRole('button', { name: 'Adjust', exact: true }).dblclick();
  await page.getByRole('row', { name: /\+1\.50 USDC/ }).waitFor();
  const id = page.url().split('/').pop();
  await button(page, 'Edit').click();
  await dialog(page).getByLabel('E-mail').fill('nine@shop.example');
  await dialog(page).getByLabel('Language').fill('de-AT');
  // A colleague saves meanwhile; one Escape loses nothing.
  const named = { name: 'Nine of nine' };
  expect((await t.shop.call('PATCH', `/api/v2/customers/${id}`, named)).status).toBe(200);
  await page.keyboard.press('Escape');
  await dialog(page).getByText('Close again to discard what you entered.').waitFor();
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await closed(page);
  const { body } = await t.shop.call('GET', `/api/v2/customers/${id}`);
  expect(body).toMatchObject({ creditBalance: 250, accountCreditCents: 150, language: 'de-AT', ...named });

  await button(page, 'Portal link').click();
  const link = (await page.getByTestId('secret').textContent())!;
  await expectAccessible(page);
  await button(page, 'Done').click();
  await closed(page);
  const enter = () => call(`${t.service.url}/api/portal/login`, 'POST', { token: link.split('/').pop() });
  expect((await enter()).body.customer.id).toBe(id);
  expect((await enter()).status).toBe(410);
  await isUnhurt(page);
});

test('a terminal: its code leads to its display; off, it says so', async () => {
  const page = await calmPage(owner);
  await page.goto(dashboardUrl(t, '/terminals'));
  await fill(page, 'New terminal', { Name: 'Front counter' }, 'Create terminal');
  await heading(page, 'Front counter').waitFor();
  await closed(page);
  const id = page.url().split('/').pop()!;
  expect(await readQrCode(page)).toBe(`${t.service.config.PUBLIC_URL}/terminals/${id}`);
  const saving = page.waitForEvent('download');
  await button(page, 'Download QR code (SVG)').click();
  expect((await saving).suggestedFilename()).toBe('front-counter.svg');
  await fill(page, 'Rename', { Name: 'Back counter' }, 'Save');
  await heading(page, 'Back counter').waitFor();
  await closed(page);
  await button(page, 'Deactivate').click();
  await button(page, 'Deactivate terminal').click();
  await button(page, 'Activate').waitFor();
  const { body } = await t.shop.call('GET', '/api/b2b/merchants/terminals');
  expect(body.find((one: { id: string }) => one.id === id)).toMatchObject({
    name: 'Back counter',
    isActive: false,
  });
});

test('a project’s payout address wants the owner’s password; limits and settings are shown with their use', async () => {
  const seller = { legalName: 'Acme GmbH', country: 'DE' };
  const project = await newProject(t.shop, { name: 'Limits', seller });
  await newSession(t.shop, project.id, { amountCents: 2500 });
  const wallet = await createWallet(t.chain);
  const member = await newOwner(t.service, t.shop);
  await t.service.db.query(`update dashboard_sessions set confirmed_at = confirmed_at - interval '1 hour'`);
  const page = await calmPage(member);
  await page.goto(dashboardUrl(t, `/projects/${project.id}`));
  await fill(page, 'Change payout address', { 'Solana address': wallet.address }, 'Use this address');
  await page.getByLabel('Your password').fill(PASSWORD);
  await button(page, 'Confirm').click();
  await button(page, `Copy payout address ${wallet.address}`).waitFor();
  await closed(page);
  await fill(page, 'Change limits', { 'Volume in USDC': '100', Requests: '5000' }, 'Save');
  await page.getByText('25.00 USDC of 100.00 USDC').waitFor();
  await closed(page);
  const changes = { 'Reminders, in days': '5, 2', 'Credits per unit of usage': 'images = 5\ncalls=1' };
  await fill(page, 'Change settings', changes, 'Save');
  await page.getByText(/images 5/).waitFor();
  const { body } = await t.shop.call('GET', `/api/v2/projects/${project.id}`);
  expect(body).toMatchObject({
    payoutAddress: wallet.address,
    settings: { reminderDays: [5, 2], usageCredits: { images: 5, calls: 1 } },
  });
  await closed(page);
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
  await choose('logo.svg', 'image/svg+xml', Buffer.from('<svg/>'));
  await page.getByRole('alert').filter({ hasText: 'Send the file itself, as image/png' }).waitFor();
  await choose('logo.png', 'image/png', png());
  await button(page, 'Remove logo').waitFor();
  const logo = page.getByRole('figure', { name: 'Preview' }).locator('img');
  const width = await logo.evaluate((image) => image.decode().then(() => image.naturalWidth));
  expect(width).toBe(24);
  await expectAccessible(page);
  await button(page, 'Remove logo').click();
  await button(page, 'Upload logo').waitFor();
  expect((await t.shop.call('GET', `/api/v2/projects/${project.id}`)).body.logoUrl).toBeNull();
});

test('an owner lets assistants refund up to a limit: one does, beyond it none can, and blank is none again', async () => {
  const project = await newProject(t.shop, { name: 'Assisted' });
  const session = await newSession(t.shop, project.id, { amountCents: 2500 });
  await paySession(t, session);
  await t.finalize();
  const refund = async (amountCents: number) => {
    const { body } = await rawCall(t.service.url, t.shop.key, 'write', {
      operation: 'createRefund',
      purpose: `goodwill of ${amountCents}`,
      body: { paymentIntentId: session.paymentIntentId, reason: 'other', amountCents },
    });
    return body.result;
  };
  const expectRefused = async (amountCents: number) => {
    const { isError, structuredContent } = await refund(amountCents);
    expect([isError, structuredContent.error.message]).toEqual([
      true,
      expect.stringContaining('agentRefundLimitCents'),
    ]);
  };
  const FIELD = 'Refunds by assistants, in USDC';
  await expectRefused(500);
  const member = await newOwner(t.service, t.shop);
  await t.service.db.query(`update dashboard_sessions set confirmed_at = confirmed_at - interval '1 hour'`);
  const page = await calmPage(member);
  await page.goto(dashboardUrl(t, `/projects/${project.id}`));
  await fill(page, 'Change settings', { [FIELD]: 'a lot' }, 'Save');
  await page.getByRole('alert').filter({ hasText: 'enter an amount such as 12' }).waitFor();
  await dialog(page).getByLabel(FIELD).fill('5');
  await button(page, 'Save').click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await button(page, 'Confirm').click();
  await page.getByText('Up to 5.00 USDC per payment').waitFor();
  await closed(page);
  await expectRefused(501);
  expect((await refund(500)).structuredContent.data).toMatchObject({ amountCents: 500 });
  await fill(page, 'Change settings', { [FIELD]: '' }, 'Save');
  await page.getByText('Up to 5.00 USDC per payment').waitFor({ state: 'detached' });
  const { body } = await t.shop.call('GET', `/api/v2/projects/${project.id}`);
  expect(body.settings.agentRefundLimitCents).toBe(0);
  await expectRefused(1);
});

test('the websites that can embed the checkout are set, and one that is none is refused', async () => {
  const project = await newProject(t.shop, { name: 'Embedded' });
  const page = await calmPage(owner);
  await page.goto(dashboardUrl(t, `/projects/${project.id}`));
  const FIELD = 'Websites that can embed your checkout';
  await fill(page, 'Change settings', { [FIELD]: 'https://a.example.com\nb.example.com' }, 'Save');
  await page
    .getByRole('alert')
    .filter({ hasText: 'must be a site with https:// before it, such as https://shop.example.com' })
    .waitFor();
  await dialog(page).getByLabel(FIELD).fill('https://a.example.com\n\n https://b.example.com:8443 ');
  await button(page, 'Save').click();
  await page.getByText('https://a.example.com, https://b.example.com:8443').waitFor();
  const { body } = await t.shop.call('GET', `/api/v2/projects/${project.id}`);
  expect(body.settings.embedOrigins).toEqual(['https://a.example.com', 'https://b.example.com:8443']);
});

test('the CSV of a filtered list is the API’s, row for row', async () => {
  const project = await newProject(t.shop, { name: 'Rows' });
  for (const name of ['Ada', EVIL, '=1+1']) await newCustomer(t.shop, project.id, { name });
  const page = await calmPage(owner);
  await page.goto(dashboardUrl(t, '/customers'));
  await page.getByLabel('Project').selectOption('Rows');
  await page.getByText('3 results').waitFor();
  const saving = page.waitForEvent('download');
  await button(page, 'CSV').click();
  const saved = await saving;
  const text = await (await saved.createReadStream()).setEncoding('utf8').toArray();
  const api = await owner.call('GET', `/api/v2/customers?projectId=${project.id}`, undefined, {
    accept: 'text/csv',
  });
  expect(saved.suggestedFilename()).toBe('customers.csv');
  expect(text.join('').replace(/^\uFEFF/, '')).toBe(api.text.replace(/^\uFEFF/, ''));
  expect(text.join('').trim().split('\n')).toHaveLength(4);
  await isUnhurt(page);
});
