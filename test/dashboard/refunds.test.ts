import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newPlan, newProject, newSession, newTopUp, paySession } from '../support/billing.ts';
import { DESKTOP, expectAccessible, PHONE } from '../support/browser.ts';
import { installWallet } from '../support/browser-wallet.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOwner, PASSWORD, type TestMember } from '../support/members.ts';
import { readQrCode } from '../support/read-qr-code.ts';
import { call } from '../support/service.ts';
import { createWallet } from '../support/wallet.ts';

let t: TestChain;
let owner: TestMember;
let projectId: string;

/** Would run if any screen took it for more than text. */
const EVIL = `Ada <img src=x onerror="window.hit=1">`;

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
  projectId = (await newProject(t.shop)).id;
});

/** Nothing fades in: what is looked at is there. */
const calmPage = (member = owner) => pageOf(t, member, { reducedMotion: 'reduce' });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (page: Page) => page.getByRole('dialog');
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' });
const status = (page: Page, text: string) =>
  page.getByRole('main').getByText(text, { exact: true }).first().waitFor();

async function expectAccessibleInEveryLight(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}

/** A checkout that its customer has paid. */
async function paid(fields: Record<string, unknown> = {}, cents?: number) {
  const session = await newSession(t.shop, projectId, {
    customerName: EVIL,
    customerEmail: 'ada@example.com',
    ...fields,
  });
  await paySession(t, session, cents);
  await t.finalize();
  return session;
}

async function newRefund(paymentIntentId: string, more: object = {}) {
  const { body } = await t.shop.call('POST', '/api/v2/refunds', {
    paymentIntentId,
    reason: 'other',
    ...more,
  });
  return body;
}

const readRefund = async (id: string) => (await t.shop.call('GET', `/api/v2/refunds/${id}`)).body;
const idIn = (page: Page) => page.url().split('/').pop()!;

/** Fills in the dialog: all of it, to this address. */
async function enterAddress(page: Page, address: string): Promise<void> {
  await dialog(page).getByLabel('Enter an address').check();
  await dialog(page).getByLabel('Solana address').fill(address);
}

test('a payment is refunded in three clicks and one signature', async () => {
  const { paymentIntentId } = await paid({ amountCents: 1250 });
  const receiver = await createWallet(t.chain);
  const member = await newOwner(t.service, t.shop);
  const lapse = `update dashboard_sessions set confirmed_at = confirmed_at - interval '1 hour' where member_id = $1`;
  await t.service.db.query(lapse, [member.id]);
  const page = await calmPage(member);
  await installWallet(page, t, { name: 'Ours', signer: t.merchant.signer });
  await page.goto(dashboardUrl(t, `/payments/${paymentIntentId}`));
  await button(page, 'Refund').click();
  expect(await dialog(page).getByLabel('Amount in USDC').inputValue()).toBe('12.50');
  expect(await dialog(page).getByLabel('Take back credits').count()).toBe(0);
  await enterAddress(page, receiver.address);
  await dialog(page).getByLabel('Note').fill(EVIL);
  await expectAccessibleInEveryLight(page);
  await inDialog(page, 'Create refund').click();
  await page.getByLabel('Your password').fill('not it');
  await button(page, 'Confirm').click();
  await page.getByRole('alert').getByText('Wrong password.', { exact: true }).waitFor();
  await page.getByLabel('Your password').fill(PASSWORD);
  await button(page, 'Confirm').click();

  await page.getByRole('heading', { name: /^Refund RF-/ }).waitFor();
  await page.getByRole('note').getByText(t.customer.address).waitFor();
  const refund = await readRefund(idIn(page));
  expect(await readQrCode(page)).toBe(refund.paymentUrl);
  await expectAccessibleInEveryLight(page);
  await button(page, 'Pay with Ours').click();
  await page.getByText('Waiting for confirmation').waitFor();
  expect(await button(page, 'Pay with Ours').count()).toBe(0);
  // The button is missing in another tab, of another person, too.
  const other = await calmPage();
  await installWallet(other, t, { name: 'Theirs', signer: t.merchant.signer });
  await other.goto(dashboardUrl(t, `/refunds/${refund.id}`));
  await other.getByText('Waiting for confirmation').waitFor();
  expect(await button(other, 'Pay with Theirs').count()).toBe(0);
  expect(await other.getByRole('img', { name: /^Solana Pay code/ }).count()).toBe(0);
  await expectAccessible(other);
  t.chain.advanceSlots(2);
  await t.look();
  await status(page, 'Processing');
  await t.finalize();
  await status(page, 'Succeeded');
  await page.getByText('12.50 USDC arrived at the address.').waitFor();
  const pdf = page.getByRole('link', { name: /^CN-/ });
  const paper = await page.request.get(new URL((await pdf.getAttribute('href'))!, page.url()).href);
  expect([paper.status(), paper.headers()['content-type']]).toEqual([200, 'application/pdf']);
  expect(await readRefund(refund.id)).toMatchObject({
    status: 'succeeded',
    amountSentCents: 1250,
    address: receiver.address,
    note: EVIL,
  });
  expect(await page.evaluate('window.hit')).toBeUndefined();

  await page.goto(dashboardUrl(t, `/payments/${paymentIntentId}`));
  await page.getByRole('row', { name: new RegExp(refund.number) }).waitFor();
  await page.getByText('12.50 USDC refunded').waitFor();
  expect(await button(page, 'Refund').count()).toBe(0);
  await page.goto(dashboardUrl(t, '/payments'));
  await page.getByRole('row', { name: /12\.50 USDC Succeeded\s*Refunded/ }).waitFor();
});

test('several are sent in one signature, by a wallet that only signs', async () => {
  const sessions = [await paid(), await paid()];
  const refunds = [];
  for (const { paymentIntentId } of sessions)
    refunds.push(await newRefund(paymentIntentId, { address: t.customer.address }));
  const page = await calmPage();
  await installWallet(page, t, { name: 'Never', signer: t.merchant.signer, refuses: true });
  await installWallet(page, t, { name: 'Signer', signer: t.merchant.signer, signsOnly: true });
  await page.goto(dashboardUrl(t, '/refunds?status=ready'));
  for (const { number } of refunds) await page.getByLabel(`Select ${number}`).check();
  await expectAccessibleInEveryLight(page);
  await button(page, 'Send 2 refunds with Never').click();
  await page.getByText('User rejected the request.').waitFor();
  await button(page, 'Send 2 refunds with Signer').click();
  await page.getByText('Sent. It is confirmed').waitFor();
  await t.finalize();
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  const [first, second] = await Promise.all(refunds.map(({ id }) => readRefund(id)));
  expect([first.status, second.status]).toEqual(['succeeded', 'succeeded']);
  expect(first.txSignature).toBe(second.txSignature);
});

const TOO_MUCH = 'Amount: enter at least 0.01 and at most 9.00.';

test('the customer is asked by a link that is shown once; the address is approved, and the test wallet sends', async () => {
  const { invoiceId } = await paid({ amountCents: 900 });
  const receiver = await createWallet(t.chain);
  const page = await calmPage();
  await page.goto(dashboardUrl(t, `/invoices/${invoiceId}`));
  await button(page, 'Refund').click();
  const refused = { '4,50': 'Amount: enter an amount such as 12 or 12.50.', '9.01': TOO_MUCH, '0': TOO_MUCH };
  for (const [typed, says] of Object.entries(refused)) {
    await dialog(page).getByLabel('Amount in USDC').fill(typed);
    await inDialog(page, 'Create refund').click();
    await dialog(page).getByText(says).waitFor();
  }
  await dialog(page).getByLabel('Amount in USDC').fill('4.5');
  await dialog(page).getByLabel('E-mail the customer').uncheck();
  await inDialog(page, 'Create refund').click();
  const link = (await page.getByTestId('secret').textContent())!;
  await expectAccessibleInEveryLight(page);
  await inDialog(page, 'Done').click();
  await page.getByRole('heading', { name: /^Refund RF-/ }).waitFor();
  await page.getByText('Waiting for an address').waitFor();
  expect(await page.content()).not.toContain(link);
  expect(await page.getByRole('img', { name: /^Solana Pay code/ }).count()).toBe(0);

  const token = link.split('/').pop();
  await call(`${t.service.url}/api/public/refunds/${token}`, 'POST', { address: receiver.address });
  await page.getByText('Waiting for you to approve the address').waitFor();
  await page.getByRole('note').getByText('This is not the wallet that paid').waitFor();
  await button(page, 'Approve address').click();
  await dialog(page).getByText(receiver.address).waitFor();
  await page.setViewportSize(PHONE);
  const [shown, whole] = [dialog(page), dialog(page).locator('code')].map((part) => part.boundingBox());
  const [{ x, width }, address] = [(await shown)!, (await whole)!];
  expect(address.x + address.width, 'the whole address').toBeLessThanOrEqual(x + width);
  await page.setViewportSize(DESKTOP);
  await expectAccessibleInEveryLight(page);
  await inDialog(page, 'Approve address').click();
  await closed(page);
  await button(page, 'Send with test wallet').click();
  await page.getByText('Waiting for confirmation').waitFor();
  await t.finalize();
  await status(page, 'Succeeded');
  expect(await readRefund(idIn(page))).toMatchObject({
    amountCents: 450,
    address: receiver.address,
    addressSource: 'customer',
    invoiceId,
  });
  await page.goto(dashboardUrl(t, `/invoices/${invoiceId}`));
  await page.getByRole('row', { name: /RF-.*4\.50/ }).waitFor();
});

test('the customer is e-mailed where that stays ticked: no link is shown, and the screen says what became of it', async () => {
  t.service.db.queuesEmails = true;
  const plan = await newPlan(t.shop, projectId);
  const { invoiceId, subscriptionId } = await paid({ mode: 'subscription', priceId: plan.id });
  const page = await calmPage();
  await page.goto(dashboardUrl(t, `/invoices/${invoiceId}`));
  await button(page, 'Refund').click();
  expect(await dialog(page).getByLabel('E-mail the customer').isChecked()).toBe(true);
  await dialog(page).getByLabel('Cancel subscription').check();
  await inDialog(page, 'Create refund').click();
  await page.getByRole('heading', { name: /^Refund RF-/ }).waitFor();
  t.service.db.queuesEmails = false;
  await page.getByText('Waiting to be sent').waitFor();
  await page.getByText('cancels the subscription', { exact: false }).waitFor();
  expect(await page.getByTestId('secret').count()).toBe(0);
  const { id } = await readRefund(idIn(page));
  const queued = await t.service.db.query<{ kind: string }>('select kind from emails where refund_id = $1', [
    id,
  ]);
  expect(queued).toEqual([{ kind: 'refund_claim' }]);
  const address = t.customer.address;
  await t.shop.call('POST', `/api/v2/refunds/${id}/approve-address`, { address });
  await button(page, 'Send with test wallet').click();
  await page.getByText('Waiting for confirmation').waitFor();
  await t.finalize();
  await status(page, 'Succeeded');
  await t.expire();
  const { body } = await t.shop.call('GET', `/api/v2/subscriptions/${subscriptionId}`);
  expect(body.status).toBe('canceled');
});

test('what waits for a person is on the home screen', async () => {
  const { paymentIntentId } = await paid();
  const { id } = await newRefund(paymentIntentId);
  const { body: link } = await t.shop.call('POST', `/api/v2/refunds/${id}/claim-link`);
  const token = link.url.split('/').pop();
  await call(`${t.service.url}/api/public/refunds/${token}`, 'POST', { address: t.customer.address });
  const page = await calmPage();
  await page.goto(dashboardUrl(t));
  await page.getByRole('link', { name: '1 refund address to approve' }).click();
  await page.getByText('Awaiting approval', { exact: true }).waitFor();
  await t.shop.call('POST', `/api/v2/refunds/${id}/cancel`);
});

test('the wallet that paid is offered with a warning; a refund is canceled', async () => {
  const { paymentIntentId } = await paid();
  const { id, number } = await newRefund(paymentIntentId);
  const page = await calmPage();
  await page.goto(dashboardUrl(t, `/refunds/${id}`));
  await button(page, 'Enter an address').click();
  await dialog(page).getByLabel('Solana address').fill(t.merchant.address);
  await inDialog(page, 'Use this address').click();
  await dialog(page).getByRole('alert').waitFor();
  await inDialog(page, 'Cancel').click();
  await closed(page);
  await button(page, 'Use the wallet that paid').click();
  await dialog(page).getByText('the exchange keeps the money').waitFor();
  await expectAccessibleInEveryLight(page);
  await inDialog(page, 'Use this address').click();
  await closed(page);
  await status(page, 'Ready');
  expect(await page.getByRole('note').count()).toBe(0);
  expect((await readRefund(id)).address).toBe(t.customer.address);
  await button(page, 'Cancel refund').click();
  await expectAccessible(page);
  await dialog(page).getByText(`Cancel ${number}?`).waitFor();
  await inDialog(page, 'Cancel refund').click();
  await closed(page);
  await status(page, 'Canceled');
  expect(await page.getByRole('region', { name: 'Send it' }).count()).toBe(0);
});

test('bought credits are taken back where that is chosen', async () => {
  const topUp = await newTopUp(t.shop, projectId);
  const { invoiceId, customerId } = await paid({ mode: 'balance_top_up', priceId: topUp.id });
  const page = await calmPage();
  await page.goto(dashboardUrl(t, `/invoices/${invoiceId}`));
  await button(page, 'Refund').click();
  await enterAddress(page, t.customer.address);
  await dialog(page).getByLabel('Take back credits').check();
  expect(await dialog(page).getByLabel('Cancel subscription').count()).toBe(0);
  await inDialog(page, 'Create refund').click();
  await button(page, 'Send with test wallet').click();
  await page.getByText('Waiting for confirmation').waitFor();
  await t.finalize();
  await status(page, 'Succeeded');
  await page.getByText('Takes back credits').waitFor();
  await t.expire();
  expect((await t.shop.call('GET', `/api/v2/customers/${customerId}`)).body.creditBalance).toBe(0);
});

test('an exception is refunded, ends as returned by it, and what is sent twice is listed', async () => {
  const { id: paymentIntentId } = (
    await t.shop.call('POST', '/api/merchants/intents', { amountCents: 500, orderId: 'too-much' })
  ).body;
  await paySession(t, { paymentIntentId, amountCents: 800 });
  await t.finalize();
  const page = await calmPage();
  await page.goto(dashboardUrl(t, '/exceptions?kind=surplus'));
  await button(page, 'Refund').click();
  expect(await dialog(page).getByLabel('Amount in USDC').inputValue()).toBe('3.00');
  expect(await dialog(page).getByLabel('Reason').inputValue()).toBe('overpaid');
  await enterAddress(page, t.customer.address);
  await inDialog(page, 'Create refund').click();
  await page.getByRole('heading', { name: /^Refund RF-/ }).waitFor();
  const { id, number, exceptionId } = await readRefund(idIn(page));
  await page.locator(`a[href*="exceptionId=${exceptionId}"]`).click();
  await page.getByRole('link', { name: number }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.goto(dashboardUrl(t, '/exceptions?kind=surplus'));
  await page.getByRole('link', { name: number }).waitFor();
  expect(await button(page, 'Refund').count()).toBe(0);
  expect(await button(page, 'Resolve').count()).toBe(0);

  const pay = (body?: object) => t.shop.call('POST', `/api/v2/sandbox/refunds/${id}/pay`, body);
  await pay();
  await t.finalize();
  await page.reload();
  await page.getByText(`by ${number}`).waitFor();
  await pay({ amountCents: 100 });
  await t.finalize();
  await page.goto(dashboardUrl(t, `/refunds/${id}`));
  await page.getByRole('note').getByText('1.00 USDC more than was due reached the address.').waitFor();
  await expectAccessibleInEveryLight(page);
  await page.getByRole('link', { name: 'Settle it' }).click();
  const row = page.getByRole('row', { name: new RegExp(`1\\.00.*Refunded too much.*of ${number}`) });
  await row.waitFor();
  await expectAccessibleInEveryLight(page);
  expect(await row.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0);
  await row.getByRole('button', { name: 'Resolve' }).click();
  await dialog(page).getByLabel('It came back').check();
  await inDialog(page, 'Mark as returned').click();
  await page.getByText('Marked as returned.').waitFor();
  await page.goto(dashboardUrl(t, `/refunds/${id}`));
  await page.getByRole('link', { name: 'See how it was settled' }).waitFor();
});
