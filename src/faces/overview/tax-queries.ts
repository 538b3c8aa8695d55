import type { TaxCategory } from '../../accounts/tax-rates/tax-rate.ts';
import type { Queryable } from '../../platform/db/database.ts';

export interface TaxPeriod {
  merchantId: string;
  projectId: string;
  from: Date;
  /** Not in it any more. */
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
}

/**
 * Of each rate, whichever name it had and whether prices contained it. Only invoices with a seller or with tax, because
 * credit notes of others say nothing about it.
 */
export async function listTaxTotals(
  db: Queryable,
  { merchantId, projectId, from, to }: TaxPeriod,
): Promise<TaxTotal[]> {
  type Row = Omit<TaxTotal, `${string}Cents`> & Record<keyof TaxTotal & `${string}Cents`, string>;
  const rows = await db.query<Row>(
    `with invoiced as (
       select l #>> '{tax,country}' as country, l #>> '{tax,category}' as category,
              (l #>> '{tax,percentPpm}')::integer as ppm, v.id,
              (l ->> 'amountCents')::numeric - coalesce((l ->> 'discountCents')::numeric, 0)
                - case when l #>> '{tax,behavior}' = 'inclusive' then (l ->> 'taxCents')::numeric else 0 end as net,
              coalesce((l ->> 'taxCents')::numeric, 0) as tax
         from invoices v cross join jsonb_array_elements(v.lines) as l
        where v.merchant_id = $1 and v.project_id = $2 and v.status = 'paid' and v.tax is not null
          and v.paid_at >= $3 and v.paid_at < $4
     ), credited as (
       select s #>> '{tax,country}' as country, s #>> '{tax,category}' as category,
              (s #>> '{tax,percentPpm}')::integer as ppm, n.id,
              (s ->> 'netCents')::numeric as net, (s ->> 'taxCents')::numeric as tax
         from credit_notes n cross join jsonb_array_elements(n.shares) as s
        where n.merchant_id = $1 and n.project_id = $2 and n.tax is not null
          and n.created_at >= $3 and n.created_at < $4
     ), totals as (
       select country, category, ppm, count(distinct id) as invoices, sum(net) as invoiced_net,
              sum(tax) as invoiced_tax, 0::bigint as notes, 0::numeric as credited_net, 0::numeric as credited_tax
         from invoiced group by 1, 2, 3
       union all
       select country, category, ppm, 0, 0, 0, count(distinct id), sum(net), sum(tax)
         from credited group by 1, 2, 3
     )
     select country, category, ppm as "percentPpm", sum(invoices)::bigint as "invoicesCount",
            sum(invoiced_net)::text as "invoicedNetCents", sum(invoiced_tax)::text as "invoicedTaxCents",
            sum(notes)::bigint as "creditNotesCount", sum(credited_net)::text as "creditedNetCents",
            sum(credited_tax)::text as "creditedTaxCents"
       from totals group by 1, 2, 3
      order by country nulls last, category, ppm`,
    [merchantId, projectId, from, to],
  );
  return rows.map((row) => ({
    ...row,
    invoicedNetCents: BigInt(row.invoicedNetCents),
    invoicedTaxCents: BigInt(row.invoicedTaxCents),
    creditedNetCents: BigInt(row.creditedNetCents),
    creditedTaxCents: BigInt(row.creditedTaxCents),
  }));
}
