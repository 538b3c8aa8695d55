import { toPercent } from '../../billing/tax-rates/tax-rate.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { listTaxTotals, type TaxPeriod } from './tax-queries.ts';

/**
 * Reports the tax taken and given back at each rate: by the time at which invoices were paid and credit notes
 * written.
 */
export async function readTaxReport(db: Queryable, period: TaxPeriod) {
  if (period.to <= period.from) throw badField('to', 'must be later than from');
  const totals = await listTaxTotals(db, period);
  return totals.map(({ country, category, percentPpm, ...sums }) => {
    const netCents = sums.invoicedNetCents - sums.creditedNetCents - sums.waivedNetCents;
    const taxCents = sums.invoicedTaxCents - sums.creditedTaxCents - sums.waivedTaxCents;
    return {
      country,
      category,
      percent: percentPpm === null ? null : toPercent(percentPpm),
      invoicesCount: Number(sums.invoicesCount),
      invoicedNetCents: saturateInt64(sums.invoicedNetCents),
      invoicedTaxCents: saturateInt64(sums.invoicedTaxCents),
      creditNotesCount: Number(sums.creditNotesCount),
      creditedNetCents: saturateInt64(sums.creditedNetCents),
      creditedTaxCents: saturateInt64(sums.creditedTaxCents),
      netCents: saturateInt64(netCents),
      taxCents: saturateInt64(taxCents),
      grossCents: saturateInt64(netCents + taxCents),
      waivedNetCents: saturateInt64(sums.waivedNetCents),
      waivedTaxCents: saturateInt64(sums.waivedTaxCents),
    };
  });
}
