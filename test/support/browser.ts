import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { afterEveryTest } from './clean-up.ts';
import { requireTool } from './debian.ts';

export interface PageOptions {
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  javaScriptEnabled?: boolean;
  /** Language that the browser asks for. */
  locale?: string;
  reducedMotion?: 'reduce' | 'no-preference';
  /** The page calls the API itself, and may be told no. */
  isApp?: boolean;
  /** Cookies of another page: the same visitor in a second window. */
  context?: BrowserContext;
}

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Chromium without its windows: the same pages for two thirds of the work. */
const BROWSER = 'chromium-headless-shell';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing outside of this machine is ever reached, not even to look up its name.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

const OWN_HOSTS = ['127.0.0.1', 'localhost'];

let browser: Promise<Browser> | undefined;
const contexts: BrowserContext[] = [];
const problems: string[] = [];

/** A real browser page. Whatever it complains of, or asks of another host, fails the test that opened it. */
export async function newPage({ context, isApp = false, ...options }: PageOptions = {}): Promise<Page> {
  browser ??= startBrowser();
  const own = context ?? (await newContext(await browser, options));
  const page = await own.newPage();
  watch(page, isApp);
  return page;
}

/** Returns the complaints of pages so far and forgets them. */
export function takeProblems(): string[] {
  return problems.splice(0);
}

/** No violation of WCAG 2.2 AA in the page or a part of it, as far as axe can see. Only where scripts run: axe is one. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  if (!(await page.evaluate<boolean>(FIND_AXE))) await bringAxe(page);
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(${JSON.stringify(part)}, ${JSON.stringify(AXE)}).then(({ violations }) => violations)`,
  );
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html}`),
  );
  expect(found, `${page.url()}\n${found.join('\n')}`).toEqual([]);
}

/** Nothing has to be scrolled to sideways. */
export async function expectFits(page: Page): Promise<void> {
  const root = 'document.documentElement';
  const beyond = await page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`);
  expect(beyond, `${page.url()} is too broad`).toBeLessThanOrEqual(0);
}

/**
 * Expects that tables show everything that has to be read or pressed as a whole: titles, states, amounts, buttons.
 * Names may be shortened. A screen that has just changed its size is drawn in a later frame.
 */
export async function expectUncut(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate<string[]>(CUT), { message: `${page.url()} cuts` }).toEqual([]);
}

const CUT = `[...document.querySelectorAll('main table :is(th, td)')].flatMap((cell) => {
    const box = cell.getBoundingClientRect();
    if (box.width === 0) return [];
    const whole = [...cell.querySelectorAll('[class*="status"], .money, button, input')];
    const isOut = (part) => {
      const { left, right, width } = part.getBoundingClientRect();
      const isCutInside = part.tagName === 'BUTTON' && [...part.querySelectorAll('*')].some((each) => each.scrollWidth > each.clientWidth + 1);
      return width > 0 && (isCutInside || left < box.left - 0.5 || right > box.right + 0.5);
    };
    const isTitleCut = cell.tagName === 'TH' && cell.scrollWidth > cell.clientWidth;
    return [...whole.filter(isOut), ...(isTitleCut ? [cell] : [])].map((part) => part.textContent);
  })`;

/** Options that neither describe nor send what is in order: on a long page that takes longer than looking. */
const AXE = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
  selectors: false,
};

/** Started where it is needed, and not before: most pages that a test opens are never looked at this closely. */
const LOAD_AXE = `globalThis.loadAxe = () => {${readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)}\n};`;

const FIND_AXE = `typeof axe !== 'undefined' || (typeof loadAxe !== 'undefined' && (loadAxe(), true))`;

/**
 * Half a megabyte, and sending it takes longer than running it: the browser keeps it for this page and all that the page
 * goes to next. Playwright's own `addInitScript` would leave out the document that is open now.
 */
async function bringAxe(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.enable');
  await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source: LOAD_AXE, runImmediately: true });
  expect(await page.evaluate<boolean>(FIND_AXE)).toBe(true);
}

afterEveryTest(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  expect(takeProblems()).toEqual([]);
});

/** One for all test files of this worker; it ends with it. */
function startBrowser(): Promise<Browser> {
  requireTool(BROWSER);
  return chromium.launch({ executablePath: `/usr/bin/${BROWSER}`, args: FLAGS });
}

async function newContext(started: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await started.newContext({
    viewport: DESKTOP,
    colorScheme: 'light',
    locale: 'en-US',
    ...options,
  });
  contexts.push(context);
  return context;
}

function watch(page: Page, isApp: boolean): void {
  const navigations = new Set<string>();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.isNavigationRequest()) navigations.add(request.url());
    if (!url.protocol.startsWith('http') || OWN_HOSTS.includes(url.hostname)) return;
    problems.push(`${page.url()} asked ${request.url()}`);
  });
  page.on('console', (message) => {
    // A page that answers 401 or 404 on purpose is no failure, nor is a missing icon.
    const { url } = message.location();
    const isExpected =
      navigations.has(url) || url.endsWith('/favicon.ico') || (isApp && url.includes('/api/'));
    const isAnswer = message.text().startsWith('Failed to load resource') && isExpected;
    if (message.type() === 'error' && !isAnswer) problems.push(`${page.url()} said ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()} threw ${error.message}`));
}
