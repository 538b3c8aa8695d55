import type { Queryable } from '../../platform/db/database.ts';
import { listRatesInForce, type ProjectOf } from '../tax-rates/queries.ts';
import type { TaxRate } from '../tax-rates/tax-rate.ts';
import type { TaxTerms } from './tax.ts';

/** The rates that terms can mean, with one read for all of them, and none where nothing is taxed. */
export async function readRates(
  db: Queryable,
  projects: readonly ProjectOf[],
  terms: readonly TaxTerms[],
): Promise<TaxRate[]> {
  if (terms.every(({ taxBehavior }) => taxBehavior === 'none')) return [];
  return listRatesInForce(
    db,
    projects,
    terms.flatMap(({ taxRateId }) => taxRateId ?? []),
  );
}
