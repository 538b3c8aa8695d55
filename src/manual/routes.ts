import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { App } from '../http/route.ts';
import type { ApiDocument } from '../reference/document.ts';
import { referenceOf } from '../reference/page.ts';
import { ENTRIES } from './contents.ts';
import { framed, INSIDE } from './frame.ts';
import { homePage } from './home-page.ts';
import { picturesIn, readMarkdown } from './markdown.ts';
import { manualPage } from './page.ts';
import { addressOf } from './page-address.ts';
import { llmsFullText, llmsText } from './plain-text.ts';
import { searchEntries } from './search.ts';
import { searchPage } from './search-page.ts';
import { tryDialog } from './try-dialog.ts';

export interface ManualRoutes {
  /** openapi.json, and the text of it. */
  document: object;
  text: string;
  /** Whether requests can be tried from the page: only where money is test money of this machine. */
  isSandbox: boolean;
  publicUrl(): string;
}

/**
 * The documentation at /docs, openapi.json, and the icon, which wallets show too. Each page is made once, when it is first
 * asked for: a process that nobody reads here starts as fast as if there were none.
 */
export function manualRoutes(app: App, { document, text, isSandbox, publicUrl }: ManualRoutes): void {
  const api = document as ApiDocument;
  const pages = ENTRIES.map((entry) => {
    const source = once(() => readFileSync(join(DOCS, `${entry.name}.md`), 'utf8'));
    return { entry, source, text: once(() => readMarkdown(source(), addressOf)) };
  });
  const entries = once(() => searchEntries(pages, api));
  serve(app, '/docs', HTML, homePage, PAGE_HEADERS);
  for (const { entry, source, text } of pages) {
    serve(app, `/docs/${entry.name}`, HTML, () => manualPage(entry, text()), PAGE_HEADERS);
    serve(app, `/docs/${entry.name}.md`, 'text/markdown; charset=utf-8', source);
  }
  pictureRoute(app, () => pages.flatMap(({ source }) => picturesIn(source())));
  serve(app, '/docs/reference', HTML, () => referencePage(api, isSandbox), PAGE_HEADERS);
  serve(app, '/docs/search.json', JSON_TYPE, () => JSON.stringify(entries()));
  searchRoute(app, (query) => searchPage(entries(), query));
  for (const [name, parts] of Object.entries(STYLES)) {
    const css = () => parts.map((part) => file('styles', part)).join('\n');
    serve(app, `/docs/${name}`, 'text/css; charset=utf-8', css);
  }
  for (const name of SCRIPTS) {
    serve(app, `/docs/${name}`, 'text/javascript; charset=utf-8', () => file('browser', name));
  }
  serve(app, '/openapi.json', JSON_TYPE, () => text);
  serve(app, '/icon.svg', 'image/svg+xml', () => file('.', 'icon.svg'), ICON_HEADERS);
  plainRoute(app, '/llms.txt', () => llmsText(publicUrl()));
  plainRoute(app, '/llms-full.txt', () => llmsFullText(pages, publicUrl()));
  // Relative addresses would lead astray from there.
  app.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
}

const DOCS = join(import.meta.dirname, '../../docs');

const STYLES: Record<string, string[]> = {
  'site.css': [
    'site.css',
    'code.css',
    'search.css',
    'prose.css',
    'sheet.css',
    'findings.css',
    'home.css',
    'print.css',
  ],
  'reference.css': ['reference.css', 'try.css'],
};

const SCRIPTS = ['site.js', 'search.js', 'rank.js', 'reference.js', 'try.js'];

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Nothing from elsewhere and nothing inline: even text that slipped through unescaped could not run. */
const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    // The search is a form, for those who have no scripts.
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/** For wallets of any origin, and kept for a day; opened on its own it can do nothing. */
const ICON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'",
};

function referencePage(document: ApiDocument, canBeTried: boolean): string {
  const { contents, main } = referenceOf(document, canBeTried);
  return framed({
    place: INSIDE,
    title: 'API reference · Florin',
    contents,
    main,
    styles: ['reference.css'],
    scripts: canBeTried ? ['reference.js', 'try.js'] : ['reference.js'],
    isReference: true,
    after: canBeTried ? tryDialog : undefined,
  });
}

function file(folder: string, name: string): string {
  return readFileSync(join(import.meta.dirname, folder, name), 'utf8');
}

const COMMON_HEADERS = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** A browser keeps it, but asks each time whether it is still the same. Packed when somebody first asks for that. */
function serve(
  app: App,
  path: string,
  type: string,
  make: () => string,
  headers: Record<string, string> = {},
): void {
  const plain = once(() => {
    const bytes = Buffer.from(make());
    return { bytes, etag: `"${hash('sha256', bytes, 'base64url')}"` };
  });
  const packed = once(() => gzipSync(plain().bytes));
  app.get(path, (request, reply) => {
    const { bytes, etag } = plain();
    reply.headers({ ...COMMON_HEADERS, Vary: 'Accept-Encoding', ETag: etag, ...headers });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    reply.header('Content-Type', type);
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(bytes);
    return reply.header('Content-Encoding', 'gzip').send(packed());
  });
}

function once<Value extends object | string>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** The pictures that pages show, and no other file. */
function pictureRoute(app: App, namesOf: () => string[]): void {
  const names = once(namesOf);
  app.get('/docs/images/:name', (request, reply) => {
    const { name } = request.params as { name: string };
    if (!names().includes(name)) return reply.callNotFound();
    const bytes = readFileSync(join(DOCS, 'images', name));
    const etag = `"${hash('sha256', bytes, 'base64url')}"`;
    reply.headers({ ...COMMON_HEADERS, ETag: etag });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.header('Content-Type', 'image/webp').send(bytes);
  });
}

const MAX_QUERY = 200;

function searchRoute(app: App, pageOf: (query: string) => string): void {
  app.get('/docs/search', (request, reply) => {
    const { q = '' } = request.query as { q?: string | string[] };
    const query = String([q].flat()[0]).trim().slice(0, MAX_QUERY);
    const headers = { ...COMMON_HEADERS, ...PAGE_HEADERS, 'Content-Type': HTML, 'X-Robots-Tag': 'noindex' };
    return reply.headers(headers).send(pageOf(query));
  });
}

/** Addresses in it are whole, and where the world reaches us is known only once we listen. */
function plainRoute(app: App, path: string, textOf: () => string): void {
  app.get(path, (_request, reply) =>
    reply.headers({ ...COMMON_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).send(textOf()),
  );
}
