import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../platform/http/html.ts';
import type { App } from '../../platform/http/route.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { sendPage as sendNotice } from '../parts/page-route.ts';
import { type BuiltFile, type BuiltFiles, builtFiles } from './built-files.ts';
import { dashboardLanguage } from './language.ts';

/**
 * The merchant's dashboard: the built files, and its one page for every address under /dashboard. A request that comes while it is
 * being built waits for it.
 */
export function dashboardPages(
  app: App,
  built: Promise<unknown> | undefined,
  files: BuiltFiles = builtFiles(),
): void {
  app.get('/', (_request, reply) => reply.redirect('/dashboard', 302));
  app.get('/dashboard', async (request, reply) => {
    await built;
    return sendPage(request, reply, files.page(dashboardLanguage(request.headers)));
  });
  app.get('/dashboard/*', async (request, reply) => {
    await built;
    const path = (request.params as { '*': string })['*'];
    if (!path.startsWith('assets/'))
      return sendPage(request, reply, files.page(dashboardLanguage(request.headers)));
    const file = files.find(path);
    // The page in place of a missing script would only fail later, and less clearly.
    if (!file) throw new AppError('NOT_FOUND');
    return sendFile(request, reply, file);
  });
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
): Promise<FastifyReply> {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find(
    (name) => !file.isPacked && new RegExp(`\\b${name}\\b`).test(accepted),
  );
  const bytes = await file.bytes(encoding);
  if (encoding) reply.header('Content-Encoding', encoding);
  return reply
    .headers({
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
    })
    .send(bytes);
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: string | undefined): FastifyReply {
  if (page === undefined) return refuse(request, reply);
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({ ...PAGE_HEADERS, 'Content-Security-Policy': policy(nonce) })
    .type('text/html; charset=utf-8')
    .send(page.replace('%STYLE_NONCE%', nonce));
}

/** Read by the operator, so in English. */
function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const title = 'The dashboard is not built';
  if (!/\btext\/html\b/.test(request.headers.accept ?? '')) {
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: `${title}. Run "npm run build:web" on the server; the API works without it.`,
    });
  }
  const body = html`<section class="card notice-page">
<h1>${title}</h1>
<p>Run <code>npm run build:web</code> on the server, then load this page again. The API works without it.</p>
</section>`;
  return sendNotice(request, reply, { language: 'en', title, status: 503, isNotice: true, body });
}

/** Nothing from elsewhere and no script but our files. Mantine writes its theme into a style element: the nonce is for that. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // QR codes are drawn in the page and offered as a download.
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page names the built files and contains a nonce, so it is never cached. */
const PAGE_HEADERS = {
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'Cache-Control': 'no-store',
} as const;
