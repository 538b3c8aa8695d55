import { findCustomer } from '../../accounts/customers/queries.ts';
import { lockSessionOfIntent } from '../../billing/checkout-sessions/queries.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import { type CustomerEmail, emailCustomer } from '../../billing/invoices/email-customer.ts';
import type { Invoice } from '../../billing/invoices/invoice.ts';
import { isPayable, payableUntil } from '../../billing/invoices/payable.ts';
import { lockInvoiceOfSession } from '../../billing/invoices/queries.ts';
import { storeReminded } from '../../billing/invoices/waive-rest.ts';
import { requirePause, whyNotSendable } from '../../billing/manual-invoices/send-invoice.ts';
import { type Intent, stateOf } from '../../intents/intent.ts';
import { lockIntent } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Ref } from '../../platform/lib/ref.ts';

export interface Reminded {
  intent: Intent;
  invoice: Invoice;
}

/** E-mails the payer of an underpaid payment what is still missing and where to pay it, as often as an invoice can be sent. */
export async function remindPayer(tx: Tx, ref: Ref, now: Date): Promise<Reminded> {
  const intent = await lockIntent(tx, ref);
  if (!intent) throw new AppError('NOT_FOUND');
  if (intent.status !== 'underpaid')
    throw refusal(`Only the payer of an underpaid payment can be reminded; this one ${stateOf(intent)}.`);
  if (intent.isRefunding) throw refusal('What this payment received is being refunded.');
  const session = await lockSessionOfIntent(tx, ref.merchantId, ref.id);
  if (!session) throw refusal('This payment has no checkout, so there is nobody to remind.');
  const invoice = (await lockInvoiceOfSession(tx, ref.merchantId, session.id))!;
  if (!isPayable(session, invoice, now)) throw refusal('The rest of this payment can no longer be paid.');
  await requireReachable(tx, invoice);
  requirePause({ at: invoice.remindedAt, times: invoice.timesReminded }, now);
  const reminded = await storeReminded(tx, invoice, now);
  await emailCustomer(tx, reminded, {
    kind: 'rest_reminder',
    number: reminded.timesReminded,
    payUrl: session.checkoutUrl,
    ...whenToPay(session, invoice, now),
  });
  return { intent, invoice: reminded };
}

/**
 * An invoice made by hand is due on its date, however long it can be paid after that. A change of plan has to be paid in
 * time; anything else stays payable a while longer.
 */
function whenToPay(
  session: Session,
  { billingReason, dueAt }: Invoice,
  now: Date,
): Pick<CustomerEmail, 'endsAt' | 'isOverdue'> {
  if (billingReason === 'manual' && dueAt) return { endsAt: null, isOverdue: dueAt <= now };
  return { endsAt: billingReason === 'subscription_change' ? session.expiresAt : payableUntil(session) };
}

async function requireReachable(tx: Tx, { merchantId, customerId }: Invoice): Promise<void> {
  const customer = customerId === null ? undefined : await findCustomer(tx, { merchantId, id: customerId });
  const reason = customer ? whyNotSendable(tx, customer) : 'this payment has no customer';
  if (reason) throw refusal(`The payer cannot be reminded: ${reason}.`);
}

function refusal(message: string): AppError {
  return new AppError('INVALID_STATE', { message });
}
