import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { DIST_FOLDER } from '../../src/faces/dashboard/source-stamp.ts';
import { expectAccessible } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { appPage, dashboardChain, dashboardUrl, pageOf, signIn } from '../support/dashboard.ts';
import { newOwner, newSetupToken, PASSWORD } from '../support/members.ts';

let t: TestChain;

beforeAll(async () => {
  t = await dashboardChain();
});

test('the first view is light: the entry and what it imports are under 150 KB of script', () => {
  const manifest = JSON.parse(readFileSync(join(DIST_FOLDER, '.vite/manifest.json'), 'utf8'));
  const names = new Set<string>();
  const add = (name: string) => {
    if (names.has(name)) return;
    names.add(name);
    for (const imported of manifest[name].imports ?? []) add(imported);
  };
  add('index.html');
  const sizes = [...names].map(
    (name) => gzipSync(readFileSync(join(DIST_FOLDER, manifest[name].file))).length,
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThan(150_000);
});

test('built files are cached forever, the page never, and nothing inline may run', async () => {
  const page = await fetch(dashboardUrl(t, '/payments/anything'));
  const text = await page.text();
  const policy = page.headers.get('content-security-policy')!;
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(text).toContain(/'nonce-([^']+)'/.exec(policy)![1]);
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
  const script = await fetch(`${t.service.url}${/src="([^"]+)"/.exec(text)![1]}`);
  expect([script.status, script.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ]);
  expect(script.headers.get('content-type')).toContain('text/javascript');
  for (const path of ['/assets/none.js', '/assets/..%2f..%2fpackage.json']) {
    expect((await fetch(dashboardUrl(t, path))).status).toBe(404);
  }
});

test('a setup link makes the owner; who signs out comes back with the password alone, to where they were', async () => {
  const token = await newSetupToken(t.service, t.shop.id);
  const page = await appPage();
  await page.goto(dashboardUrl(t, `/setup/${token}`));
  await expectAccessible(page);
  await page.getByLabel('Your name').fill('Olive <b>Owner</b>');
  await page.getByLabel('E-mail').fill('olive@shop.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Go to the dashboard' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  expect(page.url()).toBe(dashboardUrl(t, '/'));

  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expectAccessible(page);

  await signIn(page, 'olive@shop.example', 'not the password');
  await page.getByRole('alert').filter({ hasText: 'Wrong e-mail or password' }).waitFor();
  await signIn(page, 'OLIVE@shop.example');
  await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();

  await page.goto(dashboardUrl(t, `/setup/${token}`));
  await page.getByRole('alert').filter({ hasText: 'already used' }).waitFor();
});

test('keys go everywhere: search, screens, the list of them', async () => {
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  await page.goto(dashboardUrl(t));
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('order-77');
  await page.getByText('No results').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a list of any length: pages as they come into view, few rows drawn, filters in the address, all of it as CSV', async () => {
  const asks = Array.from({ length: 130 }, (_, at) => ({ amountCents: 100 + at, orderId: `long-${at}` }));
  for (const ask of asks) expect((await t.shop.call('POST', '/api/merchants/intents', ask)).status).toBe(200);
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  await page.goto(dashboardUrl(t, '/payments?status=pending'));
  await page.getByText('long-129', { exact: true }).waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(`document.activeElement.closest('tr').textContent`)).toContain('long-128');
  const end = page.getByText('130 results');
  while (!(await end.isVisible())) await page.mouse.wheel(0, 4_000);
  await end.scrollIntoViewIfNeeded();
  await page.getByText('long-0', { exact: true }).waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(60);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const file = await (await download).path();
  expect(readFileSync(file, 'utf8').trim().split('\r\n').length).toBe(131);
  await page.getByLabel('Status').selectOption('succeeded');
  await page.waitForURL('**/payments?status=succeeded');
  await page.getByRole('heading', { name: 'No results' }).waitFor();
});
