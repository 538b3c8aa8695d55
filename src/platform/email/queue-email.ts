import type { Tx } from '../db/database.ts';
import { realNow } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type {
  DelayFacts,
  NewEmail,
  NewPlanEmail,
  NewRefundEmail,
  PayoutFacts,
  SponsorFacts,
  WebhookFacts,
} from './email.ts';
import { insertPlanEmail } from './plan-queries.ts';
import type { NewAddressEmail, NewSignInEmail } from './portal-email.ts';
import { insertEmails, insertOwnerEmails, insertRefundEmail, updateWithdrawn } from './queries.ts';
import { insertAddressEmails, insertSignInEmail } from './sign-in-queries.ts';

/**
 * Writes e-mails in the transaction that makes them true: each once, however often that happens, and only to customers
 * with an e-mail address. Without a mail server it does nothing at all.
 */
export async function queueEmails(tx: Tx, emails: () => NewEmail[]): Promise<void> {
  if (!tx.queuesEmails) return;
  // Mail servers use real time, whatever the sandbox's clock says.
  const now = realNow();
  const rows = emails().map((email) => ({ ...email, id: newId(now) }));
  if (rows.length > 0) await insertEmails(tx, rows, now);
}

/** The same of a refund, once of each kind. Answers whether there is somebody to write to. */
export async function queueRefundEmail(tx: Tx, email: NewRefundEmail): Promise<boolean> {
  if (!tx.queuesEmails) return false;
  const now = realNow();
  return insertRefundEmail(tx, { ...email, id: newId(now) }, now);
}

/** The same of a subscription, once for each change of it. */
export async function queuePlanEmail(tx: Tx, email: NewPlanEmail): Promise<void> {
  if (!tx.queuesEmails) return;
  const now = realNow();
  await insertPlanEmail(tx, { ...email, id: newId(now) }, now);
}

/** The same with a link into the customer's portal. */
export async function queueSignInEmail(tx: Tx, email: NewSignInEmail): Promise<void> {
  if (!tx.queuesEmails) return;
  const now = realNow();
  await insertSignInEmail(tx, { ...email, id: newId(now) }, now);
}

/** The same to the mailboxes between which a customer's address changes. */
export async function queueAddressEmails(tx: Tx, emails: readonly NewAddressEmail[]): Promise<void> {
  if (!tx.queuesEmails) return;
  const now = realNow();
  await insertAddressEmails(
    tx,
    emails.map((email) => ({ ...email, id: newId(now) })),
    now,
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
