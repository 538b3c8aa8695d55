import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { EXCHANGE_WALLETS } from '../../src/chain/solana/exchange-wallets.ts';
import { newProject, newSession, paySession } from '../support/billing.ts';
import { expectAccessible } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOwner, type TestMember } from '../support/members.ts';
import { newIntent, payIntent } from '../support/payments.ts';

/** Money from an exchange: short of its fee, and with no way back. */
let t: TestChain;
let owner: TestMember;

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
});

const calmPage = () => pageOf(t, owner, { reducedMotion: 'reduce' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

test('an order that lacks the fee is suggested with its reason, and one click chooses it', async () => {
  const intent = await newIntent(t.shop, 5_000);
  await payIntent(t, intent, { amountBaseUnits: 49_000_000n, references: [] });
  await t.finalize();
  const page = await calmPage();
  await page.goto(dashboardUrl(t, '/exceptions?status=open'));
  await button(page, 'Resolve').click();
  await dialog(page).getByText('an exchange’s fee less').waitFor();
  // Nothing is chosen for anybody: the amount alone is no evidence.
  expect(await dialog(page).getByRole('radio', { checked: true }).count()).toBe(0);
  await expectAccessible(page);
  await dialog(page)
    .getByRole('radio', { name: /^p\d+ · / })
    .check();
  expect(await dialog(page).getByLabel('Match to an order').isChecked()).toBe(true);
  await dialog(page).getByRole('button', { name: 'Match', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
  const { body } = await t.shop.call('GET', `/api/merchants/intents/${intent.id}`);
  expect(body).toMatchObject({ status: 'underpaid', amountReceivedCents: 4_900 });
});

test.each([
  ['a wallet of an exchange that many customers share', [...EXCHANGE_WALLETS][0]!],
  ['which belongs to a program such as a swap', '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1'],
])('a refund of money from %s offers no way back there, and says why', async (sentence, payer) => {
  const { id: projectId } = await newProject(t.shop);
  const session = await newSession(t.shop, projectId, { amountCents: 100 });
  await paySession(t, session);
  await t.finalize();
  const { body: refund } = await t.shop.call('POST', '/api/v2/refunds', {
    ...{ paymentIntentId: session.paymentIntentId, reason: 'other' },
  });
  await t.service.db.query('update refunds set payer_address = $1 where id = $2', [payer, refund.id]);
  const page = await calmPage();
  await page.goto(dashboardUrl(t, `/refunds/${refund.id}`));
  await page.getByText(sentence).waitFor();
  expect(await button(page, 'Enter an address').count()).toBe(1);
  expect(await button(page, 'Use the wallet that paid').count()).toBe(0);
  await expectAccessible(page);
});
