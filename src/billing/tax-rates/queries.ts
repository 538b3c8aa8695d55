import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { ScopedRef } from '../../platform/lib/ref.ts';
import { type TaxRate, taxRates } from './tax-rate.ts';

export const findTaxRate = (db: Queryable, { merchantId, id, projectId }: ScopedRef) =>
  taxRates.find(db, { merchantId, id, ...(projectId && { projectId }) });

export interface ProjectOf {
  merchantId: string;
  projectId: string;
}

/** The default rates of projects, and those with these ids. */
export async function listRatesInForce(
  db: Queryable,
  projects: readonly ProjectOf[],
  ids: readonly string[],
): Promise<TaxRate[]> {
  return db.query<TaxRate>(
    `select ${taxRates.columns('t')} from tax_rates t
      where (t.merchant_id, t.project_id) in (select * from unnest($1::uuid[], $2::uuid[]))
        and (t.is_default or t.id = any($3::uuid[]))`,
    [projects.map(({ merchantId }) => merchantId), projects.map(({ projectId }) => projectId), ids],
  );
}

export async function hasDefaultRate(db: Queryable, { merchantId, projectId }: ProjectOf): Promise<boolean> {
  const rows = await db.query(
    'select from tax_rates where merchant_id = $1 and project_id = $2 and is_default limit 1',
    [merchantId, projectId],
  );
  return rows.length > 0;
}

export interface TaxRateFilter {
  projectId?: string | undefined;
  country?: string | undefined;
  isActive?: boolean | undefined;
}

export async function listTaxRates(
  db: Queryable,
  merchantId: string,
  filter: TaxRateFilter,
  range: Range,
): Promise<TaxRate[]> {
  const conditions = new Conditions()
    .add('t.merchant_id = ?', merchantId)
    .within('t.id', range)
    .add('t.project_id = ?', filter.projectId)
    .add('t.country = ?', filter.country?.toUpperCase())
    .add('t.is_active = ?', filter.isActive);
  return db.query<TaxRate>(
    `select ${taxRates.columns('t')} from tax_rates t
      where ${conditions.where} order by t.id desc limit ${conditions.place(range.limit)}`,
    conditions.values,
  );
}

/** Takes the default away from any other rate of the same country. */
export async function updateFormerDefault(tx: Queryable, rate: TaxRate): Promise<void> {
  await tx.query(
    `update tax_rates set is_default = false
      where merchant_id = $1 and project_id = $2 and country = $3 and is_default and id <> $4`,
    [rate.merchantId, rate.projectId, rate.country, rate.id],
  );
}
