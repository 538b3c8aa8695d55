import type { Tx } from '../platform/db/database.ts';
import { realNow } from '../platform/lib/clock.ts';
import { newId } from '../platform/lib/ids.ts';
import type {
  DelayFacts,
  NewEmail,
  NewPlanEmail,
  NewRefundEmail,
  PayoutFacts,
  SecretFacts,
  SponsorFacts,
  WebhookFacts,
} from './email.ts';
import { emails } from './emails.ts';
import type { NewAddressEmail, NewSignInEmail } from './portal-email.ts';
import {
  type CustomerEmail,
  insertCustomerEmails,
  insertOwnerEmails,
  updateUnopened,
  updateWithdrawn,
} from './queries.ts';

/**
 * Writes e-mails in the transaction that makes them true: each once, however often that happens, and only to customers
 * with an e-mail address. Without a mail server it does nothing at all.
 */
export async function queueEmails(tx: Tx, list: () => NewEmail[]): Promise<void> {
  if (tx.queuesEmails) await insert(tx, list());
}

/** The same of a refund, once of each kind. Answers whether there is somebody to write to. */
export async function queueRefundEmail(tx: Tx, email: NewRefundEmail): Promise<boolean> {
  return tx.queuesEmails && (await insert(tx, [email])) > 0;
}

/** The same of a subscription, once for each change of it. */
export async function queuePlanEmail(tx: Tx, email: NewPlanEmail): Promise<void> {
  if (tx.queuesEmails) await insert(tx, [email]);
}

/** The same with a link into the customer's portal. */
export async function queueSignInEmail(tx: Tx, email: NewSignInEmail): Promise<void> {
  if (tx.queuesEmails) await insert(tx, [email]);
}

async function insert(tx: Tx, list: readonly CustomerEmail[]): Promise<number> {
  if (list.length === 0) return 0;
  // Mail servers use real time, whatever the sandbox's clock says.
  const now = realNow();
  const rows = list.map((email) => ({ ...email, id: newId(now) }));
  return insertCustomerEmails(tx, rows, now);
}

/** The same to the mailboxes between which a customer's address changes, whatever it is when they are sent. */
export async function queueAddressEmails(tx: Tx, list: readonly NewAddressEmail[]): Promise<void> {
  if (!tx.queuesEmails) return;
  const now = realNow();
  const times = { nextAttemptAt: now, createdAt: now };
  await emails.insert(
    tx,
    list.map((email) => ({ ...email, id: newId(now), number: 1, ...times })),
  );
}

/** Its link opens nothing any more, because there is a newer one: it is not sent, unless that is under way already. */
export async function withdrawClaimEmail(tx: Tx, merchantId: string, refundId: string): Promise<void> {
  await updateWithdrawn(tx, merchantId, refundId, 'a newer link was made');
}

/** E-mails every owner, in the transaction that makes it true, that money will go to another address. */
export async function queuePayoutEmails(tx: Tx, merchantId: string, facts: PayoutFacts): Promise<void> {
  if (tx.queuesEmails)
    await insertOwnerEmails(tx, merchantId, { kind: 'payout_address_changed', facts }, realNow());
}

/** The same when such changes will be delayed for a shorter time. */
export async function queueDelayEmails(tx: Tx, merchantId: string, facts: DelayFacts): Promise<void> {
  if (tx.queuesEmails)
    await insertOwnerEmails(tx, merchantId, { kind: 'payout_delay_changed', facts }, realNow());
}

/** The same when events, with what they say of customers, will go to another server. */
export async function queueWebhookEmails(tx: Tx, merchantId: string, facts: WebhookFacts): Promise<void> {
  if (tx.queuesEmails)
    await insertOwnerEmails(tx, merchantId, { kind: 'webhook_url_changed', facts }, realNow());
}

/** The same when the wallet that pays network fees for payers runs low. */
export async function queueSponsorEmails(tx: Tx, merchantId: string, facts: SponsorFacts): Promise<void> {
  if (tx.queuesEmails) await insertOwnerEmails(tx, merchantId, { kind: 'sponsor_low', facts }, realNow());
}

/** The same when a lost secret key took with it what events were signed with, and where notifications went. */
export async function queueSecretEmails(tx: Tx, merchantId: string, facts: SecretFacts): Promise<void> {
  if (tx.queuesEmails)
    await insertOwnerEmails(tx, merchantId, { kind: 'secrets_replaced', facts }, realNow());
}

/** E-mails whose link no known key opens are not sent; answers how many. */
export const withdrawUnopenedEmails = (
  tx: Tx,
  merchantId: string,
  keyIds: readonly string[],
): Promise<number> =>
  updateUnopened(tx, merchantId, keyIds, 'nobody has the secret key that its link was sealed with');
