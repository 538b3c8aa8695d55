import type { Customer } from '../../accounts/customers/customer.ts';
import { findCustomer } from '../../accounts/customers/queries.ts';
import { emailCustomer } from '../../money/invoices/email-customer.ts';
import type { Invoice } from '../../money/invoices/invoice.ts';
import { type InvoiceRef, lockInvoice } from '../../money/invoices/queries.ts';
import { storeSent } from '../../money/invoices/store-draft.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';

/** Sends an open invoice made by hand to its customer, once more each time. Its reminders follow by e-mail too. */
export async function sendInvoice(tx: Tx, ref: InvoiceRef, now: Date): Promise<Invoice> {
  const invoice = await lockInvoice(tx, ref);
  if (!invoice) throw new AppError('NOT_FOUND');
  if (invoice.billingReason !== 'manual') throw refusal('Only an invoice that was made by hand can be sent.');
  if (invoice.status !== 'open') throw refusal(`An invoice that is ${invoice.status} cannot be sent.`);
  const customer = await findCustomer(tx, { merchantId: ref.merchantId, id: invoice.customerId! });
  const reason = whyNotSendable(tx, customer!);
  if (reason) throw refusal(`It cannot be sent: ${reason}.`);
  const sent = await storeSent(tx, invoice, now);
  await emailCustomer(tx, sent, { kind: 'invoice', number: sent.timesSent, payUrl: sent.checkoutUrl });
  return sent;
}

/** Refuses a draft that is to be sent to somebody whom no e-mail reaches. */
export function requireSendable(tx: Tx, send: boolean, customer: Customer): void {
  const reason = send && whyNotSendable(tx, customer);
  if (reason) throw badField('send', `must be false: ${reason}`);
}

/** Why no e-mail can reach a customer; undefined: it can. */
function whyNotSendable(tx: Tx, { email }: Customer): string | undefined {
  if (email === null) return 'the customer has no e-mail address';
  if (!tx.queuesEmails)
    return 'this service has no mail server, so give the customer the checkoutUrl instead';
  return undefined;
}

function refusal(message: string): AppError {
  return new AppError('INVALID_STATE', { message });
}
