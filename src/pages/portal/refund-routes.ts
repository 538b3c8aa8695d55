import { PdfQuery } from '../../billing/invoices/pdf-query.ts';
import { creditNoteNumber } from '../../payments/refunds/credit-note.ts';
import { REFUND_STATUSES, type Refund, refundNumber } from '../../payments/refunds/refund.ts';
import { answerList, Page, pageQuery, type Range } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import {
  Int64,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import type { AccountRoutes } from './account-routes.ts';
import { findOwnRefund, listOwnRefunds, printOwnCreditNote } from './own-refunds.ts';
import { portalRoute } from './portal-route.ts';

/** View without the merchant's own words about it. */
const PortalRefundView = Shape('PortalRefund', {
  id: Uuid(),
  number: Text(),
  invoiceId: Nullable(Uuid()),
  status: OneOf(REFUND_STATUSES),
  amountCents: Int64(),
  currency: Text(),
  address: Nullable(Text({ description: 'Where the money goes, as far as it is known.' })),
  txSignature: Nullable(Text()),
  creditNoteId: Nullable(Uuid()),
  creditNoteNumber: Nullable(Text()),
  createdAt: Timestamp(),
  expiresAt: Timestamp(),
  succeededAt: Nullable(Timestamp()),
});

export function portalRefundRoutes(app: App, parts: AccountRoutes): void {
  const { db, network } = parts;

  portalRoute(app, parts, {
    method: 'GET',
    path: '/refunds',
    id: 'listPortalRefunds',
    sdk: 'portal.listRefunds',
    summary: 'List your refunds',
    query: Shape(undefined, { ...pageQuery, invoiceId: Optional(Uuid()) }),
    csv: true,
    success: {
      status: 200,
      schema: Page('PortalRefundPage', PortalRefundView),
      description: 'Newest first.',
    },
    errors: [],
    handle(call) {
      const { visitor, query } = call;
      const read = (range: Range) => listOwnRefunds(db, visitor, query.invoiceId, range);
      return answerList(call, PortalRefundView, read, present);
    },
  });

  portalRoute(app, parts, {
    method: 'GET',
    path: '/refunds/{refundId}',
    id: 'getPortalRefund',
    sdk: 'portal.retrieveRefund',
    summary: 'Get one of your refunds',
    success: { status: 200, schema: PortalRefundView, description: 'The refund as it is now.' },
    errors: ['NOT_FOUND'],
    handle: async ({ visitor, params }) => present(await findOwnRefund(db, visitor, params.refundId!)),
  });

  portalRoute(app, parts, {
    method: 'GET',
    path: '/credit-notes/{creditNoteId}/pdf',
    id: 'getPortalCreditNotePdf',
    sdk: 'portal.creditNotePdf',
    summary: 'Get one of your credit notes as a PDF',
    query: PdfQuery,
    pdf: true,
    success: { status: 200, description: 'The credit note.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ visitor, params, query, reply }) {
      const print = { network, language: query.language };
      const { number, bytes } = await printOwnCreditNote(db, visitor, params.creditNoteId!, print);
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `inline; filename="${number}.pdf"`)
        .send(bytes);
    },
  });
}

function present(refund: Refund) {
  const { creditNoteNumber: noteNumber } = refund;
  return {
    id: refund.id,
    number: refundNumber(refund.number),
    invoiceId: refund.invoiceId,
    status: refund.status,
    amountCents: refund.amountCents,
    currency: 'USD',
    address: refund.address,
    txSignature: refund.txSignature,
    creditNoteId: refund.creditNoteId,
    creditNoteNumber: noteNumber === null ? null : creditNoteNumber(noteNumber),
    createdAt: refund.createdAt,
    expiresAt: refund.expiresAt,
    succeededAt: refund.succeededAt,
  };
}
