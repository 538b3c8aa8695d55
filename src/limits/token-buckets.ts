/** Tokens by name: each refills at a steady rate up to its burst. Idle names are forgotten. */
export interface BucketRule {
  perSecond: number;
  burst: number;
}

export interface Verdict {
  allowed: boolean;
  remaining: number;
  /** Seconds until one more token is there. */
  retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

const MAX_NAMES = 100_000;

export class TokenBuckets {
  readonly rule: BucketRule;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rule: BucketRule) {
    this.rule = rule;
  }

  take(name: string, nowMs: number): Verdict {
    const bucket = this.#refilled(name, nowMs);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    return this.#verdict(bucket, allowed);
  }

  /** Whether a token is there, without taking it. */
  peek(name: string, nowMs: number): Verdict {
    const bucket = this.#refilled(name, nowMs);
    return this.#verdict(bucket, bucket.tokens >= 1);
  }

  #refilled(name: string, nowMs: number): Bucket {
    const { perSecond, burst } = this.rule;
    const bucket = this.#buckets.get(name) ?? { tokens: burst, atMs: nowMs };
    // A host clock that jumps back must not drain anyone.
    const passedMs = Math.max(0, nowMs - bucket.atMs);
    bucket.tokens = Math.min(burst, bucket.tokens + (passedMs / 1000) * perSecond);
    bucket.atMs = nowMs;
    // Re-inserting keeps the map in order of last use, so the oldest name is the first to go.
    this.#buckets.delete(name);
    if (this.#buckets.size >= MAX_NAMES) this.#buckets.delete(this.#buckets.keys().next().value!);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #verdict({ tokens }: Bucket, allowed: boolean): Verdict {
    const missing = Math.max(0, 1 - tokens);
    return {
      allowed,
      remaining: Math.floor(tokens),
      retryAfterSeconds: Math.max(1, Math.ceil(missing / this.rule.perSecond)),
    };
  }
}
