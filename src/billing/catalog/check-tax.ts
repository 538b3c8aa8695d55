import type { Tx } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import { findTaxRate, hasDefaultRate } from '../tax-rates/queries.ts';
import type { TaxBehavior } from '../tax-rates/tax-rate.ts';

export interface TaxTerms {
  taxBehavior: TaxBehavior;
  taxRateId: string | null;
}

/** A rate can be charged if it is the project's and not archived; without one, the project needs a default. */
export async function checkTax(
  tx: Tx,
  { merchantId, projectId }: { merchantId: string; projectId: string },
  { taxBehavior, taxRateId }: TaxTerms,
): Promise<void> {
  if (taxBehavior === 'none') {
    if (taxRateId !== null) throw badField('taxRateId', 'requires taxBehavior inclusive or exclusive');
    return;
  }
  if (taxRateId === null) {
    if (await hasDefaultRate(tx, { merchantId, projectId })) return;
    throw badField('taxRateId', 'is required, because the project has no default tax rate');
  }
  const rate = await findTaxRate(tx, { merchantId, projectId, id: taxRateId });
  if (!rate) throw badField('taxRateId', 'must be the id of a tax rate of this project');
  if (!rate.isActive) throw badField('taxRateId', 'is archived');
}
