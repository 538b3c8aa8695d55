import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { photographDashboard } from './dashboard-pictures.ts';
import { requireTool } from './debian.ts';
import { documentPictures, PICTURES } from './document-pictures.ts';
import { type Running, startProcess } from './process.ts';
import { type Call, makeStates, type State } from './screenshot-states.ts';

/**
 * Photographs every hosted page in every state and every screen of the dashboard, on a desktop and a phone, in the light
 * and in the dark, into `screenshots/` or the folder that `--to` names. A word makes only pictures with it in their name,
 * which begins with `dashboard` for the dashboard's. `--docs` renews the pictures that the documents show, no others.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { to: { type: 'string' }, docs: { type: 'boolean', default: false } },
});
const only = positionals[0];
const shown = [...documentPictures()];
const folder = values.docs ? PICTURES : (values.to ?? join(import.meta.dirname, '../../screenshots'));
const wants = (name: string) =>
  (only === undefined || name.includes(only)) &&
  (!values.docs || shown.some((file) => file.startsWith(name)));
const keeps = (file: string) => !values.docs || shown.includes(file);
const SCREENS = {
  desktop: { width: 1280, height: 860 },
  phone: { width: 390, height: 844 },
};

requireTool('chromium');
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars'],
});
try {
  // Slots this slow leave time to photograph a payment that is seen and not final.
  if (!only?.startsWith('dashboard')) await withService({ SANDBOX_SLOT_MS: '700' }, photographPages);
  if (!only || only.startsWith('dashboard')) {
    await withService({}, (service, data) =>
      photographDashboard(browser, { service, data, call: callOf(service) }, { folder, wants, keeps }),
    );
  }
} finally {
  await browser.close();
}

async function withService(
  env: Record<string, string>,
  work: (service: Running, data: string) => Promise<void>,
): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'florin-screenshots-'));
  const service = await startProcess({ FLORIN_DATA: data, ...env });
  try {
    await work(service, data);
  } finally {
    await service.end('SIGTERM');
    await rm(data, { recursive: true, force: true });
  }
}

async function photographPages(service: Running): Promise<void> {
  for await (const state of makeStates(callOf(service), service.url)) {
    if (!wants(state.name)) continue;
    await photograph(browser, service.url, state);
    process.stdout.write(`${state.name}\n`);
  }
}

function callOf(service: Running): Call {
  return async (method, path, body) => {
    const answer = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** One visitor, whose screen and light change: so a cookie from the desktop is there on the phone too. */
async function photograph(
  browser: Browser,
  url: string,
  { name, path, cookies, prepare, shows }: State,
): Promise<void> {
  const context = await browser.newContext({ viewport: SCREENS.desktop });
  if (cookies) await context.addCookies([...cookies]);
  const page = await context.newPage();
  await page.goto(url + path);
  if (shows) await page.getByText(shows).first().waitFor();
  if (prepare) await prepare(page);
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await stillClocks(page);
      const file = `${name}-${screen}-${colorScheme}.png`;
      if (!keeps(file)) continue;
      const path = join(folder, file);
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
