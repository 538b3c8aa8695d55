import { customerExpansion } from '../../accounts/customers/load-customers.ts';
import { BuyerView, SellerView } from '../../accounts/parties/party-schema.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import { creditedTaxes } from '../../billing/invoices/credit-shares.ts';
import { PdfQuery } from '../../billing/invoices/pdf-query.ts';
import { presentRates, RateTotalView } from '../../billing/invoices/present.ts';
import { sendXml, XmlQuery } from '../../billing/invoices/xml-answer.ts';
import type { CreditNoteDocument } from '../../documents/layouts/credit-note-document.ts';
import type { Database } from '../../platform/db/database.ts';
import { FILE } from '../../platform/http/assistant.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { Int64, List, Nullable, Optional, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type CreditNote, creditNoteNumber } from './credit-note.ts';
import { findCreditNote, listCreditNotes } from './credit-note-queries.ts';
import { exportCreditNote } from './export-credit-note.ts';
import { printCreditNote } from './print-credit-note.ts';

const TAG = 'Credit notes';

const CreditNoteView = Shape('CreditNote', {
  id: Uuid(),
  number: Text({ description: 'Without gaps within a merchant.' }),
  refundId: Uuid(),
  projectId: Nullable(Uuid()),
  customerId: Nullable(Uuid()),
  invoiceId: Nullable(Uuid('The invoice that it corrects.')),
  amountCents: Int64({ description: 'What was refunded.' }),
  taxes: {
    ...List(RateTotalView),
    description:
      'Its share of the invoice’s tax by rate; an empty list where the invoice has none or was not paid.',
  },
  taxCents: Int64({ description: 'The tax that the amount contains.' }),
  taxNotes: { ...List(Text({ max: 2000 })), description: 'What the invoice says about its tax.' },
  seller: Nullable(SellerView),
  buyer: Nullable(BuyerView),
  currency: Text(),
  createdAt: Timestamp(),
});

const ListQuery = Shape(undefined, {
  ...pageQuery,
  projectId: Optional(Uuid()),
  customerId: Optional(Uuid()),
  invoiceId: Optional(Uuid()),
  refundId: Optional(Uuid()),
});

export interface CreditNoteRoutes {
  db: Database;
  network: CreditNoteDocument['network'];
}

export function creditNoteRoutes(app: App, { db, network }: CreditNoteRoutes): void {
  billingRoute(app, {
    method: 'GET',
    path: '/credit-notes',
    id: 'listCreditNotes',
    sdk: 'creditNotes.list',
    assistant: 'read',
    tag: TAG,
    summary: 'List credit notes',
    description: 'One for every refund that the chain has proven. They never change.',
    scopes: ['billing:read'],
    query: ListQuery,
    csv: true,
    success: { status: 200, schema: Page('CreditNotePage', CreditNoteView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        CreditNoteView,
        (range) => listCreditNotes(db, call.principal.merchantId, call.query, range),
        presentCreditNote,
        { customer: customerExpansion(db, call.principal.merchantId) },
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/credit-notes/{creditNoteId}',
    id: 'getCreditNote',
    sdk: 'creditNotes.retrieve',
    assistant: 'read',
    tag: TAG,
    summary: 'Get a credit note',
    scopes: ['billing:read'],
    success: { status: 200, schema: CreditNoteView, description: 'The credit note.' },
    errors: ['NOT_FOUND'],
    handle: async ({ principal, params }) =>
      presentCreditNote(await requireCreditNote(db, principal.merchantId, params.creditNoteId!)),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/credit-notes/{creditNoteId}/pdf',
    id: 'getCreditNotePdf',
    sdk: 'creditNotes.pdf',
    assistant: { withheld: FILE },
    tag: TAG,
    summary: 'Get a credit note as a PDF',
    description: 'For people: it corrects the invoice, and says where the money went.',
    scopes: ['billing:read'],
    query: PdfQuery,
    pdf: true,
    success: { status: 200, description: 'The credit note.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, params, query, reply }) {
      const note = await requireCreditNote(db, principal.merchantId, params.creditNoteId!);
      const { number, bytes } = await printCreditNote(db, note, { network, language: query.language });
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `inline; filename="${number}.pdf"`)
        .send(bytes);
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/credit-notes/{creditNoteId}/xml',
    id: 'getCreditNoteXml',
    sdk: 'creditNotes.xml',
    assistant: { withheld: FILE },
    tag: TAG,
    summary: 'Get a credit note as XML',
    description:
      'For accounting programs, as in EN 16931: what it takes back of its invoice. 409 where that is nothing, or where seller or buyer lack what the standard requires.',
    scopes: ['billing:read'],
    query: XmlQuery,
    xml: true,
    success: { status: 200, description: 'The credit note.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, query, reply }) {
      const note = await requireCreditNote(db, principal.merchantId, params.creditNoteId!);
      return sendXml(reply, await exportCreditNote(db, note, query.format ?? 'ubl', network));
    },
  });
}

async function requireCreditNote(db: Database, merchantId: string, id: string): Promise<CreditNote> {
  const note = await findCreditNote(db, merchantId, id.toLowerCase());
  if (!note) throw new AppError('NOT_FOUND');
  return note;
}

function presentCreditNote(note: CreditNote) {
  return {
    id: note.id,
    number: creditNoteNumber(note.number),
    refundId: note.refundId,
    projectId: note.projectId,
    customerId: note.customerId,
    invoiceId: note.invoiceId,
    amountCents: note.amountCents,
    taxes: presentRates(creditedTaxes(note.shares)),
    taxCents: note.taxCents,
    taxNotes: note.tax?.notes ?? [],
    seller: note.tax?.seller ?? null,
    buyer: note.tax?.buyer ?? null,
    currency: 'USD',
    createdAt: note.createdAt,
  };
}
