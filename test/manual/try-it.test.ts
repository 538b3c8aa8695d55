import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, newPage, PHONE, takeProblems } from '../support/browser.ts';
import { testService } from '../support/service.ts';

const { url, createMerchant } = await testService();
const shop = await createMerchant();

const TRIED = ['createProject', 'getProject', 'listProjects', 'getLiveness'];
/** axe measures everything around a dialog, which of the whole reference takes half a minute each time. */
const LEAVE_TRIED = `for (const one of document.querySelectorAll('section.operation'))
  if (!${JSON.stringify(TRIED)}.includes(one.id)) one.remove()`;

async function openReference(page: Page): Promise<void> {
  await page.goto(`${url}/docs/reference`);
  await page.evaluate(LEAVE_TRIED);
}

async function open(page: Page, operation: string): Promise<void> {
  await page.locator(`#${operation} button.try`).click();
  await page.getByRole('dialog').waitFor();
}

const DIALOG = '#site-try';
const dialogOf = (page: Page) => page.locator(DIALOG);
const outcomeOf = (page: Page) => dialogOf(page).locator('.outcome');

test('a request is sent from the page, and what came is shown', async () => {
  const page = await newPage();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await openReference(page);
  await open(page, 'createProject');
  await expectAccessible(page, DIALOG);
  await dialogOf(page).getByLabel('API key').fill(shop.key);
  await dialogOf(page)
    .getByLabel('Body')
    .fill('{"name":"Tried [ ] {}","monthlyVolumeLimitCents":9007199254740993}');
  await dialogOf(page).getByRole('button', { name: 'Send' }).click();
  await outcomeOf(page)
    .getByText(/^201 Created · \d+ ms$/)
    .waitFor();
  const answer = await page.locator('#site-try figure code').textContent();
  expect(answer).toMatch(/^\{\n {2}"id": "[0-9a-f-]{36}",\n {2}"name": "Tried \[ \] \{\}",\n/);
  expect(answer).toContain('"monthlyVolumeLimitCents": 9007199254740993,');
  expect(answer).toContain('"usageCredits": {},');
  await expectAccessible(page, DIALOG);

  const { id } = JSON.parse(answer!);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await open(page, 'getProject');
  // The key is still there, in this tab alone.
  expect(await dialogOf(page).getByLabel('API key').inputValue()).toBe(shop.key);
  await dialogOf(page).getByLabel('projectId').fill(id);
  await dialogOf(page).getByLabel('projectId').press('Enter');
  await outcomeOf(page)
    .getByText(/^200 OK/)
    .waitFor();

  await dialogOf(page).getByRole('button', { name: 'Close' }).click();
  await open(page, 'listProjects');
  await dialogOf(page).getByLabel('limit').fill('1');
  await dialogOf(page).getByRole('button', { name: 'Send' }).click();
  await outcomeOf(page)
    .getByText(/^200 OK/)
    .waitFor();
  expect(sent.filter((address) => address.endsWith('/api/v2/projects?limit=1'))).toHaveLength(1);
  expect(sent.filter((address) => address.includes(shop.key))).toEqual([]);
  expect(page.url()).toBe(`${url}/docs/reference`);
  const kept = await page.evaluate(
    'JSON.stringify([localStorage.length, document.cookie, Object.keys(sessionStorage)])',
  );
  expect(kept).toBe('[0,"",["florin-try-key"]]');
});

test('what is refused is shown as well, and an operation without a key asks for none', async () => {
  const page = await newPage({ viewport: PHONE, colorScheme: 'dark' });
  await openReference(page);
  await open(page, 'createProject');
  await expectFits(page);
  await expectAccessible(page, DIALOG);
  await dialogOf(page).getByLabel('API key').fill('fl_dev_wrong');
  await dialogOf(page).getByRole('button', { name: 'Send' }).click();
  await outcomeOf(page)
    .getByText(/^401 Unauthorized/)
    .waitFor();
  expect(await page.locator('#site-try figure code').textContent()).toContain('"code": "UNAUTHORIZED"');
  // The browser notes the refusal; that it was shown is the point here.
  expect(takeProblems()).toEqual([expect.stringContaining('401')]);
  await dialogOf(page).getByRole('button', { name: 'Close' }).click();
  await open(page, 'getLiveness');
  expect(await dialogOf(page).getByLabel('API key').isVisible()).toBe(false);
  await dialogOf(page).getByRole('button', { name: 'Send' }).click();
  await outcomeOf(page)
    .getByText(/^200 OK/)
    .waitFor();
});

test('each try of a create has an Idempotency-Key of its own, unless that is switched off', async () => {
  const page = await newPage();
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
  });
  await openReference(page);
  await open(page, 'createProject');
  await dialogOf(page).getByLabel('API key').fill(shop.key);
  for (const isChecked of [true, true, false]) {
    await dialogOf(page).getByLabel('Send a new Idempotency-Key').setChecked(isChecked);
    await dialogOf(page).getByRole('button', { name: 'Send' }).click();
    await outcomeOf(page)
      .getByText(/^201 Created/)
      .waitFor();
  }
  expect(keys).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}$/),
    expect.stringMatching(/^[0-9a-f-]{36}$/),
    undefined,
  ]);
  expect(keys[0]).not.toBe(keys[1]);
});
