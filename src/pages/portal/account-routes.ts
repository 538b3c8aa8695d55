import { ISSUED_STATUSES } from '../../billing/invoices/invoice.ts';
import { PdfQuery } from '../../billing/invoices/pdf-query.ts';
import { presentInvoice } from '../../billing/invoices/present.ts';
import { fileNameOf } from '../../billing/invoices/print-invoice.ts';
import { BalanceEntryView, presentPosting } from '../../billing/ledger/present.ts';
import { listPostings } from '../../billing/ledger/queries.ts';
import { answerSums, sumsQuery } from '../../billing/usage/answer-sums.ts';
import { Metric } from '../../billing/usage/bodies.ts';
import { UsageSummaryView } from '../../billing/usage/present-sum.ts';
import type { InvoiceDocument } from '../../documents/layouts/invoice-document.ts';
import { answerList, Page, pageQuery, type Range } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { List, OneOf, Optional, Shape } from '../../platform/http/schema.ts';
import { listOwnInvoices, type OwnInvoice, printOwnInvoice, readOwnInvoice } from './own-invoices.ts';
import { type PortalAccess, portalRoute } from './portal-route.ts';
import { PortalInvoiceView } from './present.ts';

const InvoicesQuery = Shape(undefined, {
  ...pageQuery,
  status: Optional(List(OneOf(ISSUED_STATUSES), { max: ISSUED_STATUSES.length })),
});

export interface AccountRoutes extends PortalAccess {
  network: InvoiceDocument['network'];
}

export function accountRoutes(app: App, parts: AccountRoutes): void {
  const { db, clock, network } = parts;
  const present = (invoice: OwnInvoice) => ({
    ...presentInvoice(invoice, clock.now()),
    checkoutUrl: invoice.checkoutUrl,
  });

  portalRoute(app, parts, {
    method: 'GET',
    path: '/invoices',
    id: 'listPortalInvoices',
    sdk: 'portal.listInvoices',
    summary: 'List your invoices',
    query: InvoicesQuery,
    csv: true,
    success: {
      status: 200,
      schema: Page('PortalInvoicePage', PortalInvoiceView),
      description: 'Newest first.',
    },
    errors: [],
    handle(call) {
      const { visitor, query } = call;
      const read = (range: Range) => listOwnInvoices(db, visitor, query.status, range, clock.now());
      return answerList(call, PortalInvoiceView, read, present);
    },
  });

  portalRoute(app, parts, {
    method: 'GET',
    path: '/invoices/{invoiceId}',
    id: 'getPortalInvoice',
    sdk: 'portal.retrieveInvoice',
    summary: 'Get one of your invoices',
    success: { status: 200, schema: PortalInvoiceView, description: 'The invoice as it is now.' },
    errors: ['NOT_FOUND'],
    async handle({ visitor, params }) {
      return present(await readOwnInvoice(db, visitor, params.invoiceId!, clock.now()));
    },
  });

  portalRoute(app, parts, {
    method: 'GET',
    path: '/invoices/{invoiceId}/pdf',
    id: 'getPortalInvoicePdf',
    sdk: 'portal.invoicePdf',
    summary: 'Get one of your invoices as a PDF',
    query: PdfQuery,
    pdf: true,
    success: { status: 200, description: 'The invoice as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ visitor, params, query, reply }) {
      const print = { network, language: query.language, now: clock.now() };
      const { number, bytes } = await printOwnInvoice(db, visitor, params.invoiceId!, print);
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `inline; filename="${fileNameOf(number)}"`)
        .send(bytes);
    },
  });

  portalRoute(app, parts, {
    method: 'GET',
    path: '/balance-entries',
    id: 'listPortalBalanceEntries',
    sdk: 'portal.listBalanceEntries',
    summary: 'List your balance entries',
    query: Shape(undefined, pageQuery),
    csv: true,
    success: {
      status: 200,
      schema: Page('BalanceEntryPage', BalanceEntryView),
      description: 'Newest first.',
    },
    errors: [],
    handle(call) {
      const read = (range: Range) => listPostings(db, call.visitor, range);
      return answerList(call, BalanceEntryView, read, presentPosting);
    },
  });

  portalRoute(app, parts, {
    method: 'GET',
    path: '/usage',
    id: 'listPortalUsage',
    sdk: 'portal.listUsage',
    summary: 'List your usage totals',
    query: Shape(undefined, { metric: Optional(Metric()), ...sumsQuery }),
    csv: true,
    success: {
      status: 200,
      schema: Page('UsageSummaryPage', UsageSummaryView),
      description: 'Newest period first, then by metric.',
    },
    errors: [],
    handle(call) {
      const { merchantId, projectId, customerIds } = call.visitor;
      return answerSums(call, db, { merchantId, timeZone: 'UTC' }, { ...call.query, projectId, customerIds });
    },
  });
}
