import { hash } from 'node:crypto';
import type { Database, Queryable, Tx } from '../../platform/db/database.ts';
import { type AppError, limitReached } from '../../platform/lib/errors.ts';
import { Turnstile } from '../../platform/lib/turnstile.ts';
import { networkOf, wideNetworkOf } from '../../platform/limits/network-of.ts';
import {
  type AttemptRule,
  deleteAttempts,
  findBlockedUntil,
  insertAttempt,
  updateAttemptForgiven,
} from './attempt-queries.ts';

const HOUR = 3_600;
/** A person who mistypes a few times never notices; an attacker gets about a hundred attempts a day. */
const PERSON: AttemptRule = { free: 5, maxWaitSeconds: 900, forgetAfterSeconds: HOUR };
/** A network can be a whole office. */
const NETWORK: AttemptRule = { free: 20, maxWaitSeconds: 900, forgetAfterSeconds: HOUR };
/**
 * One account, across all networks. The wait stays short, because an attacker guessing from many networks can
 * impose it on the owner in a new browser.
 */
const EVERYWHERE: AttemptRule = { free: 20, maxWaitSeconds: 60, forgetAfterSeconds: HOUR };

/**
 * The place from which a password is tried. A browser in which the member has signed in before, and a session that is
 * open, count for themselves: failures of strangers do not slow them down.
 */
export type Attempt =
  | { from: 'known-device'; email: string; deviceHash: string }
  | { from: 'stranger'; email: string; address: string }
  | { from: 'session'; sessionId: string };

/** Passwords of strangers that are tried at once: each takes a core for a while, and counting it may wait for a row. */
const STRANGERS = new Turnstile({ atOnce: 2, atOnceOf: 1, waiting: 1_000, waitingOf: 20 });
/** People who have been here before wait for no stranger. */
const KNOWN = new Turnstile({ atOnce: 2, atOnceOf: 1, waiting: 1_000, waitingOf: 20 });

/** Tries a password when it is its turn: what one network asks for makes nobody else wait for more than a moment. */
export function inTurn<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
  if (attempt.from === 'stranger') return STRANGERS.run(wideNetworkOf(attempt.address), work);
  return KNOWN.run(attempt.from === 'session' ? attempt.sessionId : attempt.deviceHash, work);
}

/**
 * Counts a password before it is checked, so that concurrent attempts cannot bypass the wait. Unknown accounts are
 * counted like any other. 429 while it must wait; that attempt does not count.
 */
export async function countAttempt(db: Database, attempt: Attempt, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { name, rule } of countersOf(attempt)) {
      if (!(await insertAttempt(tx, name, rule, now))) throw await refusal(tx, { name, rule, now, attempt });
    }
  });
}

/** A correct password clears the counters of one person; on shared counters it only undoes this attempt. */
export async function forgiveAttempt(tx: Tx, attempt: Attempt, now: Date): Promise<void> {
  for (const { name, rule } of countersOf(attempt)) {
    if (rule === PERSON) await deleteAttempts(tx, name);
    else await updateAttemptForgiven(tx, name, now);
  }
}

/** Always in the same order, to avoid deadlocks. */
function countersOf(attempt: Attempt): { name: string; rule: AttemptRule }[] {
  if (attempt.from === 'session') return [{ name: `session:${attempt.sessionId}`, rule: PERSON }];
  const account = hashed(attempt.email);
  if (attempt.from === 'known-device')
    return [{ name: `device:${attempt.deviceHash}:${account}`, rule: PERSON }];
  const network = networkOf(attempt.address);
  return [
    { name: `account:${account}`, rule: EVERYWHERE },
    { name: `account:${account}:${network}`, rule: PERSON },
    { name: `address:${network}`, rule: NETWORK },
  ];
}

/** A password that was typed into the wrong field must not be stored. */
function hashed(email: string): string {
  return hash('sha256', email, 'hex');
}

/** Says the same of every address: which of these ways a member has is nobody else's business. */
const OTHER_WAYS =
  'A passkey, a browser that you have signed in with before, and a link from an owner or the server’s admin still work.';

async function refusal(
  db: Queryable,
  { name, rule, now, attempt }: { name: string; rule: AttemptRule; now: Date; attempt: Attempt },
): Promise<AppError> {
  const until = (await findBlockedUntil(db, name)) ?? now;
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  const message = `Too many failed attempts; try again in ${retryAfterSeconds} seconds.`;
  const told = attempt.from === 'stranger' ? `${message} ${OTHER_WAYS}` : message;
  return limitReached(rule.free, retryAfterSeconds, told);
}
