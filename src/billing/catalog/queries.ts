import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Ref, ScopedRef } from '../../platform/lib/ref.ts';
import { type BillingMode, type CatalogPrice, type Price, prices } from './price.ts';
import { type Product, products } from './product.ts';

/** A price with what it is for. */
const CATALOG_COLUMNS = `${prices.columns('r')}, p.name as product_name, p.description as product_description,
  p.image_file as product_image_file, p.is_active as product_is_active`;

export const findProductRow = (db: Queryable, { merchantId, id, projectId }: ScopedRef) =>
  products.find(db, { merchantId, id, ...(projectId && { projectId }) });

/** Products that exist among these ids. */
export async function listProductsById(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<Product[]> {
  return db.query<Product>(
    `select ${products.columns('p')} from products p where p.merchant_id = $1 and p.id = any($2::uuid[])`,
    [merchantId, ids],
  );
}

/** A price with its product's name and whether that is active. */
export async function findPrice(db: Queryable, ref: ScopedRef): Promise<CatalogPrice | undefined> {
  const [row] = await db.query<CatalogPrice>(
    `select ${CATALOG_COLUMNS}
       from prices r join products p on p.merchant_id = r.merchant_id and p.id = r.product_id
      where r.merchant_id = $1 and r.id = $2 and r.project_id = coalesce($3, r.project_id)`,
    [ref.merchantId, ref.id, ref.projectId ?? null],
  );
  return row;
}

/** Reads many, each by its own id. */
export async function listPricesByRef(db: Queryable, refs: readonly Ref[]): Promise<CatalogPrice[]> {
  if (refs.length === 0) return [];
  return db.query<CatalogPrice>(
    `select ${CATALOG_COLUMNS}
       from unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)
       join prices r on r.merchant_id = w.merchant_id and r.id = w.id
       join products p on p.merchant_id = r.merchant_id and p.id = r.product_id`,
    [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.id)],
  );
}

/** False where another price of the project has its lookupKey: the index decides. */
export async function insertPrice(tx: Queryable, price: Price): Promise<boolean> {
  const once =
    'on conflict (merchant_id, project_id, lookup_key) where lookup_key is not null do nothing returning id';
  return (await prices.insert(tx, price, once)).length > 0;
}

export interface ProductFilter {
  projectId?: string | undefined;
  isActive?: boolean | undefined;
  metadata?: string[] | undefined;
}

export async function listProducts(
  db: Queryable,
  merchantId: string,
  filter: ProductFilter,
  range: Range,
): Promise<Product[]> {
  const conditions = new Conditions()
    .add('p.merchant_id = ?', merchantId)
    .within('p.id', range)
    .add('p.project_id = ?', filter.projectId)
    .add('p.is_active = ?', filter.isActive);
  const limit = conditions.limit(range.limit);
  conditions.addMetadata('products', 'p', { merchantId, ...range, metadata: filter.metadata }, limit);
  return db.query<Product>(
    `select ${products.columns('p')} from products p where ${conditions.where} order by p.id desc limit ${limit.place}`,
    conditions.values,
  );
}

export interface PriceFilter extends ProductFilter {
  productId?: string | undefined;
  billingMode?: BillingMode | undefined;
  lookupKey?: string[] | undefined;
}

export async function listPrices(
  db: Queryable,
  merchantId: string,
  filter: PriceFilter,
  range: Range,
): Promise<Price[]> {
  const conditions = new Conditions()
    .add('r.merchant_id = ?', merchantId)
    .within('r.id', range)
    .add('r.project_id = ?', filter.projectId)
    .add('r.product_id = ?', filter.productId)
    .add('r.billing_mode = ?', filter.billingMode)
    .add('r.lookup_key = any(?)', filter.lookupKey)
    .add('r.is_active = ?', filter.isActive);
  const limit = conditions.limit(range.limit);
  conditions.addMetadata('prices', 'r', { merchantId, ...range, metadata: filter.metadata }, limit);
  return db.query<Price>(
    `select ${prices.columns('r')} from prices r where ${conditions.where} order by r.id desc limit ${limit.place}`,
    conditions.values,
  );
}

/**
 * Prices that can be sold over a counter: active one-time prices of active products, by name; only those that follow a
 * price if one is named.
 */
export async function listShelf(
  db: Queryable,
  { merchantId, projectId }: { merchantId: string; projectId: string },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<CatalogPrice[]> {
  return db.query<CatalogPrice>(
    `select ${CATALOG_COLUMNS}
       from products p join prices r on r.merchant_id = p.merchant_id and r.product_id = p.id
      where p.merchant_id = $1 and p.project_id = $2 and p.is_active and r.is_active and r.billing_mode = 'one_time'
        and ($4::uuid is null or (lower(p.name), r.unit_amount_cents, r.id) > (
              select lower(b.name), a.unit_amount_cents, a.id
                from prices a join products b on b.merchant_id = a.merchant_id and b.id = a.product_id
               where a.merchant_id = $1 and a.id = $4))
      order by lower(p.name), r.unit_amount_cents, r.id limit $3`,
    [merchantId, projectId, limit, after ?? null],
  );
}
