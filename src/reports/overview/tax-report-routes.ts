import { billingRoute } from '../../accounts/projects/billing-route.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { sendRowsAsCsv, wantsCsv } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { DayOrTime, List, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { firstMoment, momentAfter } from '../../platform/lib/local-days.ts';
import { readTaxReport } from './tax-report.ts';
import { TaxRowView } from './views.ts';

const ReportView = Shape('TaxReport', {
  projectId: Uuid(),
  from: Timestamp(),
  to: Timestamp(),
  currency: Text(),
  rows: List(TaxRowView),
});

const ReportQuery = Shape(undefined, {
  projectId: Uuid(),
  from: DayOrTime(
    'Invoices paid, and credit notes written, on this day of the merchant’s time zone, or at this time, or later.',
  ),
  to: DayOrTime('Until the end of this day, or before this time.'),
});

export function taxReportRoutes(app: App, { db }: { db: Database }): void {
  billingRoute(app, {
    method: 'GET',
    path: '/tax-report',
    id: 'getTaxReport',
    sdk: 'billing.taxReport',
    assistant: 'read',
    tag: 'Tax',
    summary: 'Get the tax of a period',
    description:
      'What was taken and given back at each rate: invoices, and what was waived of them, by when they were paid; credit notes by when they were written. Invoices without a seller and without tax are not in it.',
    scopes: ['billing:read'],
    query: ReportQuery,
    csv: true,
    success: { status: 200, schema: ReportView, description: 'One row for each country, category and rate.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal: { merchantId, timeZone }, query, request, reply }) {
      const [from, to] = [firstMoment(query.from, timeZone), momentAfter(query.to, timeZone)];
      const projectId = query.projectId.toLowerCase();
      if (!(await findProject(db, { merchantId, id: projectId }))) throw new AppError('NOT_FOUND');
      const rows = await readTaxReport(db, { merchantId, projectId, from, to });
      if (wantsCsv(request)) return sendRowsAsCsv(reply, TaxRowView, rows);
      return { projectId, from, to, currency: 'USD', rows };
    },
  });
}
