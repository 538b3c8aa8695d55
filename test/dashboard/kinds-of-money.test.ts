import { beforeAll, expect, test } from 'vitest';
import { newProject, newSession, paySession } from '../support/billing.ts';
import { expectAccessible, expectFits, PHONE } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOwner, type TestMember } from '../support/members.ts';
import { lookCloserAt, newIntent, payIntent } from '../support/payments.ts';

/** Each kind of money is counted by its name, and another token is nowhere written as dollars. */

let t: TestChain;
let owner: TestMember;
let paymentIntentId: string;
let checkoutPath: string;

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
  const { id: projectId } = await newProject(t.shop);
  const intent = await newIntent(t.shop);
  for (const cents of [101n, 102n])
    await payIntent(t, intent, { amountBaseUnits: cents * 10_000n, references: [] });
  const over = await newSession(t.shop, projectId, { amountCents: 500 });
  await paySession(t, over, 700);
  const session = await newSession(t.shop, projectId, { amountCents: 5_600, merchantReference: 'order-56' });
  ({ paymentIntentId } = session);
  checkoutPath = new URL(session.checkoutUrl).pathname;
  const wrong = { paymentIntentId, outcome: 'wrong_mint' };
  expect((await t.shop.call('POST', '/api/v2/sandbox/payments', wrong)).status).toBe(202);
  await t.finalize();
  await lookCloserAt(t, { ...session, id: paymentIntentId });
});

const UNKNOWN = /56 of an unknown token \(.{4}….{4}\)/;

test('the first page counts each kind for itself, and leads to just those', async () => {
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t));
  await page.getByRole('link', { name: /^2 payments without a matching order/ }).waitFor();
  await page.getByRole('link', { name: /^1 overpaid amount/ }).waitFor();
  const other = page.getByRole('link', { name: '1 payment in another token', exact: true });
  await other.waitFor();
  expect(await page.getByText('unmatched').count()).toBe(0);
  await expectAccessible(page);
  await other.click();
  await page.getByText(UNKNOWN).waitFor();
  expect(await page.getByText('1.01').count()).toBe(0);
});

test('the list, the decision and the timeline say what arrived, on a phone too', async () => {
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  for (const size of [undefined, PHONE]) {
    if (size) await page.setViewportSize(size);
    await page.goto(dashboardUrl(t, '/exceptions?kind=wrong_mint'));
    await page.getByText(UNKNOWN).waitFor();
    expect(await page.getByText('56.00').count()).toBe(0);
    await expectFits(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('heading', { name: UNKNOWN }).waitFor();
    await page.goto(dashboardUrl(t, `/payments/${paymentIntentId}`));
    await page.getByText('A payment in another token arrived').waitFor();
    await page.getByText(/56 of an unknown token \(.*\) to review: not USDC/).waitFor();
    expect(await page.getByText('A transaction failed').count()).toBe(0);
    await expectFits(page);
  }
});

test('the payer’s page says so on a phone, and fits', async () => {
  const page = await pageOf(t, owner, { viewport: PHONE });
  for (const language of ['en', 'de', 'ar']) {
    await page.goto(`${t.service.config.PUBLIC_URL}${checkoutPath}?lang=${language}`);
    await page.locator('.notice').first().waitFor();
    await expectFits(page);
    await expectAccessible(page);
  }
});
