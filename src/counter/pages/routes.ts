import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tillAssetUrls } from '../../pages/parts/assets.ts';
import { PAGE_HEADERS, type PageScope, pageRoute } from '../../pages/parts/page-route.ts';
import { LANGUAGES } from '../../platform/lib/language.ts';
import { manifestOf } from './manifest.ts';
import { tillPage } from './till-page.ts';

const ICONS = ['icon-180.png', 'icon-192.png', 'icon-512.png'] as const;
const DAY_SECONDS = 86_400;

/** The till: its page, and what makes it an app that can be installed. */
export function tillPages(scope: PageScope, { network }: { network: string }): void {
  const isSandbox = network === 'sandbox';
  pageRoute(scope, {
    method: 'GET',
    path: '/till',
    handle: async ({ language }) => tillPage(language, { isSandbox }),
  });
  pageRoute(scope, {
    method: 'GET',
    path: '/till/manifest.webmanifest',
    async handle({ language, reply }) {
      return reply.headers(PAGE_HEADERS).type('application/manifest+json').send(manifestOf(language));
    },
  });
  const worker = workerText(isSandbox);
  pageRoute(scope, {
    method: 'GET',
    path: '/till/worker.js',
    handle: async ({ reply }) =>
      reply
        .headers({ ...PAGE_HEADERS, 'Cache-Control': 'no-cache', 'Service-Worker-Allowed': '/till' })
        .type('text/javascript; charset=utf-8')
        .send(worker),
  });
  for (const name of ICONS) {
    const bytes = readFileSync(join(import.meta.dirname, 'icons', name));
    pageRoute(scope, {
      method: 'GET',
      path: `/till/${name}`,
      handle: async ({ reply }) =>
        reply
          .headers({ ...PAGE_HEADERS, 'Cache-Control': `public, max-age=${DAY_SECONDS}` })
          .type('image/png')
          .send(bytes),
    });
  }
}

/** The worker with what it keeps. Its name is of that content, so that a new version of the shell replaces the old one. */
function workerText(isSandbox: boolean): string {
  const pages = LANGUAGES.map((language) => tillPage(language, { isSandbox }).body.toString());
  const files = tillAssetUrls();
  const version = hash('sha256', JSON.stringify([pages, files]), 'hex').slice(0, 16);
  return readFileSync(join(import.meta.dirname, 'browser/worker.js'), 'utf8')
    .replace("'VERSION'", JSON.stringify(version))
    .replace("['FILES']", JSON.stringify(files));
}
