import type { TaxCategory } from '../../billing/tax-rates/tax-rate.ts';
import type { Queryable } from '../../platform/db/database.ts';

export interface TaxPeriod {
  merchantId: string;
  /** Null: all projects. */
  projectId: string | null;
  from: Date;
  /** End of the period, which is not in it any more. */
  to: Date;
}

export interface TaxTotal {
  /** All three are null for what is not taxed. */
  country: string | null;
  category: TaxCategory | null;
  percentPpm: number | null;
  invoicesCount: bigint;
  invoicedNetCents: bigint;
  invoicedTaxCents: bigint;
  creditNotesCount: bigint;
  creditedNetCents: bigint;
  creditedTaxCents: bigint;
  waivedNetCents: bigint;
  waivedTaxCents: bigint;
}

/**
 * Sums by tax rate, whatever its name and whether prices contained it. Only invoices with a seller or with tax count,
 * because credit notes of others say nothing about it. Each document is summed first: its lines are read once, and
 * nothing is sorted to count documents.
 */
export async function listTaxTotals(
  db: Queryable,
  { merchantId, projectId, from, to }: TaxPeriod,
): Promise<TaxTotal[]> {
  type Row = Omit<TaxTotal, `${string}Cents`> & Record<keyof TaxTotal & `${string}Cents`, string>;
  const rows = await db.query<Row>(TAX_TOTALS, [merchantId, projectId, from, to]);
  return rows.map((row) => ({
    ...row,
    invoicedNetCents: BigInt(row.invoicedNetCents),
    invoicedTaxCents: BigInt(row.invoicedTaxCents),
    creditedNetCents: BigInt(row.creditedNetCents),
    creditedTaxCents: BigInt(row.creditedTaxCents),
    waivedNetCents: BigInt(row.waivedNetCents),
    waivedTaxCents: BigInt(row.waivedTaxCents),
  }));
}

const IN_PROJECT = (table: string) => `${table}.project_id = any(
  case when $2::uuid is null then array(select id from projects where merchant_id = $1) else array[$2::uuid] end)`;

const TAX_TOTALS = `
     with invoiced as (
       select t.*
         from invoices v cross join lateral (
           select l.tax ->> 'country' as country, l.tax ->> 'category' as category, l.tax ->> 'percentPpm' as ppm,
                  sum(l."amountCents" - coalesce(l."discountCents", 0)
                    - case when l.tax ->> 'behavior' = 'inclusive' then l."taxCents" else 0 end) as net,
                  sum(coalesce(l."taxCents", 0)) as tax
             from jsonb_to_recordset(v.lines)
                    as l ("amountCents" numeric, "discountCents" numeric, "taxCents" numeric, tax jsonb)
            group by 1, 2, 3
         ) t
        where v.merchant_id = $1 and ${IN_PROJECT('v')} and v.status = 'paid' and v.tax is not null
          and v.paid_at >= $3 and v.paid_at < $4
     ), credited as (
       select t.*
         from credit_notes n cross join lateral (
           select s.tax ->> 'country' as country, s.tax ->> 'category' as category, s.tax ->> 'percentPpm' as ppm,
                  sum(s."netCents") as net, sum(s."taxCents") as tax
             from jsonb_to_recordset(n.shares) as s ("netCents" numeric, "taxCents" numeric, tax jsonb)
            group by 1, 2, 3
         ) t
        where n.merchant_id = $1 and ${IN_PROJECT('n')} and n.tax is not null
          and n.created_at >= $3 and n.created_at < $4
     ), waived as (
       select t.*
         from invoices v cross join lateral (
           select s.tax ->> 'country' as country, s.tax ->> 'category' as category, s.tax ->> 'percentPpm' as ppm,
                  sum(s."netCents") as net, sum(s."taxCents") as tax
             from jsonb_to_recordset(v.waived_shares) as s ("netCents" numeric, "taxCents" numeric, tax jsonb)
            group by 1, 2, 3
         ) t
        where v.merchant_id = $1 and ${IN_PROJECT('v')} and v.status = 'paid' and v.tax is not null
          and v.paid_at >= $3 and v.paid_at < $4 and v.waived_cents > 0
     ), totals as (
       select country, category, ppm, count(*) as invoices, sum(net) as invoiced_net,
              sum(tax) as invoiced_tax, 0::bigint as notes, 0::numeric as credited_net, 0::numeric as credited_tax,
              0::numeric as waived_net, 0::numeric as waived_tax
         from invoiced group by 1, 2, 3
       union all
       select country, category, ppm, 0, 0, 0, count(*), sum(net), sum(tax), 0, 0
         from credited group by 1, 2, 3
       union all
       select country, category, ppm, 0, 0, 0, 0, 0, 0, sum(net), sum(tax)
         from waived group by 1, 2, 3
     )
     select country, category, ppm::integer as percent_ppm, sum(invoices) as invoices_count,
            sum(invoiced_net)::text as invoiced_net_cents, sum(invoiced_tax)::text as invoiced_tax_cents,
            sum(notes) as credit_notes_count, sum(credited_net)::text as credited_net_cents,
            sum(credited_tax)::text as credited_tax_cents,
            sum(waived_net)::text as waived_net_cents, sum(waived_tax)::text as waived_tax_cents
       from totals group by 1, 2, 3
      order by country nulls last, category, ppm::integer`;
