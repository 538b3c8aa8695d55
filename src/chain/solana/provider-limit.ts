import { elapsedMs, HOUR_MS, realNow } from '../../platform/lib/clock.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_OWN_PAUSE_MS = 30_000;
/** A provider that names a longer time than this is asked again anyway: it may have meant something else. */
const MAX_PAUSE_MS = HOUR_MS;
/** In a long pause one call is tried so often: an hour for one header is long, if nobody else can be asked. */
const PROBE_EVERY_MS = 60_000;

/** For how long a provider wants a node to be left alone: what it said, or, where it said nothing, longer each time. */
export class ProviderLimit {
  #untilMs = 0;
  #refusals = 0;
  #refusedMs = Number.NEGATIVE_INFINITY;
  #triedMs = 0;

  leftMs(): number {
    return Math.max(0, this.#untilMs - elapsedMs());
  }

  /** True for one call a minute, which may find out that the pause is over. */
  takeProbe(): boolean {
    if (elapsedMs() - this.#triedMs < PROBE_EVERY_MS) return false;
    this.#triedMs = elapsedMs();
    return true;
  }

  /**
   * The node refused a call that was sent at `sentMs`; `retryAfter` is the header of that name. Calls that were under way
   * together are refused together: that is one refusal, and no reason for a longer pause.
   */
  noteRefusal(retryAfter: string | null, sentMs = elapsedMs()): void {
    const isOneMore = sentMs >= this.#refusedMs;
    if (isOneMore) this.#refusals++;
    const ownPauseMs = isOneMore ? Math.min(FIRST_PAUSE_MS * 2 ** (this.#refusals - 1), MAX_OWN_PAUSE_MS) : 0;
    const pauseMs = Math.min(pauseIn(retryAfter) ?? ownPauseMs, MAX_PAUSE_MS);
    this.#untilMs = Math.max(this.#untilMs, elapsedMs() + pauseMs);
    this.#refusedMs = elapsedMs();
    this.#triedMs = elapsedMs();
  }

  /** Only what was asked during the pause ends it: other answers may have been on their way already. */
  noteAnswer({ isProbe }: { isProbe: boolean }): void {
    this.#refusals = 0;
    if (isProbe) this.#untilMs = 0;
  }
}

/** Seconds or a date, as HTTP has it; undefined for neither. */
export function pauseIn(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const dateMs = Date.parse(retryAfter);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - realNow().getTime());
}
