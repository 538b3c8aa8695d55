import { customerExpansion } from '../../accounts/customers/load-customers.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { InvoiceDocument } from '../../documents/layouts/invoice-document.ts';
import type { Database } from '../../platform/db/database.ts';
import { FILE } from '../../platform/http/assistant.ts';
import { ExpandQuery, type Expansions, presentExpanded } from '../../platform/http/expand.ts';
import {
  answerList,
  Page,
  pageQuery,
  type Range,
  sendCsv,
  toRange,
  wantsCsv,
} from '../../platform/http/list.ts';
import { MetadataTerms } from '../../platform/http/metadata-schema.ts';
import type { App } from '../../platform/http/route.ts';
import { List, OneOf, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { exportInvoice } from './export-invoice.ts';
import { INVOICE_STATUSES, type Invoice } from './invoice.ts';
import { InvoiceLineRow, presentLineRows } from './line-rows.ts';
import { PdfQuery } from './pdf-query.ts';
import { ExpandedInvoiceView, InvoiceView, presentInvoice } from './present.ts';
import { fileNameOf, printInvoice } from './print-invoice.ts';
import { findInvoice, listInvoices } from './queries.ts';
import { sendXml, XmlQuery } from './xml-answer.ts';

const expand = ExpandQuery(['customer']);

const ListQuery = Shape(undefined, {
  ...pageQuery,
  expand,
  projectId: Optional(Uuid()),
  customerId: Optional(Uuid()),
  subscriptionId: Optional(Uuid()),
  externalCustomerId: Optional(Text()),
  status: Optional(List(OneOf(INVOICE_STATUSES), { max: INVOICE_STATUSES.length })),
  number: Optional(Text({ description: 'Exactly this number, case-insensitive.' })),
  merchantReference: Optional(Text()),
  clientReferenceId: Optional(Text({ max: 200 })),
  metadata: MetadataTerms,
  isOverdue: Optional(OneOf(['true'], 'Only those that are unpaid past their due date.')),
  rows: Optional(
    OneOf(
      ['invoices', 'lines'],
      'With `Accept: text/csv`: one row for each invoice, or for each line of one.',
    ),
  ),
});

export interface InvoiceRoutes {
  db: Database;
  clock: Clock;
  network: InvoiceDocument['network'];
}

export function invoiceRoutes(app: App, { db, clock, network }: InvoiceRoutes): void {
  const present = (invoice: Invoice) => presentInvoice(invoice, clock.now());
  const expansionsOf = (merchantId: string): Expansions<Invoice> => ({
    customer: customerExpansion(db, merchantId),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/invoices',
    id: 'listInvoices',
    sdk: 'invoices.list',
    assistant: 'read',
    tag: 'Invoices',
    summary: 'List invoices',
    scopes: ['billing:read'],
    query: ListQuery,
    csv: true,
    success: { status: 200, schema: Page('InvoicePage', ExpandedInvoiceView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle(call) {
      const { query, request } = call;
      const { merchantId } = call.principal;
      const filter = { ...query, overdueAt: query.isOverdue && clock.now() };
      const read = (range: Range) => listInvoices(db, merchantId, filter, range);
      const expansions = expansionsOf(merchantId);
      if (query.rows !== 'lines') return answerList(call, InvoiceView, read, present, expansions);
      if (!wantsCsv(request)) throw badField('rows', 'can only be lines with Accept: text/csv');
      if (query.expand) throw badField('expand', 'cannot be combined with text/csv');
      return sendCsv(call, InvoiceLineRow, toRange(query), read, presentLineRows, expansions.customer);
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/invoices/{invoiceId}',
    id: 'getInvoice',
    sdk: 'invoices.retrieve',
    assistant: 'read',
    tag: 'Invoices',
    summary: 'Get an invoice',
    scopes: ['billing:read'],
    query: Shape(undefined, { expand }),
    success: { status: 200, schema: ExpandedInvoiceView, description: 'The invoice as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal: { merchantId }, params, query }) {
      const invoice = await findInvoice(db, { merchantId, id: params.invoiceId! });
      if (!invoice) throw new AppError('NOT_FOUND');
      return presentExpanded(invoice, present, query.expand, expansionsOf(merchantId));
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/invoices/{invoiceId}/pdf',
    id: 'getInvoicePdf',
    sdk: 'invoices.pdf',
    assistant: { withheld: FILE },
    tag: 'Invoices',
    summary: 'Get an invoice as a PDF',
    description:
      'For people: it is the customer’s receipt once it is paid, and has a code to scan while it can be paid.',
    scopes: ['billing:read'],
    query: PdfQuery,
    pdf: true,
    success: { status: 200, description: 'The invoice as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, params, query, reply }) {
      const ref = { merchantId: principal.merchantId, id: params.invoiceId! };
      const print = { network, language: query.language, now: clock.now() };
      const { number, bytes } = await printInvoice(db, ref, print);
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `inline; filename="${fileNameOf(number)}"`)
        .send(bytes);
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/invoices/{invoiceId}/xml',
    id: 'getInvoiceXml',
    sdk: 'invoices.xml',
    assistant: { withheld: FILE },
    tag: 'Invoices',
    summary: 'Get an invoice as XML',
    description:
      'For accounting programs, as in EN 16931. It needs a seller with a tax id, and a buyer with a name and a country; without them it is 409, and the message names what is missing.',
    scopes: ['billing:read'],
    query: XmlQuery,
    xml: true,
    success: { status: 200, description: 'The invoice as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, query, reply }) {
      const ref = { merchantId: principal.merchantId, id: params.invoiceId! };
      return sendXml(reply, await exportInvoice(db, ref, query.format ?? 'ubl', network));
    },
  });
}
