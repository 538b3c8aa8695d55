import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';

/** Payments by which the next one's time is expected, at least and at most. */
const LEAST_KNOWN = 3;
const MOST_KNOWN = 8;
/** Share of the shortest time after which asking begins: one that is final by then shows that it may be shorter still. */
const SHARE = 0.9;
/** A network that stood still must not have later payments wait for long. */
const MOST_MS = 11_000;
/** A payment that was not final so shortly before has just become it; otherwise its time is only known to be no longer. */
const EXACT_MS = 2_000;
const MAX_FOLLOWED = 10_000;

/**
 * How long payments take from being seen to being final, as the last ones did: until shortly before nobody need ask. Learned,
 * because the network's pace changes.
 */
export class FinalityTimes {
  readonly #nowMs: () => number;
  /** Time of the last answer that said that it is not final. */
  readonly #notFinalMs = new BoundedMap<string, number>(MAX_FOLLOWED);
  #lastMs: number[] = [];

  constructor(nowMs = elapsedMs) {
    this.#nowMs = nowMs;
  }

  /** A node was asked about a payment that was seen so long ago. */
  note(payment: string, { sinceSeenMs, isFinal }: { sinceSeenMs: number; isFinal: boolean }): void {
    if (!isFinal) {
      this.#notFinalMs.renew(payment, this.#nowMs());
      return;
    }
    const notFinalMs = this.#notFinalMs.get(payment) ?? Number.NEGATIVE_INFINITY;
    const isExact = this.#nowMs() - notFinalMs <= EXACT_MS;
    const isShorter = this.#lastMs.length > 0 && sinceSeenMs < Math.min(...this.#lastMs);
    if (isExact || isShorter)
      this.#lastMs = [...this.#lastMs.slice(1 - MOST_KNOWN), Math.max(0, sinceSeenMs)];
  }

  /** Time for which a payment that was just seen need not be asked about; 0 until enough are known. */
  waitMs(): number {
    if (this.#lastMs.length < LEAST_KNOWN) return 0;
    return Math.min(SHARE * Math.min(...this.#lastMs), MOST_MS);
  }
}
