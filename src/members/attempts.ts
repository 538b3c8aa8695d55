import { hash } from 'node:crypto';
import type { Database, Queryable, Tx } from '../db/database.ts';
import { AppError } from '../lib/errors.ts';
import { networkOf } from '../limits/network-of.ts';
import {
  type AttemptRule,
  deleteAttempts,
  findBlockedUntil,
  insertAttempt,
  updateAttemptForgiven,
} from './attempt-queries.ts';

const HOUR = 3_600;
/** An account: a person who mistypes a few times never notices, a guesser gets some hundred tries a day. */
const ACCOUNT: AttemptRule = { free: 5, maxWaitSeconds: 900, forgetAfterSeconds: HOUR };
/** An address may be a whole office. */
const ADDRESS: AttemptRule = { free: 20, maxWaitSeconds: 900, forgetAfterSeconds: HOUR };

/** What is guessed at, and from where. Without an account it is a passkey, which cannot be guessed for long. */
export interface Guess {
  email?: string;
  address: string;
}

/**
 * Counts a proof before it is looked at, so that many at once are no way around the wait. An account that does not exist
 * is counted like any other. 429 while it must wait; that try does not count.
 */
export async function countAttempt(db: Database, guess: Guess, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    for (const [name, rule] of namesOf(guess)) {
      if (!(await insertAttempt(tx, name, rule, now))) throw await refusal(tx, name, now);
    }
  });
}

/** A right proof clears the account; of the address it takes back this one try. */
export async function forgiveAttempt(tx: Tx, guess: Guess, now: Date): Promise<void> {
  if (guess.email !== undefined) await deleteAttempts(tx, accountName(guess.email));
  await updateAttemptForgiven(tx, addressName(guess.address), now);
}

/** Always the account first: two who wait for each other would wait for ever. */
function namesOf({ email, address }: Guess): [string, AttemptRule][] {
  const byAddress: [string, AttemptRule] = [addressName(address), ADDRESS];
  return email === undefined ? [byAddress] : [[accountName(email), ACCOUNT], byAddress];
}

/** Hashed: whoever types a password into the wrong field shall not find it stored. */
function accountName(email: string): string {
  return `account:${hash('sha256', email, 'hex')}`;
}

function addressName(address: string): string {
  return `address:${networkOf(address)}`;
}

async function refusal(db: Queryable, name: string, now: Date): Promise<AppError> {
  const until = (await findBlockedUntil(db, name)) ?? now;
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  const message = `Too many failed attempts; try again in ${retryAfterSeconds} seconds.`;
  return new AppError('RATE_LIMITED', { retryAfterSeconds, message });
}
