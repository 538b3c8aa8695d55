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
  /** Per address and payment link. */
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
  '/api/dashboard/sign-in',
  '/api/dashboard/links/',
  '/checkout/',
  '/pay/',
  '/intents/',
  '/paywalls/',
  '/terminals/',
  '/refunds/',
  '/portal',
  '/brand/logos/',
];
/** A page makes several calls when it opens. */
const PUBLIC_BURST_SECONDS = 2;

function limitPublic(app: App, perSecond: number): void {
  const buckets = new TokenBuckets({ perSecond, burst: perSecond * PUBLIC_BURST_SECONDS });
  app.addHook('onRequest', (request, reply, done) => {
    // The route's own path, not the caller's spelling of it; a preflight is not counted.
    if (!isPublic(request) || request.method === 'OPTIONS') return done();
    const result = buckets.take(networkOf(request.ip), elapsedMs());
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

/** Confirming a link repeatedly creates sessions that are never paid, so each link allows a few per address. */
function limitCheckouts(app: App, perMinute: number): void {
  const buckets = new TokenBuckets({ perSecond: perMinute / 60, burst: perMinute });
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.rate !== 'checkout') return done();
    const { publicToken } = request.params as { publicToken: string };
    const result = buckets.take(`${networkOf(request.ip)} ${publicToken}`, elapsedMs());
    setLimitHeaders(reply, result);
    done(result.allowed ? undefined : refusal(result));
  });
}

function setLimitHeaders(reply: FastifyReply, result: LimitResult): void {
  reply.headers(rateLimitHeaders(result));
}
