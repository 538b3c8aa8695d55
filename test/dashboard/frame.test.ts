import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { builtFiles } from '../../src/pages/dashboard/built-files.ts';
import { DIST_FOLDER } from '../../src/pages/dashboard/source-stamp.ts';
import { expectAccessible, takeProblems } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { appPage, dashboardChain, dashboardUrl, pageOf, signIn } from '../support/dashboard.ts';
import { newOwner, newSetupToken, PASSWORD } from '../support/members.ts';

let t: TestChain;

beforeAll(async () => {
  t = await dashboardChain();
});

test('the first view is light: under 150 KB of script as it is sent, which shows the home screen alone', async () => {
  const scripts = await scriptsOfFirstView();
  const files = builtFiles();
  const sizes = await Promise.all(
    [...scripts].map(async (path) => (await files.find(path)!.bytes('br')).length),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);

  const order = { amountCents: 4_200, orderId: 'first-view' };
  const { body: intent } = await t.shop.call('POST', '/api/merchants/intents', order);
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  const held: Route[] = [];
  await page.route('**/assets/*.js', (route) => {
    if (scripts.has(pathOf(route.request().url()))) return route.continue();
    held.push(route);
  });
  await page.goto(dashboardUrl(t));
  await page.getByRole('heading', { name: 'Get ready for your first customer' }).waitFor();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.getByRole('table', { name: 'Latest payments' }).getByText('first-view').waitFor();
  await page.getByLabel('Period').selectOption('7d');
  await page.waitForURL(/[?]range=7d$/);
  await expectAccessible(page);

  const create = page.getByRole('button', { name: 'Create' });
  const focused = create.and(page.locator(':focus'));
  await create.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => held.some((route) => route.request().url().includes('/button-menu-'))).toBe(true);
  expect(await focused.count()).toBe(1);
  for (const route of held) await route.continue();
  await page.unroute('**/assets/*.js');
  await page.getByRole('menuitem', { name: 'Payment link' }).waitFor();
  await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('role')`)).toBe('menuitem');
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
  await expect.poll(() => focused.count()).toBe(1);
  await t.shop.call('POST', `/api/merchants/intents/${intent.id}/cancel`);
});

/** Returns the scripts that the page names, and those that they import before they run. */
async function scriptsOfFirstView(): Promise<Set<string>> {
  const page = await (await fetch(dashboardUrl(t))).text();
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const text = readFileSync(join(DIST_FOLDER, path), 'utf8');
    for (const [, name] of text.matchAll(/\b(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      add(`assets/${name}`);
  };
  for (const [, path] of page.matchAll(/"\/dashboard\/(assets\/[^"]+\.js)"/g)) add(path!);
  return found;
}

const pathOf = (url: string) => new URL(url).pathname.replace('/dashboard/', '');

test('a script that is gone after an upgrade: the page stays as it is until the script is needed, and then says so', async () => {
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  const missing = /\/assets\/(notices|button-menu|payments-screen)-/;
  await page.route(missing, (route) => route.fulfill({ status: 404 }));
  const notices = page.waitForResponse(/\/assets\/notices-/);
  await page.goto(dashboardUrl(t));
  await notices;
  await page.getByLabel('Period').selectOption('7d');
  await page.waitForURL(/[?]range=7d$/);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('alert').getByRole('heading', { name: 'Something went wrong' }).waitFor();
  await page.unroute(missing);
  await page.getByRole('button', { name: 'Reload page' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('menuitem', { name: 'Payment link' }).waitFor();
  expect(takeProblems().filter((problem) => !/404|dynamically imported module/.test(problem))).toEqual([]);
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

test('keys go everywhere: search, screens, what can be created, the list of them', async () => {
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

  await page.keyboard.press('c');
  await page.getByRole('menuitem', { name: 'Payment link' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Customer' }).click();
  await page.getByRole('dialog', { name: 'New customer' }).waitFor();
  await expectAccessible(page);
  expect(new URL(page.url()).pathname).toBe('/dashboard/payments');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('n');
  await page.getByRole('menuitem', { name: 'Payment link' }).click();
  await page.getByLabel('Product name').fill('From anywhere');
  await page.getByLabel('Price in USDC').fill('5');
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('heading', { name: 'From anywhere', level: 1 }).waitFor();
  await page.waitForURL('**/payment-links/*');
});

test('every time is in the merchant’s zone, whatever the browser’s, and every word in the bundled font', async () => {
  const owner = await newOwner(t.service, t.shop);
  const { body: intent } = await t.shop.call('POST', '/api/merchants/intents', {
    amountCents: 700,
    orderId: 'zone-1',
  });
  await owner.call('PATCH', '/api/b2b/merchants/me', { timeZone: 'Asia/Kathmandu' });
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t, `/payments/${intent.id}`));
  const time = page.getByRole('main').locator(`time[datetime="${intent.createdAt}"]`).first();
  const there = new Date(Date.parse(intent.createdAt) + (5 * 60 + 45) * 60_000).toISOString();
  expect(await time.innerText()).toContain(there.slice(11, 16));
  expect(await time.getAttribute('title')).toContain('Asia/Kathmandu');
  const fonts = `[...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family)`;
  expect(await page.evaluate(fonts)).toContain('Inter');
  const others = `[...document.querySelectorAll('body *:not(code, kbd, pre, script)')]
    .filter((one) => one.checkVisibility() && !getComputedStyle(one).fontFamily.startsWith('Inter'))
    .map((one) => one.outerHTML.slice(0, 100))`;
  expect(await page.evaluate(others)).toEqual([]);
  await owner.call('PATCH', '/api/b2b/merchants/me', { timeZone: 'UTC' });
  await t.shop.call('POST', `/api/merchants/intents/${intent.id}/cancel`);
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

test('a member who is signed out while filling in a form signs in over it, and the form is sent as typed', async () => {
  const owner = await newOwner(t.service, t.shop);
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t, '/projects'));
  await page.getByRole('button', { name: 'New project' }).first().click();
  await page.getByLabel('Name').fill('Typed before');
  // Live events would report the sign-out first; here the change itself must notice it.
  await page.route('**/events?*', () => {});
  await t.service.db.query('delete from dashboard_sessions where member_id = $1', [owner.id]);
  await page.getByRole('button', { name: 'Create project' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.waitFor();
  await page.unroute('**/events?*');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  expect(await again.getByLabel('E-mail').inputValue()).toBe(owner.email);
  await again.getByLabel('Password', { exact: true }).fill('not the password');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByRole('alert').filter({ hasText: 'Wrong e-mail or password' }).waitFor();
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByRole('heading', { name: 'Typed before' })
    .or(page.getByText('Typed before'))
    .first()
    .waitFor();
  const { body } = await t.shop.call('GET', '/api/v2/projects');
  expect(body.data.filter(({ name }: { name: string }) => name === 'Typed before')).toHaveLength(1);
  await again.waitFor({ state: 'detached' });

  await t.service.db.query('delete from dashboard_sessions where member_id = $1', [owner.id]);
  await again.waitFor();
  await again.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
});

test('a request that was on its way while a confirmation changed the cookie asks nobody to sign in again', async () => {
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  await page.goto(dashboardUrl(t, '/projects'));
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  const error = { code: 'SIGN_IN_REQUIRED', message: 'Sign in.', traceId: 'x' };
  const checked = page.waitForResponse('**/api/dashboard/session');
  await page.route('**/events?*', (route) => route.fulfill({ status: 401, json: { error } }), { times: 1 });
  expect((await checked).status()).toBe(200);
  expect((await page.waitForResponse('**/events?*')).status()).toBe(200);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('without a connection a banner says so, a change fails at once, and both are over by themselves', async () => {
  const page = await pageOf(t, await newOwner(t.service, t.shop));
  await page.goto(dashboardUrl(t, '/projects'));
  await page.getByRole('button', { name: 'New project' }).first().click();
  await page.getByLabel('Name').fill('Typed in a tunnel');
  await page.context().setOffline(true);
  const banner = page.getByRole('status').filter({ hasText: 'out of date' });
  await banner.waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).waitFor();
  await page.context().setOffline(false);
  await banner.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByText('Typed in a tunnel').first().waitFor();
});
