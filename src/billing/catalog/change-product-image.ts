import { forgetImage, type NewImage, storeImage } from '../../accounts/images/store-image.ts';
import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Principal } from '../../platform/access/principal.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type Product, products } from './product.ts';
import { findProductRow } from './queries.ts';

/** Shows another image of a product, or none with null. The same again changes nothing. */
export async function changeProductImage(
  tx: Tx,
  { merchantId, actor }: Principal,
  id: string,
  image: NewImage | null,
  now: Date,
): Promise<Product> {
  const found = await findProductRow(tx, { merchantId, id });
  if (!found) throw new AppError('NOT_FOUND');
  await requireActiveProject(tx, { merchantId, id: found.projectId });
  const before = (await products.lock(tx, { merchantId, id }))!;
  const imageFile = image?.fileName ?? null;
  if (imageFile === before.imageFile) return before;
  if (image) await storeImage(tx, merchantId, image, now);
  await products.update(tx, before, { imageFile });
  await forgetImage(tx, merchantId, before.imageFile);
  const detail = { before: { image: before.imageFile }, after: { image: imageFile } };
  await recordAudit(tx, { merchantId, actor, targetId: before.id, now, action: 'product.changed', detail });
  return { ...before, imageFile };
}
