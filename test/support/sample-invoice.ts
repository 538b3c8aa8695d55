import type { InvoiceDocument, InvoiceDocumentLine } from '../../src/documents/layouts/invoice-document.ts';

export const SIGNATURE =
  '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

/** A paid invoice of three lines, with what a test changes. */
export function sampleInvoice(changes: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const period = {
    periodStart: new Date('2026-11-01T00:00:00Z'),
    periodEnd: new Date('2026-12-01T00:00:00Z'),
  };
  return {
    number: 'INV-000042',
    status: 'paid',
    issuedAt: new Date('2026-11-01T09:00:00Z'),
    dueAt: new Date('2026-11-15T00:00:00Z'),
    paidAt: new Date('2026-11-03T12:00:00Z'),
    currency: 'USD',
    merchant: { name: 'Nordlicht Audio GmbH', payoutAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU' },
    project: { name: 'Streaming API' },
    customer: { name: 'Anna Kovács', email: 'anna@example.com', externalCustomerId: 'cus_8812' },
    lines: [
      { ...sampleLine('Pro plan', 1n, 4_900n), ...period },
      { ...sampleLine('Additional seats', 12n, 800n), ...period },
      sampleLine('API requests above the included million', 1_250_000n, 1n),
    ],
    subtotalCents: 1_264_500n,
    creditAppliedCents: 2_500n,
    totalCents: 1_262_000n,
    amountPaidCents: 1_262_000n,
    refundedCents: 0n,
    amountDueCents: 0n,
    ...period,
    merchantReference: 'order-2026-118',
    clientReferenceId: 'PO 4711',
    txSignature: SIGNATURE,
    network: 'mainnet',
    ...changes,
  };
}

export function sampleLine(
  description: string,
  quantity = 1n,
  unitAmountCents = 1_000n,
): InvoiceDocumentLine {
  const amountCents = quantity * unitAmountCents;
  return { description, quantity, unitAmountCents, amountCents, periodStart: null, periodEnd: null };
}
