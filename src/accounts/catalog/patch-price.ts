import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { changedKeys, type MetadataChange, mergeMetadata } from '../../platform/lib/metadata.ts';
import { requireActiveProject } from '../projects/require-active-project.ts';
import type { Price } from './price.ts';
import { findPrice, lockPrice, updatePrice } from './queries.ts';

export interface PatchPrice {
  merchantId: string;
  id: string;
  actor: string;
  change: {
    name?: string | null | undefined;
    isActive?: boolean | undefined;
    metadata?: MetadataChange | undefined;
  };
  now: Date;
}

/** Renames a price or deactivates it. Its amount and terms never change, because customers agreed to them. */
export async function patchPrice(tx: Tx, { merchantId, id, actor, change, now }: PatchPrice): Promise<Price> {
  const found = await findPrice(tx, { merchantId, id });
  if (!found) throw new AppError('NOT_FOUND');
  await requireActiveProject(tx, { merchantId, id: found.projectId });
  const before = (await lockPrice(tx, merchantId, id))!;
  const after: Price = {
    ...before,
    name: change.name === undefined ? before.name : change.name,
    isActive: change.isActive ?? before.isActive,
    metadata: mergeMetadata(before.metadata, change.metadata),
  };
  const metadataKeys = changedKeys(before.metadata, after.metadata);
  const isSame = after.name === before.name && after.isActive === before.isActive;
  if (isSame && metadataKeys.length === 0) return before;
  await updatePrice(tx, after);
  const view = ({ name, isActive }: Price) => ({ name, isActive });
  const detail = {
    before: view(before),
    after: view(after),
    ...(metadataKeys.length > 0 && { metadataKeys }),
  };
  await recordAudit(tx, { merchantId, actor, action: 'price.changed', targetId: before.id, detail, now });
  return after;
}
