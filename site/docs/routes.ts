import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { App } from '../../src/platform/http/route.ts';
import { lazy } from '../../src/platform/lib/lazy.ts';
import type { ApiDocument } from '../reference/document.ts';
import { ENTRIES } from './contents.ts';

export interface ManualRoutes {
  /** openapi.json, and the text of it. */
  document(): object;
  text(): string;
  /** True if requests can be tried from the page: only if the money is test money of this machine. */
  isSandbox: boolean;
  publicUrl(): string;
}

/**
 * The documentation at /docs, openapi.json, and the icon, which wallets show too. Each page is rendered once, on the
 * first request, and the renderer is loaded then: a process without readers starts as fast as if there were no
 * documentation.
 */
export function manualRoutes(app: App, { document, text, isSandbox, publicUrl }: ManualRoutes): void {
  const manual = lazy(async () => {
    const { writeManual } = await import('./write-manual.ts');
    return writeManual(document() as ApiDocument, isSandbox);
  });
  serve(app, '/docs', HTML, async () => (await manual()).home(), PAGE_HEADERS);
  for (const entry of ENTRIES) {
    const path = `/docs/${entry.name}`;
    serve(app, path, HTML, async () => (await manual()).page(entry), PAGE_HEADERS);
    serve(app, `${path}.md`, 'text/markdown; charset=utf-8', async () => (await manual()).source(entry));
  }
  pictureRoute(app, async (name) => (await manual()).picture(name));
  serve(app, '/docs/reference', HTML, async () => (await manual()).reference(), PAGE_HEADERS);
  serve(app, '/docs/search.json', JSON_TYPE, async () => (await manual()).searchJson());
  searchRoute(app, async (query) => (await manual()).search(query));
  for (const [name, parts] of Object.entries(STYLES)) {
    const css = () => parts.map((part) => file('styles', part)).join('\n');
    serve(app, `/docs/${name}`, 'text/css; charset=utf-8', css);
  }
  for (const name of SCRIPTS) {
    serve(app, `/docs/${name}`, 'text/javascript; charset=utf-8', () => file('browser', name));
  }
  serve(app, '/openapi.json', JSON_TYPE, text);
  serve(app, '/icon.svg', 'image/svg+xml', () => file('.', 'icon.svg'), ICON_HEADERS);
  serve(
    app,
    '/icon.png',
    'image/png',
    () => readFileSync(join(import.meta.dirname, 'icon.png')),
    ICON_HEADERS,
  );
  plainRoute(app, '/llms.txt', async () => (await manual()).llms(publicUrl()));
  plainRoute(app, '/llms-full.txt', async () => (await manual()).llmsFull(publicUrl()));
  // Relative addresses would lead astray from there.
  app.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
}

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

/** Headers of the icon: for wallets of any origin, and cached for a day. Opened on its own it can do nothing. */
const ICON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'",
};

function file(folder: string, name: string): string {
  return readFileSync(join(import.meta.dirname, folder, name), 'utf8');
}

const COMMON_HEADERS = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** Browsers cache it but revalidate each time. Compressed on the first request. */
function serve(
  app: App,
  path: string,
  type: string,
  make: () => string | Buffer | Promise<string>,
  headers: Record<string, string> = {},
): void {
  let made: ReturnType<typeof packable> | undefined;
  app.get(path, async (request, reply) => {
    made ??= packable(await make());
    const { bytes, etag, packed } = made;
    reply.headers({ ...COMMON_HEADERS, Vary: 'Accept-Encoding', ETag: etag, ...headers });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    reply.header('Content-Type', type);
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(bytes);
    return reply.header('Content-Encoding', 'gzip').send(packed());
  });
}

function packable(content: string | Buffer) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const etag = `"${hash('sha256', bytes, 'base64url')}"`;
  return { bytes, etag, packed: lazy(() => gzipSync(bytes)) };
}

function pictureRoute(app: App, read: (name: string) => Promise<Buffer | undefined>): void {
  app.get('/docs/images/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const bytes = await read(name);
    if (!bytes) return reply.callNotFound();
    const etag = `"${hash('sha256', bytes, 'base64url')}"`;
    reply.headers({ ...COMMON_HEADERS, ETag: etag });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.header('Content-Type', 'image/webp').send(bytes);
  });
}

const MAX_QUERY = 200;

function searchRoute(app: App, pageOf: (query: string) => Promise<string>): void {
  app.get('/docs/search', async (request, reply) => {
    const { q = '' } = request.query as { q?: string | string[] };
    const query = String([q].flat()[0]).trim().slice(0, MAX_QUERY);
    const headers = { ...COMMON_HEADERS, ...PAGE_HEADERS, 'Content-Type': HTML, 'X-Robots-Tag': 'noindex' };
    return reply.headers(headers).send(await pageOf(query));
  });
}

/** Addresses in it are whole, and where the world reaches us is known only once we listen. */
function plainRoute(app: App, path: string, textOf: () => Promise<string>): void {
  app.get(path, async (_request, reply) =>
    reply.headers({ ...COMMON_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).send(await textOf()),
  );
}
