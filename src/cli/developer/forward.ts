import { randomUUID } from 'node:crypto';
import { elapsedMs, realNow } from '../../platform/lib/clock.ts';
import { signatureHeader, standardHeaders } from '../../webhooks/sign.ts';
import { reasonOf } from './client.ts';
import { type PulledEvent, pause } from './follow-events.ts';

export interface Forwarding {
  url: string;
  secret: string;
  /** The word in `X-<word>-Signature`. */
  headerName: string;
  signal: AbortSignal;
}

export interface Forwarded {
  httpStatus: number | undefined;
  error: string | undefined;
  durationMs: number;
}

/** A receiver that is just being restarted is waited for: nothing was sent, so nothing is sent twice. */
const WAITS_MS = [200, 400, 800, 1_600, 3_200];
const TIMEOUT_MS = 30_000;

/** Posts an event as the server would, with the same headers, signed with the local secret. */
export async function forward(event: PulledEvent, forwarding: Forwarding): Promise<Forwarded> {
  for (let attempt = 1; ; attempt++) {
    const result = await post(event, forwarding, attempt);
    const waitMs = WAITS_MS[attempt - 1];
    if (result.error !== 'connection refused' || waitMs === undefined || forwarding.signal.aborted)
      return result;
    await pause(waitMs, forwarding.signal);
  }
}

async function post(
  event: PulledEvent,
  { url, secret, headerName }: Forwarding,
  attempt: number,
): Promise<Forwarded> {
  const body = Buffer.from(event.body);
  const now = realNow();
  const headers = new Headers({
    'content-type': 'application/json',
    'user-agent': 'florin-cli',
    [`X-${headerName}-Signature`]: signatureHeader([secret], now, body),
    [`X-${headerName}-Idempotency-Key`]: randomUUID(),
    [`X-${headerName}-Event-Id`]: event.id,
    [`X-${headerName}-Attempt`]: String(attempt),
  });
  const standard = standardHeaders([secret], event.id, now, body);
  for (let at = 0; at < standard.length; at += 2) headers.set(standard[at]!, standard[at + 1]!);
  const startedMs = elapsedMs();
  const duration = () => Math.round(elapsedMs() - startedMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return { httpStatus: response.status, error: undefined, durationMs: duration() };
  } catch (error) {
    return { httpStatus: undefined, error: reasonOf(error), durationMs: duration() };
  }
}
