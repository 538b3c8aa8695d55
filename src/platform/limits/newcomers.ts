import { BoundedMap } from '../lib/bounded-map.ts';
import { networkOf, wideNetworkOf } from './network-of.ts';
import { TokenBuckets } from './token-buckets.ts';

/** A page asks once or twice for a payment, and a person presses again. */
const CALLS = 3;
/** Somebody who was silent for so long is new again. */
const SILENT_MS = 60_000;
const MAX_NETWORKS = 100_000;
/** Many people may be behind one wide network, but it is not a new crowd each second. */
const OF_WIDE = { perSecond: 0.5, burst: 30 };

interface Seen {
  calls: number;
  atMs: number;
}

/**
 * Knows who asks for the first time in a while: the first few calls of a client that has not been seen for a minute. Asking
 * slowly all the time makes nobody new, and the networks of one wide network are not all new at once.
 */
export class Newcomers {
  readonly #seen = new BoundedMap<string, Seen>(MAX_NETWORKS);
  readonly #wide = new TokenBuckets(OF_WIDE);

  /** Counts this call. */
  isNew(ip: string, nowMs: number): boolean {
    const name = networkOf(ip);
    const known = this.#seen.get(name);
    const calls = known && nowMs - known.atMs < SILENT_MS ? known.calls + 1 : 1;
    this.#seen.renew(name, { calls, atMs: nowMs });
    return calls <= CALLS && this.#wide.take(wideNetworkOf(ip), nowMs).allowed;
  }
}
