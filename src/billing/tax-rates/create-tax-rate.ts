import { requireCountry } from '../../accounts/parties/country.ts';
import { lockProjectForChange } from '../../accounts/projects/queries.ts';
import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/lib/ids.ts';
import { updateFormerDefault } from './queries.ts';
import { requireFittingPercent, type TaxCategory, type TaxRate, taxRates, toPpm } from './tax-rate.ts';

export interface CreateTaxRate {
  merchantId: string;
  projectId: string;
  name: string;
  percent: number;
  country: string;
  category?: TaxCategory;
  isDefault?: boolean;
  now: Date;
}

/** A new rate of a project. What it takes, where and as which category never changes. */
export async function createTaxRate(tx: Tx, input: CreateTaxRate): Promise<TaxRate> {
  const { merchantId, name, isDefault = false, now } = input;
  const percentPpm = toPpm(input.percent);
  const category = input.category ?? (percentPpm === 0 ? 'Z' : 'S');
  requireFittingPercent(category, percentPpm);
  const country = requireCountry('country', input.country);
  const ref = { merchantId, id: input.projectId.toLowerCase() };
  // Two that become the default at once wait for each other, and the later one is. Locked first: a lock cannot grow.
  if (isDefault) await lockProjectForChange(tx, ref);
  const project = await requireActiveProject(tx, ref);
  const rate: TaxRate = {
    id: newId(now),
    merchantId,
    projectId: project.id,
    name,
    percentPpm,
    country,
    category,
    isDefault,
    isActive: true,
    createdAt: now,
  };
  if (isDefault) await updateFormerDefault(tx, rate);
  await taxRates.insert(tx, rate);
  return rate;
}
