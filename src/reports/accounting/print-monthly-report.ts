import { readStoredImage } from '../../accounts/images/read-stored-image.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import type { ReportDocument } from '../../documents/layouts/report-document.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Language } from '../../platform/lib/language.ts';
import { dateAt } from '../../platform/lib/local-days.ts';
import type { MonthlyReport } from './read-monthly-report.ts';

export interface PrintReport {
  merchantId: string;
  language: Language;
  network: ReportDocument['network'];
}

/** A monthly report as a person reads it. */
export async function printMonthlyReport(
  db: Queryable,
  report: MonthlyReport,
  print: PrintReport,
): Promise<Buffer> {
  // Loaded with the first paper somebody prints, as an invoice's is.
  const { renderReportPdf } = await import('../../documents/layouts/render-invoice-pdf.ts');
  return Buffer.from(await renderReportPdf(await describe(db, report, print)));
}

async function describe(
  db: Queryable,
  report: MonthlyReport,
  { merchantId, language, network }: PrintReport,
): Promise<ReportDocument> {
  const { projectId, month, timeZone, createdAt } = report;
  const brand = await readProjectBrand(db, { merchantId, id: projectId });
  const project = projectId === null ? undefined : await findProject(db, { merchantId, id: projectId });
  return {
    ...report,
    ...{ language, network, timeZone },
    issuer: brand.name,
    brandColor: brand.brandColor,
    logo: brand.logoFile === null ? null : await readStoredImage(db, merchantId, brand.logoFile),
    projectName: project?.name ?? null,
    firstDay: `${month}-01`,
    issuedAt: createdAt,
    issuedOn: dateAt(createdAt, timeZone),
    topProducts: report.topProducts.map(({ name, salesCount, salesCents }) => ({
      ...{ name, count: salesCount, cents: salesCents },
    })),
    topCustomers: report.topCustomers.map(({ paymentsCount, netCents, ...customer }) => ({
      ...{ name: nameOf(customer), count: paymentsCount, cents: netCents },
    })),
    openInvoices: {
      ...report.openInvoices,
      invoices: report.openInvoices.invoices.map(({ number, dueAt, amountDueCents, ...invoice }) => ({
        ...{ number, dueAt, cents: amountDueCents },
        customer: invoice.customerName ?? invoice.customerEmail ?? '',
      })),
    },
  };
}

function nameOf(customer: {
  customerId: string;
  name: string | null;
  email: string | null;
  externalCustomerId: string | null;
}): string {
  return customer.name ?? customer.email ?? customer.externalCustomerId ?? customer.customerId;
}
