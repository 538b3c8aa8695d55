import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../platform/db/database.ts';
import { elapsedMs, realNow } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { SecretBox } from '../platform/lib/secret-box.ts';
import { composeEmail } from './compose-email.ts';
import {
  type ClaimedEmail,
  decideRetry,
  isForOwners,
  LEASE_MS,
  type RetryDecision,
  STALE_CONFIRMATION_MS,
  STALE_MS,
  STALE_SIGN_IN_MS,
  TIMEOUT_MS,
} from './email.ts';
import { type Attachment, type Mailer, SendFailure } from './mailer.ts';
import { updateLeases, updateResult } from './queries.ts';

export interface MailParts {
  db: Database;
  mailer: Mailer;
  /** Opens the links that wait to be sent. */
  secrets: SecretBox;
  log: Logger;
  /** Our address as the world reaches us. */
  publicUrl(): string;
  /** Files that go along with an e-mail. */
  attach?(email: ClaimedEmail): Promise<Attachment[]>;
  /** Tests change it; everywhere else it is real time. */
  now?: () => Date;
}

const AT_ONCE = 16;
/** After this long an e-mail counts as stuck, and another takes its slot. */
const SLOW_MS = 2_000;
/** Including stuck ones: the most connections a mail server ever gets. */
const MAX_AT_ONCE = 64;
/** How soon an e-mail that is queued while others are being sent is found. */
const LOOK_MS = 250;

/**
 * Sends what is due, and returns how many e-mails it handled. Each belongs to one worker until its lease ends; if
 * that worker dies between sending and recording, another sends the e-mail again under the same Message-ID. Stuck
 * ones do not block the others: they free their slot, and their domain gets no more until they are done.
 */
export async function sendDueEmails(parts: MailParts, signal?: AbortSignal): Promise<number> {
  const now = parts.now ?? realNow;
  const underWay = new Set<Sending>();
  const failures: unknown[] = [];
  for (let handled = 0; ; ) {
    // A domain that was busy while these were claimed may have more: look once again.
    const wasHolding = underWay.size > 0;
    for (const email of await claimEmails(parts, underWay, now())) {
      const done = sendEmail(parts, email, now)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(sending));
      const sending: Sending = { domain: domainOf(email), sinceMs: elapsedMs(), done };
      underWay.add(sending);
      handled++;
    }
    const unfinished = [...underWay].map(({ done }) => done);
    const isDone = underWay.size === 0 && !wasHolding;
    if (isDone || failures.length > 0 || signal?.aborted) {
      await Promise.all(unfinished);
      if (failures.length > 0) throw failures[0];
      return handled;
    }
    await nextChange(unfinished);
  }
}

interface Sending {
  domain: string;
  sinceMs: number;
  done: Promise<void>;
}

/** Claims as many e-mails as there is room for. */
async function claimEmails(
  { db }: MailParts,
  underWay: ReadonlySet<Sending>,
  now: Date,
): Promise<ClaimedEmail[]> {
  const slow = [...underWay].filter(({ sinceMs }) => elapsedMs() - sinceMs > SLOW_MS);
  const room = Math.min(AT_ONCE - (underWay.size - slow.length), MAX_AT_ONCE - underWay.size);
  if (room <= 0) return [];
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const domains = new Set(slow.map(({ domain }) => domain));
  return updateLeases(db, room, { now, leaseUntil }, [...domains]);
}

function domainOf({ email }: ClaimedEmail): string {
  return email?.slice(email.lastIndexOf('@') + 1).toLowerCase() ?? '';
}

/** Until one is done, but no longer than until the next poll. */
async function nextChange(unfinished: readonly Promise<void>[]): Promise<void> {
  const waiting = new AbortController();
  const look = sleep(LOOK_MS, undefined, { signal: waiting.signal });
  await Promise.race([...unfinished, look]).finally(() => waiting.abort());
}

async function sendEmail(parts: MailParts, email: ClaimedEmail, now: () => Date): Promise<void> {
  // After a long pause of this process another worker may hold the e-mail already.
  if (now().getTime() > email.leaseUntil.getTime() - TIMEOUT_MS) return;
  const decision = giveUp(email, now()) ?? (await attempt(parts, email, now));
  const isTaken = await updateResult(parts.db, email, decision, now());
  if (!isTaken) parts.log.warn(nameOf(email), 'mail: result arrived after its lease ended');
}

/** The decision on an e-mail that should no longer be sent. */
function giveUp({ kind, email, createdAt, whyOutdated }: ClaimedEmail, now: Date): RetryDecision | undefined {
  const dead = (error: string): RetryDecision => ({ status: 'dead', error, nextAttemptAt: null });
  if (whyOutdated !== null) return dead(whyOutdated);
  if (email === null && isForOwners(kind)) return dead('the member is gone');
  if (email === null) return dead('the customer no longer has an e-mail address');
  const waitedMs = now.getTime() - createdAt.getTime();
  if (kind === 'portal_sign_in' && waitedMs > STALE_SIGN_IN_MS) return dead('its link no longer works');
  if ((kind === 'email_confirmation' || kind === 'trial_confirmation') && waitedMs > STALE_CONFIRMATION_MS)
    return dead('its link no longer works');
  if (waitedMs > STALE_MS) return dead('it waited for more than two days');
  return undefined;
}

async function attempt(parts: MailParts, email: ClaimedEmail, now: () => Date): Promise<RetryDecision> {
  const { mailer, secrets, log, publicUrl } = parts;
  try {
    const message = composeEmail(withLink(email, secrets), publicUrl());
    const attachments = (await parts.attach?.(email)) ?? [];
    await mailer.send({ ...message, attachments });
    return decideRetry(email.attempt, null, now());
  } catch (error) {
    const { message } = error as Error;
    const code = error instanceof SendFailure ? error.code : message;
    const decision = decideRetry(email.attempt, message.slice(0, 400), now());
    const fields = { ...nameOf(email), attempt: email.attempt, code };
    if (decision.status === 'dead') log.error(fields, 'mail: sending an e-mail failed; giving up');
    else log.warn(fields, 'mail: sending an e-mail failed; retrying');
    return decision;
  }
}

function withLink(email: ClaimedEmail, secrets: SecretBox): ClaimedEmail {
  if (email.sealedLink === null) return email;
  const url = secrets.open(email.sealedLink);
  return { ...email, facts: { ...email.facts, [nameOfLink(email)]: url } } as ClaimedEmail;
}

function nameOfLink({ kind }: ClaimedEmail): 'signInUrl' | 'confirmUrl' | 'startUrl' | 'claimUrl' {
  if (kind === 'portal_sign_in') return 'signInUrl';
  if (kind === 'trial_confirmation') return 'startUrl';
  return kind === 'email_confirmation' ? 'confirmUrl' : 'claimUrl';
}

function nameOf({ merchantId, id, kind }: ClaimedEmail) {
  return { merchantId, emailId: id, kind };
}
