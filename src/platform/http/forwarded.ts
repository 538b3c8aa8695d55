import type { FastifyRequest } from 'fastify';
import type { App } from './route.ts';

/** Header fields that only a proxy adds. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
];

/** True if the request came through a proxy, as far as its headers say. */
export function isForwarded({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined);
}

/**
 * Warns once when a proxy in front is not trusted: its clients then share one address, and with it every limit per
 * address.
 */
export function warnOfUntrustedProxy(app: App): void {
  let hasWarned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasWarned && isForwarded(request) && request.ip === request.socket.remoteAddress) {
      hasWarned = true;
      request.log.warn(
        { address: request.ip },
        'requests come through a proxy that is not in TRUST_PROXY, so all its clients share one rate limit; set TRUST_PROXY to its address and make it send X-Forwarded-For',
      );
    }
    done();
  });
}
