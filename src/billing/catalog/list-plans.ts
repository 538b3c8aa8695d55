import type { Queryable } from '../../platform/db/database.ts';
import { toRange } from '../../platform/http/list.ts';
import type { CatalogPrice } from './price.ts';
import { findProductRow, listPrices } from './queries.ts';

const MAX = 100;

/** Active subscription prices of a product; none where it is off the shelf. */
export async function listPlans(
  db: Queryable,
  { merchantId, productId }: { merchantId: string; productId: string },
): Promise<CatalogPrice[]> {
  const product = await findProductRow(db, { merchantId, id: productId });
  if (!product?.isActive) return [];
  const filter = { productId, billingMode: 'subscription' as const, isActive: true };
  const prices = await listPrices(db, merchantId, filter, toRange({ limit: MAX }));
  return prices.map((price) => ({
    ...price,
    productName: product.name,
    productDescription: product.description,
    productImageFile: product.imageFile,
    productIsActive: product.isActive,
  }));
}
