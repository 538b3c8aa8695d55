import { networkOf, wideNetworkOf } from './network-of.ts';
import { type BucketRule, type LimitResult, TokenBuckets } from './token-buckets.ts';

/** How many clients' worth of tokens a wide network has: an office or a mobile provider, but not each of 65,536 networks. */
const CLIENTS_OF_WIDE = 4;

/** Tokens of strangers: each client has its own, and all clients of one wide network share a larger allowance. */
export class NetworkBuckets {
  readonly #own: TokenBuckets;
  readonly #wide: TokenBuckets;

  constructor({ perSecond, burst }: BucketRule, subject: string) {
    this.#own = new TokenBuckets({ perSecond, burst }, subject);
    const wide = { perSecond: perSecond * CLIENTS_OF_WIDE, burst: burst * CLIENTS_OF_WIDE };
    this.#wide = new TokenBuckets(wide, `${subject}, wide`);
  }

  take(ip: string, nowMs: number): LimitResult {
    const own = this.#own.take(networkOf(ip), nowMs);
    if (!own.allowed) return own;
    const wide = this.#wide.take(wideNetworkOf(ip), nowMs);
    return wide.allowed ? own : wide;
  }

  give(ip: string, nowMs: number): void {
    this.#own.give(networkOf(ip), nowMs);
    this.#wide.give(wideNetworkOf(ip), nowMs);
  }
}
