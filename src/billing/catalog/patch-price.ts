import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { changedKeys, type MetadataChange, mergeMetadata } from '../../platform/lib/metadata.ts';
import type { TaxBehavior } from '../tax-rates/tax-rate.ts';
import { checkTax } from './check-tax.ts';
import { type Price, prices } from './price.ts';
import { findPrice } from './queries.ts';

export interface PatchPrice {
  merchantId: string;
  id: string;
  actor: string;
  change: {
    name?: string | null | undefined;
    lookupKey?: string | null | undefined;
    isActive?: boolean | undefined;
    taxBehavior?: TaxBehavior | undefined;
    taxRateId?: string | null | undefined;
    metadata?: MetadataChange | undefined;
  };
  now: Date;
}

/** Renames a price, moves its lookupKey or deactivates it. Its amount and terms never change, because customers agreed to them. */
export async function patchPrice(tx: Tx, { merchantId, id, actor, change, now }: PatchPrice): Promise<Price> {
  const found = await findPrice(tx, { merchantId, id });
  if (!found) throw new AppError('NOT_FOUND');
  await requireActiveProject(tx, { merchantId, id: found.projectId });
  const before = (await prices.lock(tx, { merchantId, id }))!;
  const after: Price = {
    ...before,
    name: change.name === undefined ? before.name : change.name,
    lookupKey: change.lookupKey === undefined ? before.lookupKey : change.lookupKey,
    isActive: change.isActive ?? before.isActive,
    taxBehavior: change.taxBehavior ?? before.taxBehavior,
    taxRateId: change.taxRateId === undefined ? before.taxRateId : (change.taxRateId?.toLowerCase() ?? null),
    metadata: mergeMetadata(before.metadata, change.metadata),
  };
  const metadataKeys = changedKeys(before.metadata, after.metadata);
  const view = ({ name, lookupKey, isActive, taxBehavior, taxRateId }: Price) => ({
    ...{ name, lookupKey, isActive, taxBehavior, taxRateId },
  });
  const isSame = JSON.stringify(view(before)) === JSON.stringify(view(after));
  if (isSame && metadataKeys.length === 0) return before;
  await requireTaxable(tx, before, after);
  await requireFreeKey(tx, after);
  const fields = ['name', 'lookupKey', 'isActive', 'taxBehavior', 'taxRateId', 'metadata'] as const;
  await prices.store(tx, after, fields).catch((error) => {
    throw isUniqueViolation(error) ? new AppError('LOOKUP_KEY_TAKEN') : error;
  });
  const detail = {
    before: view(before),
    after: view(after),
    ...(metadataKeys.length > 0 && { metadataKeys }),
  };
  await recordAudit(tx, { merchantId, actor, action: 'price.changed', targetId: before.id, detail, now });
  return after;
}

/** Customers agreed to an amount with tax in it or on top of it: that is chosen once. Rates change by law. */
async function requireTaxable(tx: Tx, before: Price, after: Price): Promise<void> {
  if (before.taxBehavior === after.taxBehavior && before.taxRateId === after.taxRateId) return;
  if (before.taxBehavior !== 'none' && after.taxBehavior !== before.taxBehavior) {
    throw badField('taxBehavior', `is ${before.taxBehavior} and can no longer change; create another price`);
  }
  await checkTax(tx, after, after);
}

async function requireFreeKey(tx: Tx, { merchantId, projectId, id, lookupKey }: Price): Promise<void> {
  if (lookupKey === null) return;
  const holder = await prices.find(tx, { merchantId, projectId, lookupKey });
  if (holder && holder.id !== id) throw new AppError('LOOKUP_KEY_TAKEN');
}
