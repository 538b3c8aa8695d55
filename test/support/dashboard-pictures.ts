import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openDatabase } from '../../src/platform/db/database.ts';
import { connectionIn } from '../../src/platform/db/embedded-postgres.ts';
import { DETAILS, DOORS, LISTS, type Screen } from './dashboard-screens.ts';
import { fillShop } from './filled-shop.ts';
import { openPictureShop, sellToday, startHooks } from './picture-shop.ts';
import type { Running } from './process.ts';
import type { Call } from './screenshot-states.ts';

const ROWS = 10_000;
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
const PASSWORD = 'correct horse battery staple';

export interface PictureOptions {
  folder: string;
  /** True for screens to picture, in any width and light. */
  wants(name: string): boolean;
  keeps(file: string): boolean;
}

interface Studio {
  service: Running;
  call: Call;
  context: BrowserContext;
  options: PictureOptions;
}

/** Photographs the dashboard: its doors, the lists of a shop that has just begun, and every screen of one that sells. */
export async function photographDashboard(
  browser: Browser,
  { service, data, call }: { service: Running; data: string; call: Call },
  options: PictureOptions,
): Promise<void> {
  const context = await browser.newContext({
    viewport: SIZES.wide,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const studio = { service, call, context, options };
  const token = /dashboard\/setup\/(\S+)/.exec(service.output())![1]!;
  for (const screen of DOORS)
    await photograph(studio, { ...screen, path: screen.path.replace(':token', token) });
  const owner = await enter(studio, { token, email: 'ines@lumen.example', name: 'Inês Duarte' });
  for (const screen of LISTS) await photograph(studio, { ...screen, name: `${screen.name}-empty` });
  const hooks = await startHooks();
  const shop = await openPictureShop(call, hooks.url);
  await inviteOthers(studio, owner);
  const db = openDatabase({ connection: connectionIn(data), poolSize: 1 });
  await fillShop(db, (await call('GET', '/api/b2b/merchants/me')).id, ROWS);
  await db.close();
  const sold = await sellToday(call, shop);
  const delivery = (await call('GET', '/api/v2/webhook-deliveries?limit=1&status=retrying')).data[0];
  const ids: Record<string, string> = { ...shop, ...sold, deliveryId: delivery.id };
  for (const screen of [...LISTS, ...DETAILS]) {
    const path = screen.path.replace(/:(\w+)/, (_, name) => ids[name]!);
    await photograph(studio, { ...screen, path });
  }
  hooks.close();
  await context.close();
}

interface Owner {
  headers: Record<string, string>;
}

/** Uses the setup link, as its page does; from here on the browser is signed in. */
async function enter({ service, context }: Studio, who: object): Promise<Owner> {
  const answer = await fetch(`${service.url}/api/dashboard/links/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ ...who, password: PASSWORD }),
  });
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: service.url }]);
  return {
    headers: { cookie, 'x-csrf-token': csrfToken, 'content-type': 'application/json', origin: service.url },
  };
}

/** A member who has joined, and one still invited. */
async function inviteOthers({ service }: Studio, { headers }: Owner): Promise<void> {
  const post = (path: string, body: object, more: object = headers) =>
    fetch(`${service.url}/api/dashboard${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    }).then((answer) => answer.json() as Promise<{ url: string }>);
  const { url } = await post('/invitations', { email: 'kofi@lumen.example', role: 'developer' });
  await post('/links/use', { token: url.split('/').pop(), name: 'Kofi Mensah', password: PASSWORD }, {});
  await post('/invitations', { email: 'accounts@lumen.example', role: 'viewer' });
}

async function photograph({ service, context, options }: Studio, screen: Screen): Promise<void> {
  const { name, path, prepare, isWholePage = false } = screen;
  if (!options.wants(`dashboard-${name}`)) return;
  const page = await context.newPage();
  await page.setViewportSize(SIZES.wide);
  await page.goto(`${service.url}/dashboard${path}`);
  await settled(page);
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    if (prepare) await prepare(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      const file = `dashboard-${name}-${size}-${colorScheme}.webp`;
      if (!options.keeps(file)) continue;
      await page.emulateMedia({ colorScheme });
      await settled(page);
      if (isWholePage)
        await page.setViewportSize({ ...viewport, height: await heightOf(page, viewport.height) });
      await writeFile(join(options.folder, file), await webp(page));
    }
    // A form asks before it closes if something was typed.
    for (let times = 0; times < 2; times++) await page.keyboard.press('Escape');
  }
  await page.close();
  process.stdout.write(`dashboard-${name}\n`);
}

/** A window as long as the page: so the side bar is, too. */
async function heightOf(page: Page, least: number): Promise<number> {
  return Math.max(least, await page.evaluate<number>('document.documentElement.scrollHeight'));
}

/** A third of the bytes that the browser's PNG has, and e-mails stay sharp. */
async function webp(page: Page): Promise<Buffer> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await devtools.detach();
  return Buffer.from(data, 'base64');
}

/** Every request is answered, and the page is drawn. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1, h2').first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await page.getByText(/^…$/).first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle').catch(() => {});
}
