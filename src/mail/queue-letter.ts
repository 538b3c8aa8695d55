import type { Tx } from '../db/database.ts';
import { realNow } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { DelayFacts, NewLetter, PayoutFacts, WebhookFacts } from './letter.ts';
import { insertLetters, insertOwnerLetters } from './queries.ts';

/** Whether this process writes letters. Decided once, by its settings, before it does anything else. */
let isOn = false;

export function setLetterWriting(on: boolean): void {
  isOn = on;
}

/**
 * Writes a letter in the transaction that makes it true: once, however often that happens, and only to a customer
 * with an e-mail address. Without a mail server it does nothing at all.
 */
export async function queueLetter(tx: Tx, letter: () => NewLetter): Promise<void> {
  if (!isOn) return;
  // Mail servers live in real time, whatever the sandbox's clock says.
  const now = realNow();
  await insertLetters(tx, [{ ...letter(), id: newId(now) }], now);
}

/** The same for many at once. */
export async function queueLetters(tx: Tx, letters: () => NewLetter[]): Promise<void> {
  if (!isOn) return;
  const now = realNow();
  const rows = letters().map((letter) => ({ ...letter, id: newId(now) }));
  if (rows.length > 0) await insertLetters(tx, rows, now);
}

/** Tells every owner, in the transaction that makes it true, that money will arrive somewhere else. */
export async function queuePayoutLetters(tx: Tx, merchantId: string, facts: PayoutFacts): Promise<void> {
  if (isOn) await insertOwnerLetters(tx, merchantId, { kind: 'payout_address_changed', facts }, realNow());
}

/** The same when such changes are to wait for a shorter time. */
export async function queueDelayLetters(tx: Tx, merchantId: string, facts: DelayFacts): Promise<void> {
  if (isOn) await insertOwnerLetters(tx, merchantId, { kind: 'payout_delay_changed', facts }, realNow());
}

/** The same when events, with what they say of customers, will go to another server. */
export async function queueWebhookLetters(tx: Tx, merchantId: string, facts: WebhookFacts): Promise<void> {
  if (isOn) await insertOwnerLetters(tx, merchantId, { kind: 'webhook_url_changed', facts }, realNow());
}
