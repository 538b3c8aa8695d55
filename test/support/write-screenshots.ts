import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { requireTool } from './debian.ts';
import { startProcess } from './process.ts';
import { type Call, makeStates, type State } from './screenshot-states.ts';

/** Writes docs/images: every hosted page in every state, on a desktop and a phone, in the light and in the dark. */
const folder = join(import.meta.dirname, '../../docs/images');
const SCREENS = {
  desktop: { width: 1280, height: 860 },
  phone: { width: 390, height: 844 },
};
const only = process.argv[2];

requireTool('chromium');
const data = await mkdtemp(join(tmpdir(), 'florin-screenshots-'));
// Slots this slow leave time to photograph a payment that is seen and not final.
const service = await startProcess({ FLORIN_DATA: data, SANDBOX_SLOT_MS: '700' });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars'],
});
try {
  await mkdir(folder, { recursive: true });
  for await (const state of makeStates(call, service.url)) {
    if (only && !state.name.includes(only)) continue;
    await photograph(state);
    process.stdout.write(`${state.name}\n`);
  }
} finally {
  await browser.close();
  await service.end('SIGTERM');
  await rm(data, { recursive: true, force: true });
}

async function call(...[method, path, body]: Parameters<Call>): ReturnType<Call> {
  const answer = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** One visitor, whose screen and light change: so a cookie from the desktop is there on the phone too. */
async function photograph({ name, path, cookies, prepare, shows }: State): Promise<void> {
  const context = await browser.newContext({ viewport: SCREENS.desktop });
  if (cookies) await context.addCookies([...cookies]);
  const page = await context.newPage();
  await page.goto(service.url + path);
  if (shows) await page.getByText(shows).first().waitFor();
  if (prepare) await prepare(page);
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await stillClocks(page);
      const path = join(folder, `${name}-${screen}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  await context.close();
}

/** The same picture tomorrow: seconds that run would change every file. */
async function stillClocks(page: Page): Promise<void> {
  await page.evaluate(
    `document.querySelectorAll('[data-until]').forEach((clock) => { clock.textContent = '23:59:42'; })`,
  );
}
