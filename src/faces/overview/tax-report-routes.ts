import { Country } from '../../accounts/parties/party-schema.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import { CATEGORY } from '../../accounts/tax-rates/present.ts';
import { TAX_CATEGORIES } from '../../accounts/tax-rates/tax-rate.ts';
import type { Database } from '../../platform/db/database.ts';
import { sendRowsAsCsv, wantsCsv } from '../../platform/http/list.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { App } from '../../platform/http/route.ts';
import {
  Count,
  Int64,
  List,
  Nullable,
  OneOf,
  Percent,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { readTaxReport } from './tax-report.ts';

const NET = 'Without the tax.';

const RowView = Shape('TaxReportRow', {
  country: Nullable(Country('The country of the rate; null for what is not taxed.')),
  category: Nullable(OneOf(TAX_CATEGORIES, CATEGORY)),
  percent: Nullable(Percent()),
  invoicesCount: Count('Invoices with something at this rate.'),
  invoicedNetCents: Int64({ description: NET }),
  invoicedTaxCents: Int64(),
  creditNotesCount: Count(),
  creditedNetCents: Int64({ description: NET }),
  creditedTaxCents: Int64(),
  netCents: Int64({ description: 'What was invoiced minus what was credited, without the tax.' }),
  taxCents: Int64({ description: 'What was invoiced minus what was credited.' }),
  grossCents: Int64({ description: 'Both together.' }),
});

const ReportView = Shape('TaxReport', {
  projectId: Uuid(),
  from: Timestamp(),
  to: Timestamp(),
  currency: Text(),
  rows: List(RowView),
});

const ReportQuery = Shape(undefined, {
  projectId: Uuid(),
  from: Timestamp('Invoices paid, and credit notes written, at this time or later.'),
  to: Timestamp('And before this time.'),
});

export function taxReportRoutes(app: App, mount: Mount, { db }: { db: Database }): void {
  billingRoute(app, mount, {
    method: 'GET',
    path: '/tax-report',
    id: 'getTaxReport',
    tag: 'Tax',
    summary: 'Get the tax of a period',
    description:
      'What was taken and given back at each rate: invoices by when they were paid, credit notes by when they were written. Invoices without a seller and without tax are not in it.',
    scopes: ['billing:read'],
    query: ReportQuery,
    csv: true,
    success: { status: 200, schema: ReportView, description: 'One row for each country, category and rate.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal: { merchantId }, query, request, reply }) {
      const { from, to } = query;
      const projectId = query.projectId.toLowerCase();
      if (!(await findProject(db, { merchantId, id: projectId }))) throw new AppError('NOT_FOUND');
      const rows = await readTaxReport(db, { merchantId, projectId, from, to });
      if (wantsCsv(request)) return sendRowsAsCsv(reply, Object.keys(RowView.properties), rows);
      return { projectId, from, to, currency: 'USD', rows };
    },
  });
}
