import { BoundedMap } from '../lib/bounded-map.ts';
import { elapsedMs } from '../lib/clock.ts';
import { shareWithPeers } from '../lib/peers.ts';
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
  readonly #wide: TokenBuckets;
  readonly #tell: (network: string) => void;

  /** All processes of a service give the same subject to the same newcomers. */
  constructor(subject: string) {
    this.#wide = new TokenBuckets(OF_WIDE, `newcomers ${subject}`);
    this.#tell = shareWithPeers<string>(`newcomers ${subject}`, (network) =>
      this.#count(network, elapsedMs()),
    );
  }

  /** Counts this call. */
  isNew(ip: string, nowMs: number): boolean {
    const name = networkOf(ip);
    const calls = this.#count(name, nowMs);
    this.#tell(name);
    return calls <= CALLS && this.#wide.take(wideNetworkOf(ip), nowMs).allowed;
  }
  #count(network: string, nowMs: number): number {
    const known = this.#seen.get(network);
    const calls = known && nowMs - known.atMs < SILENT_MS ? known.calls + 1 : 1;
    this.#seen.renew(network, { calls, atMs: nowMs });
    return calls;
  }
}
