import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer, newProject, newSession, readCustomer } from '../support/billing.ts';
import { expectAccessible } from '../support/browser.ts';
import { installWallet } from '../support/browser-wallet.ts';
import type { TestChain } from '../support/chain.ts';
import { appPage, dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newMember, newOwner, PASSWORD } from '../support/members.ts';
import { createWallet } from '../support/wallet.ts';

let t: TestChain;

beforeAll(async () => {
  t = await dashboardChain();
});

/** Makes the last confirmation an hour old. */
const letConfirmationsLapse = () =>
  t.service.db.query(`update dashboard_sessions set confirmed_at = confirmed_at - interval '1 hour'`);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const inDialog = (page: Page, title: string) => page.getByRole('dialog', { name: title });

async function payoutAddress(): Promise<string> {
  return (await t.shop.call('GET', '/api/b2b/merchants/me')).body.payoutAddress;
}

test('a new payout address asks for a confirmation and is then saved; closing the dialog changes nothing', async () => {
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  await letConfirmationsLapse();
  await page.goto(dashboardUrl(t, '/settings'));
  const before = await payoutAddress();
  const next = await createWallet(t.chain);
  await press(page, 'Change address');
  await page.getByLabel('Solana address').fill(next.address);
  await inDialog(page, 'Change address').getByRole('button', { name: 'Change address' }).click();

  const dialog = inDialog(page, 'Confirm it’s you');
  await dialog.waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await payoutAddress()).toBe(before);

  await inDialog(page, 'Change address').getByRole('button', { name: 'Change address' }).click();
  await dialog.getByLabel('Your password').fill('not the password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Payout address updated.').waitFor();
  expect(await payoutAddress()).toBe(next.address);
});

test('an address that another merchant uses is taken over by a signature, and is shown as verified', async () => {
  const wallet = await createWallet(t.chain);
  const squatter = await t.service.createMerchant('Squatter', wallet.address);
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  await installWallet(page, t, { name: 'Ours', signer: wallet.signer });
  await installWallet(page, t, { name: 'Theirs', signer: t.customer.signer });
  await page.goto(dashboardUrl(t, '/settings'));
  await press(page, 'Change address');
  const change = inDialog(page, 'Change address');
  await change.getByLabel('Solana address').fill(wallet.address);
  await change.getByRole('button', { name: 'Change address' }).click();
  await change.getByRole('alert').getByText('Another merchant on this server').waitFor();
  await page.keyboard.press('Escape');
  await change.waitFor({ state: 'detached' });

  await press(page, 'Verify by signature');
  const verify = inDialog(page, 'Verify by signature');
  await verify.getByLabel('Solana address').fill(wallet.address);
  await verify.getByLabel('Wallet').selectOption('Theirs');
  await expectAccessible(page);
  await verify.getByRole('button', { name: 'Sign with wallet' }).click();
  await verify.getByRole('alert').getByText('Theirs isn’t using this address.').waitFor();
  expect(await payoutAddress()).not.toBe(wallet.address);
  await verify.getByLabel('Wallet').selectOption('Ours');
  await verify.getByRole('button', { name: 'Sign with wallet' }).click();
  await page.getByText('Verified', { exact: true }).waitFor();
  expect(await payoutAddress()).toBe(wallet.address);
  expect((await squatter.call('GET', '/api/b2b/merchants/me')).body.payoutAddress).toBeNull();
});

test('the webhook URL asks an owner who it is; a developer sees it and cannot change it', async () => {
  const owner = await newOwner(t.service, t.shop);
  const developer = await newMember(t.service, owner, 'developer');
  const page = await pageOf(t, owner);
  await letConfirmationsLapse();
  await page.goto(dashboardUrl(t, '/webhooks'));
  await page.getByLabel('Endpoint URL').fill('https://shop.example/hook');
  await press(page, 'Save');
  const dialog = inDialog(page, 'Confirm it’s you');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Webhook URL saved.').waitFor();
  expect((await t.shop.call('GET', '/api/b2b/merchants/me')).body.webhookUrl).toBe(
    'https://shop.example/hook',
  );

  await press(page, 'Add endpoint');
  const added = inDialog(page, 'Add endpoint');
  await added.getByLabel('Endpoint URL').fill('https://books.example/hook');
  await added.getByLabel('Name').fill('Accounting');
  await added.getByRole('combobox', { name: 'Events' }).fill('invoice.paid');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await added.getByRole('button', { name: 'Add endpoint' }).click();
  expect(await page.getByTestId('secret').textContent()).toMatch(/^whsec_/);
  await press(page, 'Done');
  await page.getByRole('link', { name: 'Accounting' }).click();
  await page.getByText('Nothing was sent here yet.').waitFor();
  await press(page, 'Switch off');
  await press(page, 'Switch on');
  await press(page, 'Send test');
  await page.getByText('Test event sent.').waitFor();
  await press(page, 'Delete');
  await inDialog(page, 'Delete').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Endpoint deleted.').waitFor();
  expect((await t.shop.call('GET', '/api/v2/webhook-endpoints')).body.data).toHaveLength(1);

  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByText('No notifications yet').waitFor();
  await press(page, 'Add notification');
  const told = inDialog(page, 'Add notification');
  await told.getByLabel('Send to').selectOption('Telegram');
  await told.getByLabel('URL').fill('https://telegram.example/bot1:secret');
  await told.getByLabel('Chat ID').fill('-1001');
  await told.getByRole('button', { name: 'Add notification' }).click();
  await page.getByRole('heading', { name: 'Telegram -1001' }).waitFor();
  await press(page, 'Send test');
  await page.getByText('Test message sent.').waitFor();
  await press(page, 'Switch off');
  await press(page, 'Switch on');
  await press(page, 'Edit');
  const edited = inDialog(page, 'Edit notification');
  await edited.getByLabel('Name').fill('Night shift');
  await edited.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Night shift' }).waitFor();
  expect(await page.content()).not.toContain('bot1:secret');
  await press(page, 'Delete');
  await inDialog(page, 'Delete').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Notification deleted.').waitFor();
  expect((await t.shop.call('GET', '/api/v2/notifications')).body.data).toEqual([]);
  await page.getByRole('button', { name: 'Developers' }).click();
  await page.getByRole('link', { name: 'Webhooks' }).click();

  const theirs = await pageOf(t, developer);
  await theirs.goto(dashboardUrl(t, '/webhooks'));
  await theirs.getByText('https://shop.example/hook').waitFor();
  expect(await theirs.getByLabel('Endpoint URL').count()).toBe(0);
  expect(await theirs.getByRole('button', { name: 'Remove URL' }).count()).toBe(0);

  await press(page, 'Remove URL');
  await inDialog(page, 'Remove URL').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Webhook URL removed.').waitFor();
  expect((await t.shop.call('GET', '/api/b2b/merchants/me')).body.webhookUrl).toBeNull();
});

test('a passkey is added, and then opens the door and confirms', async () => {
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(dashboardUrl(t, '/settings/account'));
  await press(page, 'Add a passkey');
  await page.getByLabel('Name', { exact: true }).fill('Laptop');
  await press(page, 'Continue');
  await page.getByRole('cell', { name: 'Laptop' }).waitFor();

  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await press(page, 'Use a passkey');
  await page.getByRole('cell', { name: 'Laptop' }).waitFor();

  await letConfirmationsLapse();
  await page
    .getByRole('row', { name: /Laptop/ })
    .getByRole('button', { name: 'Remove' })
    .click();
  await inDialog(page, 'Remove').getByRole('button', { name: 'Remove' }).click();
  await inDialog(page, 'Confirm it’s you').getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('No passkeys yet.').waitFor();
});

test('money that matches nothing is given to its payment by an owner, who confirms; nobody else is offered it', async () => {
  const asked = await t.shop.call('POST', '/api/merchants/intents', { amountCents: 700, orderId: 'late-1' });
  const pay = { paymentIntentId: asked.body.id, outcome: 'no_reference' };
  expect((await t.shop.call('POST', '/api/v2/sandbox/payments', pay)).status).toBe(202);
  await t.finalize();
  const owner = await newOwner(t.service, t.shop);
  const theirs = await pageOf(t, await newMember(t.service, owner, 'developer'));
  await theirs.goto(dashboardUrl(t, '/exceptions?status=open'));
  await theirs.getByRole('cell', { name: /7\.00/ }).waitFor();
  expect(await theirs.getByRole('button', { name: 'Resolve' }).count()).toBe(0);

  const page = await pageOf(t, owner);
  await letConfirmationsLapse();
  await page.goto(dashboardUrl(t));
  await page.getByRole('link', { name: /1 payment without a matching order/ }).click();
  await press(page, 'Resolve');
  await page.getByLabel('Match to an order').waitFor();
  // The amount alone is no evidence: nothing is chosen, and the button waits.
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
  expect(await inDialog(page, '7.00 USDC').getByRole('button', { name: 'Resolve' }).isEnabled()).toBe(false);
  await page.getByLabel('Match to an order').check();
  await page.getByRole('radio', { name: /late-1/ }).waitFor();
  expect(await page.getByRole('radio', { name: /late-1/ }).isChecked()).toBe(false);
  expect(await page.getByRole('button', { name: 'Match', exact: true }).isEnabled()).toBe(false);
  await page.getByRole('radio', { name: /late-1/ }).check();
  await expectAccessible(page);
  await press(page, 'Match');
  await inDialog(page, 'Confirm it’s you').getByLabel('Your password').fill(PASSWORD);
  await press(page, 'Confirm');
  await page.getByText('Matched.').waitFor();
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  expect((await t.shop.call('GET', `/api/merchants/intents/${asked.body.id}`)).body.status).toBe('succeeded');
});

test('an order that the payer claims is proposed, and before the decision it says who gets a receipt, which need not be sent', async () => {
  t.service.db.queuesEmails = true;
  const project = await newProject(t.shop);
  const ada = { customerName: 'Ada', customerEmail: 'ada@shop.example' };
  const session = await newSession(t.shop, project.id, { amountCents: 731, ...ada });
  const pay = { paymentIntentId: session.paymentIntentId, outcome: 'no_reference' };
  expect((await t.shop.call('POST', '/api/v2/sandbox/payments', pay)).status).toBe(202);
  await t.finalize();
  const listed = (await t.shop.call('GET', '/api/v2/exceptions?status=open')).body.data;
  const { txSignature } = listed.find((each: { amountCents: number }) => each.amountCents === 731);
  await t.service.db.query(
    'insert into payment_claims (merchant_id, signature, intent_id, claimed_at) values ($1, $2, $3, now())',
    [t.shop.id, txSignature, session.paymentIntentId],
  );
  const receipts = () => t.service.db.query(`select from emails where kind = 'receipt'`);
  const page = await pageOf(t, await newOwner(t.service, t.shop), { viewport: { width: 390, height: 844 } });
  await page.goto(dashboardUrl(t, '/exceptions'));
  await page.getByRole('row', { name: /7\.31/ }).getByRole('button', { name: 'Resolve' }).click();
  const receipt = page.getByLabel('Ada <ada@shop.example> gets a receipt by e-mail');
  await receipt.waitFor();
  expect(await page.getByRole('radio', { name: /Ada/ }).isChecked()).toBe(true);
  expect(await receipt.isChecked()).toBe(true);
  await expectAccessible(page);
  await receipt.uncheck();
  await press(page, 'Match');
  await page.getByText('Matched.').waitFor();
  expect(await receipts()).toHaveLength(0);
  t.service.db.queuesEmails = false;
});

test('money that fits nothing is kept, taken back, credited to a customer who is searched for, and matched by searching', async () => {
  const project = await newProject(t.shop);
  const customer = await newCustomer(t.shop, project.id, {
    name: 'Bertha Tip',
    email: 'bertha@shop.example',
  });
  const asked = await t.shop.call('POST', '/api/merchants/intents', {
    amountCents: 9_000,
    orderId: 'odd-sum',
  });
  const pay = { paymentIntentId: asked.body.id, outcome: 'no_reference', amountCents: 555 };
  expect((await t.shop.call('POST', '/api/v2/sandbox/payments', pay)).status).toBe(202);
  await t.finalize();
  const page = await pageOf(t, await newOwner(t.service, t.shop), { viewport: { width: 390, height: 844 } });
  await page.goto(dashboardUrl(t, '/exceptions'));
  const row = page.getByRole('row', { name: /5\.55/ });
  await row.getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Keep it, e.g. as a tip').check();
  await page.getByText('Sent from').waitFor();
  await page.getByLabel('Note').fill('<b>tip</b>');
  await press(page, 'Keep');
  await page.getByText('Kept.', { exact: true }).waitFor();
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Undo kept' }).click();
  await row.getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Credit it to a customer’s account').check();
  expect(await page.getByRole('button', { name: 'Credit', exact: true }).isEnabled()).toBe(false);
  await page.getByRole('combobox', { name: 'Customer' }).fill('bertha');
  await page.getByRole('option', { name: /Bertha Tip/ }).click();
  await expectAccessible(page);
  await press(page, 'Credit');
  await page.getByText('Credited to the customer.').waitFor();
  expect((await readCustomer(t.shop, customer.id)).accountCreditCents).toBe(555);
  await row.getByRole('button', { name: 'Undo credited' }).click();
  await row.getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Match to an order').check();
  await page.getByLabel('Which order?').fill('odd-sum');
  await page.getByRole('radio', { name: /odd-sum/ }).check();
  await press(page, 'Match');
  await page.getByText('Matched.').waitFor();
  expect((await t.shop.call('GET', `/api/merchants/intents/${asked.body.id}`)).body.status).toBe('underpaid');
  expect((await readCustomer(t.shop, customer.id)).accountCreditCents).toBe(0);
});

test('an owner deletes a customer by their typed address and a confirmation, and sees how far it is; nobody else is offered it', async () => {
  const owner = await newOwner(t.service, t.shop);
  const project = await newProject(t.shop, { name: 'Leaving' });
  const email = 'leaving@example.com';
  const { id } = await newCustomer(t.shop, project.id, { email, name: 'Bea' });
  const path = `/api/v2/customers/${id}`;
  await t.shop.call('POST', `${path}/balance-adjustments`, { deltaCredits: 20, reason: 'Welcome' });
  const theirs = await pageOf(t, await newMember(t.service, owner, 'developer'));
  await theirs.goto(dashboardUrl(t, `/customers/${id}`));
  await theirs.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  expect(await theirs.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);

  const page = await pageOf(t, owner);
  await letConfirmationsLapse();
  await page.goto(dashboardUrl(t, `/customers/${id}`));
  await press(page, 'Delete');
  const dialog = inDialog(page, 'Delete');
  const send = () => dialog.getByRole('button', { name: 'Delete customer' }).click();
  await dialog.getByLabel(`Type ${email} to confirm`).fill('somebody@example.com');
  await send();
  await dialog
    .getByRole('alert')
    .filter({ hasText: `Type ${email} to confirm` })
    .waitFor();
  await expectAccessible(page);
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
  await send();
  await inDialog(page, 'Confirm it’s you').getByLabel('Your password').fill(PASSWORD);
  await press(page, 'Confirm');
  await dialog.getByRole('alert').filter({ hasText: '20 credits' }).waitFor();
  expect((await t.shop.call('GET', path)).status).toBe(200);
  await dialog.getByLabel('Give up 20 credits that they have left').check();
  await send();
  await page.getByRole('heading', { name: 'Customer deleted' }).waitFor();
  await page.getByText('You can leave this page').waitFor();
  expect((await t.shop.call('GET', path)).status).toBe(404);
  await t.expire();
  await page.getByText('Everything recorded about them is overwritten.').waitFor();
  await expectAccessible(page);
  await press(page, 'Back to customers');
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  expect(await page.getByText(email).count()).toBe(0);

  // The address of a deleted customer shows the progress later too, and says if it is stuck.
  await page.goto(dashboardUrl(t, `/customers/${id}`));
  await page.getByText('Everything recorded about them is overwritten.').waitFor();
  const { id: other } = await newCustomer(t.shop, project.id, { name: 'Cleo' });
  expect((await t.shop.call('DELETE', `/api/v2/customers/${other}`)).status).toBe(202);
  await t.service.db.query(
    `update customer_erasures set advanced_at = now() - interval '11 minutes' where customer_id = $1`,
    [other],
  );
  await page.goto(dashboardUrl(t, `/customers/${other}`));
  await page.getByRole('alert').filter({ hasText: 'Nothing has been overwritten for 10 minutes' }).waitFor();
  await expectAccessible(page);
  await page.goto(dashboardUrl(t, `/customers/${randomUUID()}`));
  await page.getByText('Page not found').waitFor();
});

test('an owner empties the sandbox by a typed word and a confirmation; nobody else is offered it', async () => {
  const order = { amountCents: 300, orderId: 'to-go' };
  const { id } = (await t.shop.call('POST', '/api/merchants/intents', order)).body;
  const status = async () => (await t.shop.call('GET', `/api/merchants/intents/${id}`)).status;
  const owner = await newOwner(t.service, t.shop);
  const theirs = await pageOf(t, await newMember(t.service, owner, 'developer'));
  await theirs.goto(dashboardUrl(t, '/sandbox'));
  await theirs.getByRole('heading', { name: 'Test clock' }).waitFor();
  expect(await theirs.getByRole('button', { name: 'Reset sandbox' }).count()).toBe(0);

  const page = await pageOf(t, owner);
  await letConfirmationsLapse();
  await page.goto(dashboardUrl(t, '/sandbox'));
  await press(page, 'Reset sandbox');
  const dialog = inDialog(page, 'Reset sandbox');
  await dialog.getByLabel('Type reset to confirm').fill('rest');
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Type reset to confirm' }).waitFor();
  await expectAccessible(page);
  expect(await status()).toBe(200);
  await dialog.getByLabel('Type reset to confirm').fill('reset');
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await inDialog(page, 'Confirm it’s you').getByLabel('Your password').fill(PASSWORD);
  await press(page, 'Confirm');
  await page.getByText('Sandbox reset.').waitFor();
  expect(await status()).toBe(404);
});

test('an invited member joins by the link, and sees plainly what their role does not allow', async () => {
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  await page.goto(dashboardUrl(t, '/settings/members'));
  await press(page, 'Invite');
  await page.getByLabel('E-mail').fill('dev@shop.example');
  await page.getByLabel('Role').selectOption('developer');
  await inDialog(page, 'Invite').getByRole('button', { name: 'Invite' }).click();
  const link = await page.getByTestId('secret').innerText();
  await press(page, 'Done');
  await page.getByRole('cell', { name: 'dev@shop.example' }).waitFor();

  const theirs = await appPage();
  await theirs.goto(link);
  await theirs.getByText('You’ll join Shop as a developer.').waitFor();
  await theirs.getByLabel('Your name').fill('Devi');
  await theirs.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(theirs, 'Go to the dashboard');
  await theirs.getByRole('button', { name: 'Developers' }).click();
  await theirs.getByRole('link', { name: 'API keys' }).click();
  await press(theirs, 'Create key');
  await theirs.getByLabel('Name', { exact: true }).fill('Everything');
  await theirs.getByLabel('Read billing').check();
  await theirs.getByLabel('Manage billing').check();
  await inDialog(theirs, 'Create key').getByRole('button', { name: 'Create key' }).click();
  await theirs.getByRole('alert').filter({ hasText: 'Your role doesn’t allow this' }).waitFor();
  await theirs.keyboard.press('Escape');
  await theirs.getByRole('link', { name: 'Settings' }).click();
  await theirs.getByRole('heading', { name: 'Payout address' }).waitFor();
  expect(
    await theirs
      .getByRole('button', { name: /wallet/ })
      .filter({ hasText: /^Change|^Add/ })
      .count(),
  ).toBe(0);
});

test('a key is made for one address: the list shows it, and a call from elsewhere is refused', async () => {
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  await page.goto(dashboardUrl(t, '/api-keys'));
  await press(page, 'Create key');
  await page.getByLabel('Name', { exact: true }).fill('Office');
  await page.getByLabel('Allowed IP addresses').fill('somewhere');
  await inDialog(page, 'Create key').getByRole('button', { name: 'Create key' }).click();
  await inDialog(page, 'Create key').getByRole('alert').getByText('Allowed addresses must be').waitFor();
  await page.getByLabel('Allowed IP addresses').fill('203.0.113.7\n2001:db8::/32');
  await inDialog(page, 'Create key').getByRole('button', { name: 'Create key' }).click();
  const secret = await page.getByTestId('secret').innerText();
  await press(page, 'Done');
  await page.getByRole('cell', { name: '203.0.113.7, 2001:db8::/32' }).waitFor();
  const headers = { authorization: `Bearer ${secret}` };
  const refused = await fetch(`${t.service.url}/api/b2b/merchants/me`, { headers });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('127.0.0.1')]);
});

test('an owner without a passkey cannot require one of others, and sees why', async () => {
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  await page.goto(dashboardUrl(t, '/settings/members'));
  await page.getByText('Owners can sign in and confirm with a password.').waitFor();
  await press(page, 'Require passkeys');
  const dialog = inDialog(page, 'Require passkeys');
  await dialog.getByRole('button', { name: 'Require passkeys' }).click();
  await dialog.getByText('Add a passkey to your own account first.').waitFor();
  await expectAccessible(page);
});

test('an owner merges two customers who are one person, and the page of the one leads to the other', async () => {
  const owner = await newOwner(t.service, t.shop);
  const project = await newProject(t.shop, { name: 'Twice' });
  const once = await newCustomer(t.shop, project.id, { name: 'Cleo Once', email: 'cleo@once.example' });
  const twice = await newCustomer(t.shop, project.id, { name: 'Cleo Twice', email: 'cleo@twice.example' });
  const gift = { deltaCredits: 20, reason: 'Welcome' };
  await t.shop.call('POST', `/api/v2/customers/${twice.id}/balance-adjustments`, gift);
  const theirs = await pageOf(t, await newMember(t.service, owner, 'developer'));
  await theirs.goto(dashboardUrl(t, `/customers/${twice.id}`));
  await theirs.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  expect(await theirs.getByRole('button', { name: 'Merge', exact: true }).count()).toBe(0);

  const page = await pageOf(t, owner);
  await letConfirmationsLapse();
  await page.goto(dashboardUrl(t, `/customers/${twice.id}`));
  await press(page, 'Merge');
  const dialog = inDialog(page, 'Merge');
  await dialog.getByText('Cleo Twice and the customer you choose become one person').waitFor();
  const send = dialog.getByRole('button', { name: 'Merge customers' });
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByLabel('Customer', { exact: true }).fill('cleo once');
  await page.getByRole('option', { name: 'Cleo Once' }).click();
  await expectAccessible(page);
  await send.click();
  await inDialog(page, 'Confirm it’s you').getByLabel('Your password').fill(PASSWORD);
  await press(page, 'Confirm');
  await page.getByRole('heading', { name: 'Cleo Once', level: 1 }).waitFor();
  await page.getByText('Prepaid credits').locator('..').getByText('20').waitFor();
  await page.goto(dashboardUrl(t, `/customers/${twice.id}`));
  await page.getByText('This customer was merged into').getByRole('link', { name: 'Cleo Once' }).waitFor();
  expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
  await expectAccessible(page);
  await page.goto(dashboardUrl(t, '/customers'));
  await page.getByText('Cleo Once').first().waitFor();
  expect(await page.getByText('Cleo Twice').count()).toBe(0);
  expect((await readCustomer(t.shop, once.id)).creditBalance).toBe(20);
});
