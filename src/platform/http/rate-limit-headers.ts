import type { FastifyReply } from 'fastify';
import type { LimitState } from '../lib/errors.ts';

/** The header fields of draft-ietf-httpapi-ratelimit-headers-06. */
export function setLimitHeaders(reply: FastifyReply, { limit, remaining, resetSeconds }: LimitState): void {
  reply
    .header('ratelimit-limit', String(limit))
    .header('ratelimit-remaining', String(remaining))
    .header('ratelimit-reset', String(resetSeconds));
}

/** Header fields that openapi.json lists for answers with a Retry-After. */
export const RETRY_AFTER = { 'Retry-After': header('Seconds to wait, if waiting helps.') };

export const RATE_LIMIT_HEADERS = {
  ...RETRY_AFTER,
  'RateLimit-Limit': header('How many calls the limit allows.'),
  'RateLimit-Remaining': header('How many are left.'),
  'RateLimit-Reset': header('Seconds until the next call is accepted.'),
};

function header(description: string) {
  return { description, schema: { type: 'integer' } };
}
