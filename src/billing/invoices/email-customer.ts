import type { EmailKind, Facts, NewEmail } from '../../email/email.ts';
import { queueEmails } from '../../email/queue-email.ts';
import type { Tx } from '../../platform/db/database.ts';
import { toPercent } from '../tax-rates/tax-rate.ts';
import { amountDueCents, type Invoice } from './invoice.ts';
import { isOnSomething, isReverseCharge, type RateTotal, taxesOf } from './taxes-of.ts';

export interface CustomerEmail {
  kind: EmailKind;
  /** Page where the customer pays; absent if there is nothing to pay. */
  payUrl?: string | null;
  /** An unpaid renewal ends the subscription at this moment; or when a trial ends. */
  endsAt?: Date | null;
  /** Its due date has passed. */
  isOverdue?: boolean;
  /** Position among several e-mails of its kind. */
  number?: number;
}

/** Queues an e-mail to the customer about an invoice, in the transaction that makes it true; once of each kind. */
export async function emailCustomer(tx: Tx, invoice: Invoice, email: CustomerEmail): Promise<void> {
  await emailCustomers(tx, [{ invoice, email }]);
}

export async function emailCustomers(
  tx: Tx,
  emails: readonly { invoice: Invoice; email: CustomerEmail }[],
): Promise<void> {
  await queueEmails(tx, () =>
    emails.flatMap(({ invoice, email }) => {
      const { customerId } = invoice;
      return customerId === null ? [] : [emailOf({ ...invoice, customerId }, email)];
    }),
  );
}

function emailOf(invoice: Invoice & { customerId: string }, email: CustomerEmail): NewEmail {
  const { kind, payUrl = null, endsAt = null } = email;
  return {
    merchantId: invoice.merchantId,
    projectId: invoice.projectId,
    customerId: invoice.customerId,
    kind,
    invoiceId: invoice.id,
    // An invoice has several reminders, each with its own number.
    number: email.number ?? (kind === 'reminder' || kind === 'trial_reminder' ? invoice.sequence : 1),
    facts: {
      number: invoice.number!,
      items: invoice.lines.map(({ description, quantity, amountCents }) => ({
        description: quantity === 1n ? description : `${quantity} × ${description}`,
        amountCents,
      })),
      discountCents: invoice.discountCents,
      taxes: taxesOf(invoice.lines).filter(isOnSomething).map(taxOf),
      creditCents: invoice.creditAppliedCents,
      totalCents: invoice.totalCents,
      waivedCents: invoice.waivedCents,
      dueCents: amountDueCents(invoice),
      dueAt: invoice.dueAt,
      endsAt,
      ...(email.isOverdue && { isOverdue: true }),
      paidAt: invoice.paidAt,
      payUrl,
      txSignature: invoice.txSignature,
      ...(kind === 'invoice' && { memo: invoice.memo }),
    },
  };
}

function taxOf(total: RateTotal): NonNullable<Facts['taxes']>[number] {
  const { name, percentPpm, behavior, taxCents } = total;
  return {
    text: name,
    ...(percentPpm !== 0 && { percent: toPercent(percentPpm) }),
    ...(isReverseCharge(total) && { isReverseCharge: true }),
    isContained: behavior === 'inclusive',
    taxCents,
  };
}
