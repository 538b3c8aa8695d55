import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ENTRIES } from '../../site/docs/contents.ts';
import { DESKTOP, expectAccessible, expectFits, newPage, PHONE } from '../support/browser.ts';
import { testService } from '../support/service.ts';

const { url } = await testService();
const paths = ['', ...ENTRIES.map(({ name }) => `/${name}`), '/search?q=webhook'];

/** axe reads two dozen pages one after the other: on a busy machine that takes a while. */
const GIVE_UP_MS = 600_000;

test('every page fits a desk by day and a phone by night, and is accessible, every third in both looks', {
  timeout: GIVE_UP_MS,
}, async () => {
  const page = await newPage();
  for (const [i, path] of paths.entries()) {
    await page.goto(`${url}/docs${path}`);
    await expectReadable(page, i % 3 === 0);
  }
});

test('so does the reference: it fits, and every fifth operation is accessible by day and by night', {
  timeout: GIVE_UP_MS,
}, async () => {
  const page = await newPage();
  await page.goto(`${url}/docs/reference`);
  await expectFits(page);
  await page.setViewportSize(PHONE);
  await expectFits(page);
  await page.evaluate(LEAVE_EVERY_FIFTH);
  await expectAccessible(page);
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
});

/** They are all written by one template, and axe takes a minute for their 76,000 elements. */
const LEAVE_EVERY_FIFTH = `document.querySelectorAll('section.operation').forEach((one, i) => i % 5 && one.remove())`;

/**
 * Expects a page to be readable in both looks, without loading it twice: it is left as it was. All are written by one
 * template.
 */
async function expectReadable(page: Page, isNightChecked: boolean): Promise<void> {
  await expectFits(page);
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectFits(page);
  if (isNightChecked) await expectAccessible(page);
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
}

test('a phone by day and a desk by night, with the menu and suggestions open', async () => {
  const phone = await newPage({ viewport: PHONE });
  await phone.goto(`${url}/docs/operating`);
  await phone.getByRole('button', { name: 'Menu' }).click();
  await expectAccessible(phone);
  await phone.getByRole('link', { name: 'Quickstart' }).first().click();
  await phone.waitForURL('**/docs/quickstart');
  const desk = await newPage({ colorScheme: 'dark' });
  await desk.goto(`${url}/docs/operating`);
  await desk.getByRole('combobox').fill('webhook');
  await desk.getByRole('option').first().waitFor();
  await expectAccessible(desk);
  await desk.getByRole('combobox').fill('xyzzy');
  await desk.getByText('Nothing holds these words.').waitFor();
  await expectAccessible(desk);
});

test('by keyboard: past the contents, to a section, and on to the next page', async () => {
  const page = await newPage();
  await page.goto(`${url}/docs/quickstart`);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('site-main');
  await page.getByRole('navigation', { name: 'On this page' }).getByText('5. Pay it').press('Enter');
  expect(new URL(page.url()).hash).toBe('#5-pay-it');
  await page
    .getByRole('navigation', { name: 'Previous and next page' })
    .getByRole('link', { name: 'Next' })
    .press('Enter');
  await page.waitForURL('**/docs/concepts');
});

test('search by keyboard: / to begin, arrows to choose, Enter to go, Escape to close', async () => {
  const page = await newPage();
  await page.goto(`${url}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('check the signature');
  const options = page.getByRole('option');
  await options.first().waitFor();
  await page.keyboard.press('Escape');
  expect(await options.count()).toBe(0);
  await page.keyboard.type(' ');
  await options.first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  const chosen = page.locator('[role="option"][aria-selected="true"]');
  expect(await chosen.getAttribute('id')).toBe(
    await page.getByRole('combobox').getAttribute('aria-activedescendant'),
  );
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/webhooks#check-the-signature');
});

test('without a choice Enter leads to the page of findings, as it does without scripts', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await newPage({ javaScriptEnabled });
    await page.goto(`${url}/docs/sdk`);
    await page.locator('#site-query').fill('idempotency');
    await page.locator('#site-query').press('Enter');
    await page.waitForURL('**/docs/search?q=idempotency');
    expect(await page.locator('.findings a').first().textContent()).toBe('Idempotency');
  }
});

test('an old address of the reference leads to where it is now', async () => {
  const page = await newPage();
  for (const anchor of ['createPaymentIntent', 'createProjectV1', 'error-NOT_FOUND', 'invoice.paid']) {
    await page.goto(`${url}/docs#${anchor}`);
    await page.waitForURL(`**/docs/reference#${anchor}`);
    expect(await page.evaluate(`document.getElementById(${JSON.stringify(anchor)}) !== null`)).toBe(true);
    await page.goto('about:blank');
  }
});

test('commands name this very service, and can be copied', async () => {
  const page = await newPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  await page.goto(`${url}/docs/scopes`);
  const block = page.locator('figure.code').first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`export FLORIN_URL=${url}\n`);
});
