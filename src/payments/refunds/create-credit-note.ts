import { creditShares, grossOf } from '../../billing/invoices/credit-shares.ts';
import type { Invoice } from '../../billing/invoices/invoice.ts';
import { findInvoice } from '../../billing/invoices/queries.ts';
import { listWaivedShares } from '../../billing/invoices/waived-queries.ts';
import { receivedCents } from '../../intents/intent.ts';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/lib/ids.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { type CreditNote, creditNotes } from './credit-note.ts';
import { listCredited, updateCreditNoteNumber } from './credit-note-queries.ts';
import type { Refund } from './refund.ts';
import type { Source } from './refundable.ts';

/** The document of a refund that the chain has just proven, with its share of the invoice's tax. */
export async function createCreditNote(
  tx: Tx,
  refund: Refund,
  source: Source,
  now: Date,
): Promise<CreditNote> {
  const { merchantId, id, projectId, customerId, invoiceId, amountCents } = refund;
  const taxed = await shareOfInvoice(tx, refund, source);
  const note: CreditNote = {
    id: newId(now),
    merchantId,
    number: await updateCreditNoteNumber(tx, merchantId),
    refundId: id,
    projectId,
    customerId,
    invoiceId,
    amountCents,
    ...taxed,
    createdAt: now,
  };
  await creditNotes.insert(tx, { ...note, shares: stringifyJson(note.shares) });
  return note;
}

/**
 * Nothing before the invoice is paid, because its tax is not owed yet, and nothing of what was paid beyond it. The lock of
 * the intent keeps other refunds of the invoice out.
 */
async function shareOfInvoice(
  tx: Tx,
  refund: Refund,
  source: Source,
): Promise<Pick<CreditNote, 'shares' | 'tax' | 'taxCents'>> {
  const nothing = { shares: [], tax: null, taxCents: 0n };
  const { merchantId, invoiceId } = refund;
  if (invoiceId === null) return nothing;
  const invoice = (await findInvoice(tx, { merchantId, id: invoiceId }))!;
  if (!invoice.tax || invoice.status !== 'paid') return nothing;
  const earlier = await listCredited(tx, merchantId, invoiceId);
  // A waived amount reduces the invoice as a refund does.
  const waived = await listWaivedShares(tx, invoice);
  const credited = [...waived, ...earlier.flatMap(({ shares }) => shares)];
  const cents = refund.amountCents - beyondInvoice(refund, invoice, source, earlier);
  const shares = creditShares(invoice.lines, credited, cents);
  if (shares.length === 0) return nothing;
  return { shares, tax: invoice.tax, taxCents: sum(shares.map(({ taxCents }) => taxCents)) };
}

/** Returns the part of it that returns money paid beyond the invoice. */
function beyondInvoice(
  { amountCents, reason }: Refund,
  { totalCents, waivedCents }: Invoice,
  { exception, intent }: Source,
  earlier: readonly Pick<CreditNote, 'amountCents' | 'shares'>[],
): Cents {
  if (exception?.kind === 'surplus') return amountCents;
  if (reason !== 'overpaid' || !intent) return 0n;
  const returned = sum(earlier.map((note) => note.amountCents - sum(note.shares.map(grossOf))));
  const surplus = receivedCents(intent) - (totalCents - waivedCents) - returned;
  if (surplus <= 0n) return 0n;
  return surplus < amountCents ? surplus : amountCents;
}

function sum(cents: readonly Cents[]): Cents {
  return cents.reduce((total, each) => total + each, 0n);
}
