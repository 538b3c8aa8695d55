import type { MonthlyReport } from './read-monthly-report.ts';

export interface ReportRow {
  section: string;
  item: string | null;
  figure: string;
  count: bigint | number | null;
  amountCents: bigint | null;
}

/** The report as one figure a row, which spreadsheets filter and pivot. Figures have the names of the JSON's fields. */
export function reportRows(report: MonthlyReport): ReportRow[] {
  const { openInvoices, sponsoredFees } = report;
  return [
    ...rowsOf('revenue', null, report.revenue),
    ...report.days.flatMap(({ date, ...sums }) => rowsOf('days', date, sums)),
    ...report.taxes.flatMap(({ country, category, percent, ...sums }) =>
      rowsOf('taxes', country === null ? 'untaxed' : `${country} ${category} ${percent}%`, sums),
    ),
    ...report.accounts.flatMap(({ code, name, ...sums }) => rowsOf('accounts', `${code} ${name}`, sums)),
    ...rowsOf('subscribers', null, report.subscribers),
    ...report.topProducts.flatMap(({ name, productId: _id, ...sums }) => rowsOf('topProducts', name, sums)),
    ...report.topCustomers.flatMap(({ name, email, externalCustomerId, customerId, ...sums }) =>
      rowsOf('topCustomers', name ?? email ?? externalCustomerId ?? customerId, sums),
    ),
    {
      section: 'openInvoices',
      item: null,
      figure: 'amountDue',
      count: openInvoices.count,
      amountCents: openInvoices.cents,
    },
    ...openInvoices.invoices.flatMap(({ number, amountDueCents }) =>
      rowsOf('openInvoices', number, { amountDueCents }),
    ),
    ...report.exceptions.flatMap(({ kind, ...sums }) => rowsOf('exceptions', kind, sums)),
    ...rowsOf('sponsoredFees', null, { ...sponsoredFees }),
  ];
}

/** `grossCents` is an amount named gross, `paymentsCount` a count named payments. */
function rowsOf(
  section: string,
  item: string | null,
  sums: Record<string, bigint | number | null>,
): ReportRow[] {
  return Object.entries(sums).flatMap(([name, value]) => {
    if (value === null) return [];
    const isMoney = name.endsWith('Cents');
    const figure = name.replace(/(Cents|Count)$/, '');
    return [
      {
        ...{ section, item, figure },
        count: isMoney ? null : value,
        amountCents: isMoney ? BigInt(value) : null,
      },
    ];
  });
}
