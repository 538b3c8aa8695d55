import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { changedKeys, type MetadataChange, mergeMetadata } from '../../platform/lib/metadata.ts';
import { type Product, products } from './product.ts';
import { findProductRow } from './queries.ts';

export interface PatchProduct {
  merchantId: string;
  id: string;
  actor: string;
  change: {
    name?: string | undefined;
    description?: string | null | undefined;
    isActive?: boolean | undefined;
    metadata?: MetadataChange | undefined;
  };
  now: Date;
}

/** Changes the given fields only; what was already sold keeps its old name and description. */
export async function patchProduct(tx: Tx, input: PatchProduct): Promise<Product> {
  const { merchantId, id, actor, change, now } = input;
  const found = await findProductRow(tx, { merchantId, id });
  if (!found) throw new AppError('NOT_FOUND');
  await requireActiveProject(tx, { merchantId, id: found.projectId });
  const before = (await products.lock(tx, { merchantId, id }))!;
  const after: Product = {
    ...before,
    name: change.name ?? before.name,
    description: change.description === undefined ? before.description : change.description,
    isActive: change.isActive ?? before.isActive,
    metadata: mergeMetadata(before.metadata, change.metadata),
  };
  const view = ({ name, description, isActive }: Product) => ({ name, description, isActive });
  const metadataKeys = changedKeys(before.metadata, after.metadata);
  const isSame = JSON.stringify(view(before)) === JSON.stringify(view(after));
  if (isSame && metadataKeys.length === 0) return before;
  const detail = {
    before: view(before),
    after: view(after),
    ...(metadataKeys.length > 0 && { metadataKeys }),
  };
  await products.store(tx, after, ['name', 'description', 'isActive', 'metadata']);
  await recordAudit(tx, { merchantId, actor, action: 'product.changed', targetId: before.id, detail, now });
  return after;
}
