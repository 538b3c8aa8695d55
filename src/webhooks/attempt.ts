import type { Mailer } from '../email/mailer.ts';
import { BoundedMap } from '../platform/lib/bounded-map.ts';
import { realNow } from '../platform/lib/clock.ts';
import type { SecretBox } from '../platform/lib/secret-box.ts';
import type { Claim, Outcome } from './delivery.ts';
import { createNotifier } from './notify.ts';
import { parseRetryAfter } from './retry.ts';
import type { Sender } from './send.ts';
import { signatureHeader, standardHeaders } from './sign.ts';

export interface AttemptParts {
  sender: Sender;
  secrets: SecretBox;
  /** The word in `X-<word>-Signature`. */
  headerName: string;
  userAgent: string;
  /** Absent where no mail server is set. */
  mailer?: Mailer | undefined;
  /** Our address as the world reaches us: notifications link to it. */
  publicUrl(): string;
}

/** Makes attempts: each goes to the URL, and carries the signatures, of its claim. Whatever happens is an outcome. */
export function createAttempter(parts: AttemptParts) {
  const { sender, headerName, userAgent } = parts;
  const open = remembering(parts.secrets);
  const notify = createNotifier({ ...parts, open });
  const same = ['content-type', 'application/json', 'user-agent', userAgent];

  return async function makeAttempt(claim: Claim): Promise<Outcome> {
    const startedAt = realNow();
    if (claim.url === null) return notSent(startedAt, whyNowhere(claim));
    if (claim.body === null) return notSent(startedAt, 'the event is no longer kept');
    if (claim.kind !== 'webhook')
      return notify({ ...claim, kind: claim.kind, url: claim.url, body: claim.body });
    const body = Buffer.from(claim.body);
    const keys = secretsOf(claim, startedAt, open);
    if (keys === undefined) return notSent(startedAt, 'the webhook secret cannot be read');
    const headers = [
      ...same,
      `X-${headerName}-Signature`,
      signatureHeader(keys, startedAt, body),
      `X-${headerName}-Idempotency-Key`,
      claim.leaseId,
      `X-${headerName}-Event-Id`,
      claim.eventId,
      `X-${headerName}-Attempt`,
      String(claim.number),
      ...standardHeaders(keys, claim.eventId, startedAt, body),
    ];
    const { retryAfter, ...result } = await sender.post({ url: claim.url, headers, body });
    return { ...result, startedAt, retryAfterMs: parseRetryAfter(retryAfter, realNow()) };
  };
}

function whyNowhere({ kind }: Claim): string {
  return kind === 'email' ? 'it is switched off, or the member is gone' : 'no webhook URL is set';
}

/** The secret in use, and the one before it while receivers are still changing over. */
function secretsOf(claim: Claim, now: Date, open: (sealed: Buffer) => string): string[] | undefined {
  const { secret, previousSecret, previousSecretUntil } = claim;
  const isOverlap = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now;
  try {
    return (isOverlap ? [secret, previousSecret] : [secret]).map(open);
  } catch {
    return undefined;
  }
}

export function notSent(startedAt: Date, error: string): Outcome {
  return { startedAt, durationMs: 0, httpStatus: null, error, responseBody: null, retryAfterMs: null };
}

const REMEMBERED = 1_000;

/** Opening a sealed secret costs more than signing with it, so the last ones are remembered. */
function remembering(secrets: SecretBox): (sealed: Buffer) => string {
  const known = new BoundedMap<string, string>(REMEMBERED);
  return (sealed) => known.getOrMake(sealed.toString('latin1'), () => secrets.open(sealed));
}
