import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Principal } from '../../platform/access/principal.ts';
import type { Database } from '../../platform/db/database.ts';
import { readSnapshot } from '../../platform/db/snapshot.ts';
import { FILE } from '../../platform/http/assistant.ts';
import { sendRowsAsCsv, wantsCsv } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { OneOf, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { LANGUAGES } from '../../platform/lib/language.ts';
import { claimExport } from './claim-export.ts';
import { reportRows } from './monthly-report-rows.ts';
import { MonthlyReportView, ReportRowView } from './monthly-report-view.ts';
import { type PrintReport, printMonthlyReport } from './print-monthly-report.ts';
import { type MonthlyReport, readMonthlyReport } from './read-monthly-report.ts';
import { requireProject } from './require-project.ts';

const MonthQuery = {
  month: Text({ max: 7, description: 'As YYYY-MM, on the calendar of the merchant’s time zone.' }),
  projectId: Optional(Uuid('Only this project. Without it, all of them, and payments without a project.')),
};

const TAG = 'Accounting';

export interface MonthlyReportRoutes {
  db: Database;
  clock: Clock;
  network: PrintReport['network'];
}

export function monthlyReportRoutes(app: App, parts: MonthlyReportRoutes): void {
  const { db, network } = parts;
  const read = reportReader(parts);

  billingRoute(app, {
    method: 'GET',
    path: '/monthly-report',
    id: 'getMonthlyReport',
    sdk: 'accounting.monthlyReport',
    assistant: 'read',
    tag: TAG,
    summary: 'Get the report of a month',
    description:
      'Revenue by day, tax by rate, the sums of the general ledger, subscribers, top products and customers, invoices that were open at the end, and exceptions. The figures are those of `GET /billing/revenue`, `GET /tax-report` and `GET /general-ledger` for the same time. As CSV it has one figure a row.',
    scopes: ['billing:read', 'payments:read'],
    query: Shape(undefined, MonthQuery),
    csv: true,
    success: { status: 200, schema: MonthlyReportView, description: 'Of one moment.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, query, request, reply }) {
      const report = await read(principal, query);
      return wantsCsv(request) ? sendRowsAsCsv(reply, ReportRowView, reportRows(report)) : report;
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/monthly-report/pdf',
    id: 'getMonthlyReportPdf',
    sdk: 'accounting.monthlyReportPdf',
    assistant: { withheld: FILE },
    tag: TAG,
    summary: 'Get the report of a month as a PDF',
    description: 'The same figures, for an accountant.',
    scopes: ['billing:read', 'payments:read'],
    query: Shape(undefined, {
      ...MonthQuery,
      language: Optional({ ...OneOf(LANGUAGES), description: 'English where it is left out.' }),
    }),
    pdf: true,
    success: { status: 200, description: 'The report.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, query, reply }) {
      const report = await read(principal, query);
      const print = { merchantId: principal.merchantId, network, language: query.language ?? 'en' };
      const bytes = await printMonthlyReport(db, report, print);
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `inline; filename="report-${report.month}.pdf"`)
        .send(bytes);
    },
  });
}

function reportReader({ db, clock }: MonthlyReportRoutes) {
  return async (
    { merchantId, timeZone }: Principal,
    { month, projectId: asked }: { month: string; projectId?: string },
  ): Promise<MonthlyReport> => {
    const projectId = await requireProject(db, merchantId, asked);
    const release = claimExport(db, merchantId);
    try {
      return await readSnapshot(db, (snapshot) =>
        readMonthlyReport(snapshot, { merchantId, projectId, month, timeZone }, clock.now()),
      );
    } finally {
      release();
    }
  };
}
