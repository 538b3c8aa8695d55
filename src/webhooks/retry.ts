import { hash } from 'node:crypto';
import { type DeliveryStatus, ORDERING_HOLD_MS, type Outcome } from './delivery.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay before each attempt; the first starts immediately. */
const DELAYS_MS = [
  0,
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  16 * HOUR,
  20 * HOUR,
  20 * HOUR,
];
export const MAX_ATTEMPTS = DELAYS_MS.length;

const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = HOUR;
const GONE = 410;

export interface RetryDecision {
  status: DeliveryStatus;
  error: string | null;
  nextAttemptAt: Date | null;
  /** Set by the first attempt if it failed. */
  holdsOrderUntil: Date | null;
}

/** Decides what follows from attempt `number` of a delivery that ended at `now`. */
export function decideRetry(deliveryId: string, number: number, outcome: Outcome, now: Date): RetryDecision {
  const { error, httpStatus, startedAt } = outcome;
  const over = { error, nextAttemptAt: null, holdsOrderUntil: null };
  if (error === null) return { ...over, status: 'succeeded' };
  if (httpStatus === GONE)
    return { ...over, status: 'failed', error: 'HTTP 410: the endpoint is gone permanently' };
  if (number >= MAX_ATTEMPTS)
    return { ...over, status: 'failed', error: `${error} (the last of ${MAX_ATTEMPTS} attempts)` };
  const delayMs = retryDelayMs(deliveryId, number + 1, outcome.retryAfterMs);
  return {
    ...over,
    status: 'retrying',
    nextAttemptAt: new Date(now.getTime() + delayMs),
    holdsOrderUntil: number === 1 ? new Date(startedAt.getTime() + ORDERING_HOLD_MS) : null,
  };
}

/** Milliseconds to wait before attempt `number`. The receiver can ask for more, up to an hour, but not for less. */
export function retryDelayMs(deliveryId: string, number: number, retryAfterMs: number | null): number {
  const planned = DELAYS_MS[number - 1]! * (1 + JITTER * spread(`${deliveryId}:${number}`));
  return Math.round(Math.max(planned, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}

/** From -1 to 1, always the same for one text, so that deliveries that failed together do not return together. */
function spread(text: string): number {
  return (hash('sha256', text, 'buffer').readUInt32BE() / 0xffffffff) * 2 - 1;
}

/** Seconds or an HTTP date; null for anything else. */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
