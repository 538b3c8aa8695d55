import { BoundedMap } from '../lib/bounded-map.ts';
import { elapsedMs } from '../lib/clock.ts';
import { type AppError, type LimitState, limitReached } from '../lib/errors.ts';
import { shareWithPeers } from '../lib/peers.ts';

/** Tokens by name: each refills at a steady rate up to its burst. Idle names are forgotten. */
export interface BucketRule {
  perSecond: number;
  burst: number;
}

export interface LimitResult extends LimitState {
  allowed: boolean;
  limit: number;
  /** Seconds until one more token is there. */
  retryAfterSeconds: number;
  /** Seconds until the bucket is full; for a refusal, until the next token, as in Retry-After. */
  resetSeconds: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

const MAX_NAMES = 100_000;

/**
 * Buckets of one process, which tells the others what it gives away: one that has given too much, because it had not heard of them
 * yet, gives less until that is made up for.
 */
export class TokenBuckets {
  readonly #rule: BucketRule;
  readonly #buckets = new BoundedMap<string, Bucket>(MAX_NAMES);
  readonly #tell: (taken: readonly [name: string, tokens: number]) => void;

  /** All processes of a service give the same subject to the same buckets. */
  constructor(rule: BucketRule, subject: string) {
    this.#rule = rule;
    this.#tell = shareWithPeers<readonly [string, number]>(`buckets ${subject}`, ([name, tokens]) =>
      this.#takeElsewhere(name, tokens),
    );
  }

  take(name: string, nowMs: number): LimitResult {
    const bucket = this.#refilled(name, nowMs);
    const allowed = bucket.tokens >= 1;
    if (allowed) {
      bucket.tokens -= 1;
      this.#tell([name, 1]);
    }
    return this.#result(bucket, allowed);
  }

  /** Puts back what was taken, for something that turned out to be no reason to count. */
  give(name: string, nowMs: number): void {
    const bucket = this.#refilled(name, nowMs);
    bucket.tokens = Math.min(this.#rule.burst, bucket.tokens + 1);
    this.#tell([name, -1]);
  }

  #takeElsewhere(name: string, tokens: number): void {
    const bucket = this.#refilled(name, elapsedMs());
    bucket.tokens = Math.min(this.#rule.burst, bucket.tokens - tokens);
  }

  #refilled(name: string, nowMs: number): Bucket {
    const { perSecond, burst } = this.#rule;
    const bucket = this.#buckets.get(name) ?? { tokens: burst, atMs: nowMs };
    // A host clock that jumps back must not drain anyone.
    const passedMs = Math.max(0, nowMs - bucket.atMs);
    bucket.tokens = Math.min(burst, bucket.tokens + (passedMs / 1000) * perSecond);
    bucket.atMs = nowMs;
    this.#buckets.renew(name, bucket);
    return bucket;
  }

  #result({ tokens }: Bucket, allowed: boolean): LimitResult {
    const { burst } = this.#rule;
    const retryAfterSeconds = this.#secondsUntil(1, tokens);
    return {
      allowed,
      limit: burst,
      remaining: Math.max(0, Math.floor(tokens)),
      retryAfterSeconds,
      resetSeconds: allowed ? this.#secondsUntil(burst, tokens) : retryAfterSeconds,
    };
  }

  /** Whole seconds, and at least one: a caller that waits them finds the tokens there. */
  #secondsUntil(wanted: number, tokens: number): number {
    return Math.max(1, Math.ceil((wanted - tokens) / this.#rule.perSecond));
  }
}

export function refusal({ limit, retryAfterSeconds }: LimitResult): AppError {
  return limitReached(limit, retryAfterSeconds);
}
