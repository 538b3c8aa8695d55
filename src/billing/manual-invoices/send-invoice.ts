import type { Customer } from '../../accounts/customers/customer.ts';
import { findCustomer } from '../../accounts/customers/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { inState } from '../../platform/lib/in-state.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { emailCustomer } from '../invoices/email-customer.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { findPaymentWay, lockInvoice } from '../invoices/queries.ts';
import { storeSent } from '../invoices/store-draft.ts';

/** Often enough for a customer who missed it, too rarely to annoy. */
const PAUSE_MINUTES = 10;
const MAX_TIMES = 20;

/**
 * E-mails an open manual invoice to its customer, again each time it is called, within limits. Reminders follow by e-mail.
 */
export async function sendInvoice(tx: Tx, ref: Ref, now: Date): Promise<Invoice> {
  const invoice = await lockInvoice(tx, ref);
  if (!invoice) throw new AppError('NOT_FOUND');
  if (invoice.billingReason !== 'manual') throw refusal('Only an invoice that was made by hand can be sent.');
  if (invoice.status !== 'open') throw refusal(`${inState(invoice.status, 'invoice')} cannot be sent.`);
  if ((await findPaymentWay(tx, ref))?.checkoutUrl === null)
    throw refusal('What was paid of it goes back, so it can no longer be paid. Void it instead.');
  const customer = await findCustomer(tx, { merchantId: ref.merchantId, id: invoice.customerId! });
  const reason = whyNotSendable(tx, customer!);
  if (reason) throw refusal(`It cannot be sent: ${reason}.`);
  requirePause({ at: invoice.sentAt, times: invoice.timesSent }, now);
  const sent = await storeSent(tx, invoice, now);
  await emailCustomer(tx, sent, { kind: 'invoice', number: sent.timesSent, payUrl: sent.checkoutUrl });
  return sent;
}

/** Refuses an e-mail that comes too soon after the last one of its kind, or too often. */
export function requirePause({ at, times }: { at: Date | null; times: number }, now: Date): void {
  if (times >= MAX_TIMES) throw refusal(`It was sent ${times} times already, which is the most.`);
  if (at === null) return;
  const again = addMinutes(at, PAUSE_MINUTES);
  const minutes = Math.ceil((again.getTime() - now.getTime()) / 60_000);
  if (minutes > 0) {
    const time = minutes === 1 ? '1 minute' : `${minutes} minutes`;
    throw refusal(`It was sent less than ${PAUSE_MINUTES} minutes ago. It can be sent again in ${time}.`);
  }
}

/** Refuses a draft that is to be sent to somebody whom no e-mail reaches. */
export function requireSendable(tx: Tx, send: boolean, customer: Customer): void {
  const reason = send && whyNotSendable(tx, customer);
  if (reason) throw badField('send', `must be false: ${reason}`);
}

/** Returns the reason why no e-mail can reach a customer; undefined if one can. */
export function whyNotSendable(tx: Tx, { email }: Customer): string | undefined {
  if (email === null) return 'the customer has no e-mail address';
  if (!tx.queuesEmails)
    return 'this service has no mail server, so give the customer the checkoutUrl instead';
  return undefined;
}

function refusal(message: string): AppError {
  return new AppError('INVALID_STATE', { message });
}
