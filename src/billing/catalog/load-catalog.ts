import type { Queryable } from '../../platform/db/database.ts';
import { byId } from '../../platform/http/expand.ts';
import { presentPrice, presentProduct } from './present.ts';
import { listPricesByRef, listProductsById } from './queries.ts';

/** A merchant's products as other answers include them. */
export async function loadProducts(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, object>> {
  return byId(await listProductsById(db, merchantId, ids), presentProduct);
}

/** A merchant's prices as other answers include them, with their products where that is requested. */
export async function loadPrices(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
  inner: ReadonlySet<string>,
): Promise<Map<string, object>> {
  const prices = await listPricesByRef(
    db,
    ids.map((id) => ({ merchantId, id })),
  );
  if (!inner.has('product')) return byId(prices, presentPrice);
  const productIds = [...new Set(prices.map(({ productId }) => productId))];
  const products = await loadProducts(db, merchantId, productIds);
  return byId(prices, (price) => ({ ...presentPrice(price), product: products.get(price.productId) }));
}
