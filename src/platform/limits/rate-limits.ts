import type { FastifyReply, FastifyRequest } from 'fastify';
import '../access/keyed-route.ts';
import { rateLimitHeaders } from '../http/rate-limit-headers.ts';
import type { App, Rate } from '../http/route.ts';
import { elapsedMs } from '../lib/clock.ts';
import { networkOf } from './network-of.ts';
import { type BucketRule, type LimitResult, refusal, TokenBuckets } from './token-buckets.ts';

export interface RateLimits {
  /** 0 switches a limit off. */
  keyPerSecond: number;
  keyBurst: number;
  /** For recording usage, instead of the key's. */
  usagePerSecond: number;
  failedAuthPerMinute: number;
  publicPerSecond: number;
  /** Per address and payment link, and for portal links per address and project. */
  checkoutPerMinute: number;
}

/** Limits calls per key and per address: wrong keys, to prevent guessing in bulk, and calls without one. */
export function rateLimits(app: App, limits: RateLimits): void {
  const { keyPerSecond, keyBurst, usagePerSecond } = limits;
  if (keyPerSecond > 0) limitKeys(app, undefined, { perSecond: keyPerSecond, burst: Math.max(keyBurst, 1) });
  if (usagePerSecond > 0) limitKeys(app, 'usage', { perSecond: usagePerSecond, burst: usagePerSecond });
  if (limits.failedAuthPerMinute > 0) limitFailedAuth(app, limits.failedAuthPerMinute);
  if (limits.publicPerSecond > 0) limitPublic(app, limits.publicPerSecond);
  if (limits.checkoutPerMinute > 0) limitCheckouts(app, limits.checkoutPerMinute);
}

/** Counts the calls of each key, and of each member's session, to the routes that have this rate. */
function limitKeys(app: App, rate: Rate | undefined, rule: BucketRule): void {
  const buckets = new TokenBuckets(rule);
  // preParsing runs after every onRequest hook: the key is known, the body is still unread.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!request.principal || request.routeOptions.config.rate !== rate) return done();
    const result = buckets.take(request.principal.callerId, elapsedMs());
    setLimitHeaders(reply, result);
    done(result.allowed ? null : refusal(result));
  });
}

/** Only failures are counted and refused: a valid key passes, however many wrong ones its address has sent. */
function limitFailedAuth(app: App, perMinute: number): void {
  const buckets = new TokenBuckets({ perSecond: perMinute / 60, burst: perMinute });
  app.decorate('countFailedAuth', (request, reply) => {
    const result = buckets.take(networkOf(request.ip), elapsedMs());
    setLimitHeaders(reply, result);
    return result.allowed ? undefined : refusal(result);
  });
}

/** Paths that are called without a key: public ones, the portal's, and signing in. */
const PUBLIC = [
  '/api/public/',
  '/api/portal/',
  '/api/till',
  '/till',
  '/api/dashboard/sign-in',
  '/api/dashboard/links/',
  '/checkout/',
  '/pay/',
  '/intents/',
  '/paywalls/',
  '/terminals/',
  '/refunds/',
  '/portal',
];
/** A page makes several calls when it opens. */
const PUBLIC_BURST_SECONDS = 2;

/** Counted apart: a page can show an image of everything on it, and browsers keep those. */
const IMAGES = '/brand/logos/';
const IMAGES_PER_CALL = 20;

function limitPublic(app: App, perSecond: number): void {
  const rule = { perSecond, burst: perSecond * PUBLIC_BURST_SECONDS };
  const calls = new TokenBuckets(rule);
  const images = new TokenBuckets({
    perSecond: rule.perSecond * IMAGES_PER_CALL,
    burst: rule.burst * IMAGES_PER_CALL,
  });
  app.addHook('onRequest', (request, reply, done) => {
    // The route's own path, not the caller's spelling of it; a preflight is not counted.
    const isImage = request.routeOptions.url?.startsWith(IMAGES);
    if (!(isImage || isPublic(request)) || request.method === 'OPTIONS') return done();
    const result = (isImage ? images : calls).take(networkOf(request.ip), elapsedMs());
    setLimitHeaders(reply, result);
    done(result.allowed ? undefined : refusal(result));
  });
}

function isPublic({ routeOptions, params }: FastifyRequest): boolean {
  const { url, config } = routeOptions;
  return (
    (PUBLIC.some((path) => url?.startsWith(path)) || config.keyless?.(params as Record<string, string>)) ??
    false
  );
}

/**
 * Confirming a link repeatedly creates sessions that are never paid, and asking for portal links fills mailboxes, so each
 * payment link and each project's sign-in page allow a few per address.
 */
function limitCheckouts(app: App, perMinute: number): void {
  const buckets = new TokenBuckets({ perSecond: perMinute / 60, burst: perMinute });
  app.addHook('onRequest', (request, reply, done) => {
    const { rate } = request.routeOptions.config;
    if (rate !== 'checkout' && rate !== 'sign-in') return done();
    const { publicToken, projectId } = request.params as Record<string, string>;
    const result = buckets.take(`${networkOf(request.ip)} ${publicToken ?? projectId}`, elapsedMs());
    setLimitHeaders(reply, result);
    done(result.allowed ? undefined : refusal(result));
  });
}

function setLimitHeaders(reply: FastifyReply, result: LimitResult): void {
  reply.headers(rateLimitHeaders(result));
}
