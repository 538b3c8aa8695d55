import type { Locator, Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { DESKTOP, expectAccessible, expectFits, newPage, type PageOptions, PHONE } from './browser.ts';
import type { TestChain } from './chain.ts';

/** Opens a path of the service in a real browser. */
export async function openPage(t: TestChain, path: string, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(options);
  await page.goto(t.service.url + path);
  return page;
}

export const pathOf = ({ checkoutUrl }: { checkoutUrl: string }): string => new URL(checkoutUrl).pathname;

/** Reads the code of a page, or of a part of it, as a wallet does that scans it: from the drawn squares. */
export async function scan(page: Page | Locator): Promise<string> {
  const svg = page.locator('svg.qr');
  const size = Number((await svg.getAttribute('viewBox'))!.split(' ')[2]);
  const path = (await svg.locator('path').nth(1).getAttribute('d'))!;
  const scale = 4;
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      for (let column = Number(x) * scale; column < (Number(x) + Number(width)) * scale; column++) {
        data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
      }
    }
  }
  return decodeQR({ width: side, height: side, data });
}

/** The heading of the stage that the page shows. */
export const stage = (page: Page) => page.locator('.panel h2').first();

/** Expects a page to be right in light and dark and on every screen; the page is left as it was. */
export async function expectGood(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
}
