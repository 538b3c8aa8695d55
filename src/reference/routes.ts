import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../http/route.ts';
import type { ApiDocument } from './document.ts';
import { referencePage } from './page.ts';

/** openapi.json, the same for people at /docs, and the icon, which wallets show too. Everything is made here, once; a request only sends it. */
export function referenceRoutes(app: App, document: object, text: string): void {
  const page = referencePage(document as ApiDocument);
  serve(app, '/openapi.json', 'application/json; charset=utf-8', text);
  serve(app, '/docs', 'text/html; charset=utf-8', page, { 'Content-Security-Policy': PAGE_POLICY });
  serve(app, '/docs/reference.css', 'text/css; charset=utf-8', STYLES.map(fileBeside).join('\n'));
  serve(app, '/docs/reference.js', 'text/javascript; charset=utf-8', fileBeside('script.js'));
  serve(app, '/icon.svg', 'image/svg+xml', fileBeside('icon.svg'), ICON_HEADERS);
}

const STYLES = ['page.css', 'sections.css', 'samples.css'];

/** Nothing from elsewhere and nothing inline: even text that slipped through unescaped could not run. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** For wallets of any origin, and kept for a day; opened on its own it can do nothing. */
const ICON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'",
};

function fileBeside(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}

/** A browser keeps it, but asks each time whether it is still the same. */
function serve(app: App, path: string, type: string, text: string, headers: Record<string, string> = {}) {
  const bytes = Buffer.from(text);
  const etag = `"${hash('sha256', bytes, 'base64url')}"`;
  app.get(path, (request, reply) => {
    reply.headers({
      'Cache-Control': 'no-cache',
      ETag: etag,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      ...headers,
    });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.header('Content-Type', type).send(bytes);
  });
}
