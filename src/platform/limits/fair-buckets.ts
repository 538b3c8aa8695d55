import { type BucketRule, type LimitResult, TokenBuckets } from './token-buckets.ts';

/**
 * Tokens by name that many share, with as many again for newcomers. Those who have asked a lot lately use up only what
 * is for everybody; somebody who asks for the first time in a while still has their turn.
 */
export class FairBuckets {
  readonly #common: TokenBuckets;
  readonly #reserve: TokenBuckets;

  constructor(rule: BucketRule, subject: string) {
    this.#common = new TokenBuckets(rule, subject);
    this.#reserve = new TokenBuckets(rule, `${subject}, reserve`);
  }

  take(name: string, nowMs: number, isNewcomer: boolean): LimitResult {
    const common = this.#common.take(name, nowMs);
    return common.allowed || !isNewcomer ? common : this.#reserve.take(name, nowMs);
  }
}
