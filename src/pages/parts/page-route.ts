import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isProgram } from '../../agents/mpp/answer-program.ts';
import { answerPreflight, refuseProgram } from '../../agents/mpp/cross-origin.ts';
import type { App } from '../../platform/http/route.ts';
import { noteError } from '../../platform/http/server.ts';
import { isOwnOrigin } from '../../platform/http/session-cookie.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Language } from '../../platform/lib/language.ts';
import { errorPage } from './error-page.ts';
import { chooseLanguage } from './language.ts';
import { documentOf, type Page } from './page.ts';

/** Requests by programs, which have no language. */
export interface ProgramCall {
  params: Record<string, string>;
  /** Parameters of the address; of a name given twice the first counts. */
  query: Record<string, string>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface PageCall extends ProgramCall {
  language: Language;
  /** The fields of a form, trimmed; empty ones are left out. */
  form: Record<string, string>;
}

/** Redirect after a form by a GET, so that reloading sends nothing twice. */
export interface Redirect {
  redirectTo: string;
}

export interface PageSpec {
  method: 'GET' | 'POST';
  path: string;
  rate?: 'checkout' | 'sign-in';
  handle(call: PageCall): Promise<Page | Redirect | FastifyReply>;
  /** Answers a program that pays, in place of the page, also from a page of another site. */
  answerProgram?(call: ProgramCall): Promise<FastifyReply>;
}

const FORM_LIMIT_BYTES = 16 * 1024;

/** Pages have their own scope: they accept forms, and errors are rendered as pages. */
export function hostedPages(app: App, publicUrl: () => string, register: (scope: PageScope) => void): void {
  app.register(async (instance: FastifyInstance) => {
    instance.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    );
    instance.setErrorHandler(answerErrorPage);
    register({ instance: instance as App, publicUrl });
  });
}

function answerErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = noteError(error, request, reply);
  return sendPage(request, reply, errorPage(known, languageOf(request), request.id));
}

export interface PageScope {
  instance: App;
  publicUrl(): string;
}

/** One page, or one form's target. A form from another site is turned away before anything is read of it. */
export function pageRoute({ instance, publicUrl }: PageScope, spec: PageSpec): void {
  const { answerProgram } = spec;
  if (answerProgram && spec.method === 'GET') instance.options(spec.path, answerPreflight);
  instance.route({
    method: spec.method,
    url: spec.path,
    exposeHeadRoute: spec.method === 'GET',
    config: spec.rate ? { rate: spec.rate } : {},
    ...(answerProgram && {
      errorHandler: (error, request, reply) =>
        isProgram(request) ? refuseProgram(error, request, reply) : answerErrorPage(error, request, reply),
    }),
    ...(spec.method === 'POST' && {
      // A program's payment is its own, and nothing is written before it pays, so any site may send it.
      onRequest: async (request: FastifyRequest) => {
        if (!(answerProgram && isProgram(request))) requireOwnPage(request, publicUrl());
      },
    }),
    async handler(request, reply) {
      const asked: ProgramCall = {
        params: request.params as Record<string, string>,
        query: firstOfEach(request.query as Record<string, string | string[]>),
        request,
        reply,
      };
      if (answerProgram && isProgram(request)) return answerProgram(asked);
      const answer = await spec.handle({
        ...asked,
        language: languageOf(request),
        form: readForm(request.body),
      });
      // A reply is awaited until it has been sent, and leaves nothing to say.
      if (reply.sent) return reply;
      if ('redirectTo' in answer)
        return reply.code(303).headers(PAGE_HEADERS).redirect(answer.redirectTo, 303);
      if ('body' in answer && 'title' in answer) return sendPage(request, reply, answer);
      return answer;
    },
  });
}

/**
 * Browsers send the site a form was on. Our pages send no referrer, so the origin of their own forms is `null`; then
 * the browser's Sec-Fetch-Site decides.
 */
function requireOwnPage({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const isForeignSite = site !== undefined && site !== 'same-origin';
  if (isForeignSite || (origin !== 'null' && !isOwnOrigin(headers, publicUrl)))
    throw new AppError('FORBIDDEN', { message: 'This form was sent from another site.' });
}

/** Nothing from elsewhere and nothing inline: even text that slipped through unescaped could not run. */
const securityPolicy = (frameAncestors: string) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    // Wallets show themselves by an icon in a data: address.
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');

export const PAGE_HEADERS = {
  'Content-Security-Policy': securityPolicy("'none'"),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'Cache-Control': 'no-store',
} as const;

export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const address = new URL(request.url, 'http://page');
  return reply
    .code(page.status ?? 200)
    .headers({ ...headersFor(page, request), 'Content-Language': page.language })
    .type('text/html; charset=utf-8')
    .send(documentOf(page, address));
}

/**
 * Returns the headers of a page. When it fails, it is not always known which sites may embed it. A notice has nothing
 * to steal and nothing to trick anybody into, so a frame shows it; otherwise the browser would show an error of its
 * own there.
 */
function headersFor({ embed, isNotice, app }: Page, { headers }: FastifyRequest): Record<string, string> {
  if (app)
    return {
      ...PAGE_HEADERS,
      'Content-Security-Policy': `${PAGE_HEADERS['Content-Security-Policy']}; manifest-src 'self'`,
    };
  if (embed && embed.origins.length > 0) return framedIn(embed.origins.join(' '));
  return isNotice && headers['sec-fetch-dest'] === 'iframe' ? framedIn('*') : PAGE_HEADERS;
}

/** `X-Frame-Options` cannot name sites, so a page that may be embedded goes without it. */
function framedIn(frameAncestors: string): Record<string, string> {
  const { 'X-Frame-Options': _, ...headers } = PAGE_HEADERS;
  return { ...headers, 'Content-Security-Policy': securityPolicy(frameAncestors) };
}

function languageOf(request: FastifyRequest): Language {
  const { lang } = firstOfEach(request.query as Record<string, string | string[]>);
  return chooseLanguage(lang, request.headers['accept-language']);
}

function firstOfEach(query: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => [name, [value].flat()[0]!]));
}

function readForm(body: unknown): Record<string, string> {
  if (!(body instanceof URLSearchParams)) return {};
  const fields = [...body].map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}
