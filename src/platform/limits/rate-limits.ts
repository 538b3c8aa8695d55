import type { onRequestHookHandler, preParsingHookHandler, RouteOptions } from 'fastify';
import '../access/keyed-route.ts';
import { setLimitHeaders } from '../http/rate-limit-headers.ts';
import type { App, Rate } from '../http/route.ts';
import { elapsedMs } from '../lib/clock.ts';
import { networkOf } from './network-of.ts';
import { type BucketRule, refusal, TokenBuckets } from './token-buckets.ts';

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

/**
 * Limits calls per key and per address: wrong keys, to prevent guessing in bulk, and calls without one. Which limits
 * a route has is decided when it is registered, so call it before that.
 */
export function rateLimits(app: App, limits: RateLimits): void {
  const { keyPerSecond, keyBurst, usagePerSecond } = limits;
  if (keyPerSecond > 0) limitKeys(app, undefined, { perSecond: keyPerSecond, burst: Math.max(keyBurst, 1) });
  if (usagePerSecond > 0) limitKeys(app, 'usage', { perSecond: usagePerSecond, burst: usagePerSecond });
  if (limits.failedAuthPerMinute > 0) limitFailedAuth(app, limits.failedAuthPerMinute);
  // The one that comes last is asked first.
  if (limits.checkoutPerMinute > 0) limitCheckouts(app, limits.checkoutPerMinute);
  if (limits.publicPerSecond > 0) limitPublic(app, limits.publicPerSecond);
}

/** Counts the calls of each key, and of each member's session, to the routes that have this rate. */
function limitKeys(app: App, rate: Rate | undefined, rule: BucketRule): void {
  const buckets = new TokenBuckets(rule, rate ?? 'keys');
  const limit: preParsingHookHandler = (request, reply, _payload, done) => {
    if (!request.principal) return done();
    const result = buckets.take(request.principal.callerId, elapsedMs());
    setLimitHeaders(reply, result);
    done(result.allowed ? null : refusal(result));
  };
  app.addHook('onRoute', (route) => {
    if (route.config?.rate !== rate) return;
    // preParsing runs after every onRequest hook: the key is known, the body is still unread.
    route.preParsing = [limit, route.preParsing ?? []].flat();
  });
}

/** Only failures are counted and refused: a valid key passes, however many wrong ones its address has sent. */
function limitFailedAuth(app: App, perMinute: number): void {
  const buckets = new TokenBuckets({ perSecond: perMinute / 60, burst: perMinute }, 'wrong keys');
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

/** Counted apart too: a PDF takes the processor as long as many pages. */
const PRINTS = /[./]pdf$/;
const CALLS_PER_PRINT = 10;

function limitPublic(app: App, perSecond: number): void {
  const rule = { perSecond, burst: perSecond * PUBLIC_BURST_SECONDS };
  const calls = new TokenBuckets(rule, 'public calls');
  const ofPrints = { perSecond: perSecond / CALLS_PER_PRINT, burst: Math.max(5, perSecond) };
  const ofImages = { perSecond: rule.perSecond * IMAGES_PER_CALL, burst: rule.burst * IMAGES_PER_CALL };
  const prints = new TokenBuckets(ofPrints, 'prints');
  const images = new TokenBuckets(ofImages, 'images');
  app.addHook('onRoute', (route) => {
    const { keyless } = route.config ?? {};
    const isImage = route.url.startsWith(IMAGES);
    const isPublic = isImage || PUBLIC.some((path) => route.url.startsWith(path));
    const isPrint = PRINTS.test(route.url);
    const buckets = isImage ? images : isPrint ? prints : calls;
    if (isPublic || keyless)
      beforeOthers(route, (request, reply, done) => {
        // A preflight is not counted.
        const isCounted = isPublic || keyless?.(request.params as Record<string, string>);
        if (!isCounted || request.method === 'OPTIONS') return done();
        const result = buckets.take(networkOf(request.ip), elapsedMs());
        setLimitHeaders(reply, result);
        done(result.allowed ? undefined : refusal(result));
      });
  });
}

/**
 * Confirming a link repeatedly creates sessions that are never paid, and asking for portal links fills mailboxes, so each
 * payment link and each project's sign-in page allow a few per address.
 */
function limitCheckouts(app: App, perMinute: number): void {
  const buckets = new TokenBuckets({ perSecond: perMinute / 60, burst: perMinute }, 'checkouts');
  app.addHook('onRoute', (route) => {
    const rate = route.config?.rate;
    if (rate === 'checkout' || rate === 'sign-in')
      beforeOthers(route, (request, reply, done) => {
        const { publicToken, projectId } = request.params as Record<string, string>;
        const result = buckets.take(`${networkOf(request.ip)} ${publicToken ?? projectId}`, elapsedMs());
        setLimitHeaders(reply, result);
        done(result.allowed ? undefined : refusal(result));
      });
  });
}

/** Before the route itself looks at the caller. */
function beforeOthers(route: RouteOptions, limit: onRequestHookHandler): void {
  route.onRequest = [limit, route.onRequest ?? []].flat();
}
