import { limitReached } from '../lib/errors.ts';
import { HeldCounts } from './held-counts.ts';
import { networkOf, wideNetworkOf } from './network-of.ts';

/** Requests held open for one client, and for all of its wide network. */
const OF_CLIENT = 40;
const OF_WIDE = 160;
const RETRY_SECONDS = 2;

/** Requests that are not answered yet, by who has sent them. */
export class InFlight {
  readonly #held = new HeldCounts('requests in flight');

  /** Throws where a client has too many already. */
  async run<Result>(ip: string, work: () => Promise<Result>): Promise<Result> {
    const limits = [
      [networkOf(ip), OF_CLIENT],
      [`wide ${wideNetworkOf(ip)}`, OF_WIDE],
    ] as const;
    for (const [name, limit] of limits)
      if (this.#held.of(name) >= limit) throw limitReached(limit, RETRY_SECONDS);
    for (const [name] of limits) this.#held.add(name, 1);
    try {
      return await work();
    } finally {
      for (const [name] of limits) this.#held.add(name, -1);
    }
  }
}
