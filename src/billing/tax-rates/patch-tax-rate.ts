import { lockProjectForChange } from '../../accounts/projects/queries.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { findTaxRate, updateFormerDefault } from './queries.ts';
import { type TaxRate, taxRates } from './tax-rate.ts';

export interface PatchTaxRate {
  merchantId: string;
  id: string;
  actor: string;
  change: { name?: string; isDefault?: boolean; isActive?: boolean };
  now: Date;
}

/** Renames a rate, makes it the default of its country, or archives it: prices that have it keep it. */
export async function patchTaxRate(tx: Tx, input: PatchTaxRate): Promise<TaxRate> {
  const { merchantId, id, actor, change, now } = input;
  const found = await findTaxRate(tx, { merchantId, id });
  if (!found) throw new AppError('NOT_FOUND');
  if (change.isDefault) await lockProjectForChange(tx, { merchantId, id: found.projectId });
  const before = (await taxRates.lock(tx, { merchantId, id }))!;
  const isActive = change.isActive ?? before.isActive;
  if (change.isDefault && !isActive) throw badField('isDefault', 'must be false for an archived rate');
  const isDefault = isActive && (change.isDefault ?? before.isDefault);
  const after: TaxRate = { ...before, name: change.name ?? before.name, isDefault, isActive };
  const view = (rate: TaxRate) => ({ name: rate.name, isDefault: rate.isDefault, isActive: rate.isActive });
  if (JSON.stringify(view(before)) === JSON.stringify(view(after))) return before;
  if (after.isDefault) await updateFormerDefault(tx, after);
  await taxRates.store(tx, after, ['name', 'isDefault', 'isActive']);
  const detail = { before: view(before), after: view(after) };
  await recordAudit(tx, { merchantId, actor, action: 'tax_rate.changed', targetId: before.id, detail, now });
  return after;
}
