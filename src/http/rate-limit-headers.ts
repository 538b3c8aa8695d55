import type { LimitState } from '../lib/errors.ts';

/** The header fields of draft-ietf-httpapi-ratelimit-headers-06. */
export function rateLimitHeaders({ limit, remaining, resetSeconds }: LimitState): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}
