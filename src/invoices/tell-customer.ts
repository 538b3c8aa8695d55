import type { Tx } from '../db/database.ts';
import type { LetterKind, NewLetter } from '../mail/letter.ts';
import { queueLetter, queueLetters } from '../mail/queue-letter.ts';
import { amountDueCents, type Invoice } from './invoice.ts';

export interface Telling {
  kind: LetterKind;
  /** Where the customer pays; absent where there is nothing to pay. */
  payUrl?: string | null;
  /** An unpaid renewal ends the subscription at this moment. */
  endsAt?: Date | null;
}

/** Writes the customer a letter about an invoice, in the transaction that makes it true; once of each kind. */
export async function tellCustomer(tx: Tx, invoice: Invoice, telling: Telling): Promise<void> {
  const { customerId } = invoice;
  if (customerId === null) return;
  await queueLetter(tx, () => letterOf({ ...invoice, customerId }, telling));
}

/** The same for many at once. */
export async function tellCustomers(
  tx: Tx,
  told: readonly { invoice: Invoice; telling: Telling }[],
): Promise<void> {
  await queueLetters(tx, () =>
    told.flatMap(({ invoice, telling }) => {
      const { customerId } = invoice;
      return customerId === null ? [] : [letterOf({ ...invoice, customerId }, telling)];
    }),
  );
}

function letterOf(invoice: Invoice & { customerId: string }, telling: Telling): NewLetter {
  const { kind, payUrl = null, endsAt = null } = telling;
  return {
    merchantId: invoice.merchantId,
    projectId: invoice.projectId,
    customerId: invoice.customerId,
    kind,
    invoiceId: invoice.id,
    // An invoice has several reminders; each is a change of its own.
    number: kind === 'reminder' ? invoice.sequence : 1,
    facts: {
      number: invoice.number!,
      items: invoice.lines.map(({ description, amountCents }) => ({ description, amountCents })),
      creditCents: invoice.creditAppliedCents,
      totalCents: invoice.totalCents,
      dueCents: amountDueCents(invoice),
      dueAt: invoice.dueAt,
      endsAt,
      paidAt: invoice.paidAt,
      payUrl,
      txSignature: invoice.txSignature,
    },
  };
}
