import { expect, test } from 'vitest';
import ar from '../../web/src/words/ar.json' with { type: 'json' };
import de from '../../web/src/words/de.json' with { type: 'json' };
import { expectAccessible, expectFits, PHONE } from '../support/browser.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOwner } from '../support/members.ts';

test('a German browser gets German, reads and writes amounts so; Arabic is chosen, laid out from the right, and stays', async () => {
  const t = await dashboardChain();
  const owner = await newOwner(t.service, t.shop);
  await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' });
  const page = await pageOf(t, owner, { locale: 'de-AT', reducedMotion: 'reduce' });
  await page.goto(dashboardUrl(t, '/payment-links'));
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await page.getByRole('link', { name: de.Payments, exact: true }).waitFor();

  await page.getByRole('button', { name: de['Create link'] }).first().click();
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByLabel(de['Price in USDC']);
  await dialog.getByLabel(de['Product name']).fill('Kaffee');
  await amount.fill('1.250');
  await dialog.getByRole('button', { name: de['Create link'], exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await amount.fill('1.250,50');
  await dialog.getByRole('button', { name: de['Create link'], exact: true }).click();
  await page.getByText('1.250,50').first().waitFor();
  const { body } = await t.shop.call('GET', '/api/v2/prices');
  expect(body.data[0].unitAmountCents).toBe(125_050);

  await page.goto(dashboardUrl(t, '/settings/account'));
  await page.getByLabel(de['Language of the dashboard']).selectOption('ar');
  await page.getByRole('link', { name: ar.Payments, exact: true }).waitFor();
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  await expectAccessible(page);
  await page.goto(dashboardUrl(t));
  await page.getByRole('heading', { name: ar.Home, level: 1 }).waitFor();
  const [side, main] = await Promise.all(
    ['nav', 'main'].map(async (name) => (await page.locator(name).first().boundingBox())!),
  );
  expect(side!.x).toBeGreaterThan(main!.x);
  await page.setViewportSize(PHONE);
  await expectFits(page);
  await expectAccessible(page);
});
