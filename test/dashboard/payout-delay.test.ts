import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newMember, newOwner } from '../support/members.ts';
import { newAddress } from '../support/service.ts';

let t: TestChain;

beforeAll(async () => {
  t = await dashboardChain();
});

const inDialog = (page: Page, title: string) => page.getByRole('dialog', { name: title });

/** Opens the dialog of this name, fills it in and sends it. */
async function fill(page: Page, name: string, label?: string, value = ''): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  if (label) await inDialog(page, name).getByLabel(label).fill(value);
  await inDialog(page, name).getByRole('button', { name, exact: true }).click();
  await inDialog(page, name).waitFor({ state: 'detached' });
}

test('an owner sets the delay, sees the change that waits, and cancels it; others see it only', async () => {
  const owner = await newOwner(t.service, t.shop);
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t, '/settings'));
  await page.getByText('Payout address changes take effect immediately.').waitFor();
  await fill(page, 'Change delay', 'Hours', '24');
  await page.getByText('take effect after 24 hours').waitFor();

  const next = newAddress();
  await fill(page, 'Change address', 'Solana address', next);
  await page.getByText(`New address: ${next}.`).waitFor();
  await expectAccessible(page);
  const viewer = await pageOf(t, await newMember(t.service, owner, 'viewer'));
  await viewer.goto(dashboardUrl(t, '/settings'));
  await viewer.getByText(`New address: ${next}.`).waitFor();
  expect(await viewer.getByRole('button', { name: 'Cancel change' }).count()).toBe(0);

  await fill(page, 'Cancel change');
  await page.getByText('Change pending').waitFor({ state: 'detached' });
  const { body } = await t.shop.call('GET', '/api/b2b/merchants/payout-address');
  expect(body).toMatchObject({ payoutAddress: t.shop.payoutAddress, pendingChange: null });

  await fill(page, 'Change delay', 'Hours', '1');
  await page.getByText('New delay: 1 hour.').waitFor();
  await fill(page, 'Cancel change');
  await page.getByText('Change pending').waitFor({ state: 'detached' });
});

test('a project’s change waits on its page and is canceled there', async () => {
  await t.shop.call('PATCH', '/api/b2b/merchants/payout-address/delay', { payoutChangeDelayHours: 24 });
  const { body: project } = await t.shop.call('POST', '/api/v2/projects', { name: 'Waiting' });
  const path = `/api/v2/projects/${project.id}`;
  const payoutAddress = newAddress();
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  await page.goto(dashboardUrl(t, `/projects/${project.id}`));
  await page.getByRole('button', { name: 'Change payout address' }).click();
  const dialog = inDialog(page, 'Change payout address');
  await dialog.getByLabel('Solana address').fill(payoutAddress);
  await dialog.getByRole('button', { name: 'Use this address' }).click();
  await page.getByText(`New address: ${payoutAddress}.`).waitFor();
  // The message says what happened: nothing has changed yet.
  const done = page.getByRole('alert').filter({ hasText: 'Change scheduled. It takes effect on' });
  await done.waitFor();
  expect(await page.getByText('Payout address changed.').count()).toBe(0);
  await fill(page, 'Cancel change');
  await page.getByText('Change pending').waitFor({ state: 'detached' });
  const { body } = await t.shop.call('GET', path);
  expect([body.payoutAddress, body.pendingChange]).toEqual([null, undefined]);
});
