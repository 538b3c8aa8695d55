import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { BillingMode, CatalogPrice, Price } from './price.ts';
import type { Product } from './product.ts';

export interface CatalogRef {
  merchantId: string;
  id: string;
  /** If set, products of other projects count as missing. */
  projectId?: string;
}

const PRODUCT_COLUMNS = `
  p.id, p.merchant_id, p.project_id, p.name, p.description,
  p.is_active, p.image_file, p.metadata, p.created_at`;

const PRICE_COLUMNS = `
  r.id, r.merchant_id, r.project_id, r.product_id, r.name, r.lookup_key,
  r.unit_amount_cents, r.currency, r.billing_mode,
  r.credit_amount, r.recurring_interval,
  r.recurring_interval_count, r.trial_days, r.tax_behavior,
  r.tax_rate_id, r.is_active, r.metadata, r.created_at`;

export async function findProductRow(db: Queryable, ref: CatalogRef): Promise<Product | undefined> {
  const [row] = await db.query<Product>(
    `select ${PRODUCT_COLUMNS} from products p
      where p.merchant_id = $1 and p.id = $2 and p.project_id = coalesce($3, p.project_id)`,
    [ref.merchantId, ref.id, ref.projectId ?? null],
  );
  return row;
}

/** Products that exist among these ids. */
export async function listProductsById(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<Product[]> {
  return db.query<Product>(
    `select ${PRODUCT_COLUMNS} from products p where p.merchant_id = $1 and p.id = any($2::uuid[])`,
    [merchantId, ids],
  );
}

export async function insertProduct(tx: Queryable, product: Product): Promise<void> {
  await tx.query(
    `insert into products (merchant_id, id, project_id, name, description, is_active, metadata, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      product.merchantId,
      product.id,
      product.projectId,
      product.name,
      product.description,
      product.isActive,
      product.metadata,
      product.createdAt,
    ],
  );
}

/** A price with its product's name and whether that is active. */
export async function findPrice(db: Queryable, ref: CatalogRef): Promise<CatalogPrice | undefined> {
  const [row] = await db.query<CatalogPrice>(
    `select ${PRICE_COLUMNS}, p.name as product_name, p.description as product_description,
            p.image_file as product_image_file, p.is_active as product_is_active
       from prices r join products p on p.merchant_id = r.merchant_id and p.id = r.product_id
      where r.merchant_id = $1 and r.id = $2 and r.project_id = coalesce($3, r.project_id)`,
    [ref.merchantId, ref.id, ref.projectId ?? null],
  );
  return row;
}

/** Reads many, each by its own id. */
export async function listPricesByRef(
  db: Queryable,
  refs: readonly { merchantId: string; id: string }[],
): Promise<CatalogPrice[]> {
  if (refs.length === 0) return [];
  return db.query<CatalogPrice>(
    `select ${PRICE_COLUMNS}, p.name as product_name, p.description as product_description,
            p.image_file as product_image_file, p.is_active as product_is_active
       from unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)
       join prices r on r.merchant_id = w.merchant_id and r.id = w.id
       join products p on p.merchant_id = r.merchant_id and p.id = r.product_id`,
    [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.id)],
  );
}

/** False where another price of the project has its lookupKey: the index decides. */
export async function insertPrice(tx: Queryable, price: Price): Promise<boolean> {
  const rows = await tx.query(
    `insert into prices (merchant_id, id, project_id, product_id, name, unit_amount_cents, currency, billing_mode,
                         credit_amount, recurring_interval, recurring_interval_count, is_active, metadata, created_at, lookup_key,
                         trial_days, tax_behavior, tax_rate_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     on conflict (merchant_id, project_id, lookup_key) where lookup_key is not null do nothing returning id`,
    [
      price.merchantId,
      price.id,
      price.projectId,
      price.productId,
      price.name,
      price.unitAmountCents,
      price.currency,
      price.billingMode,
      price.creditAmount,
      price.recurringInterval,
      price.recurringIntervalCount,
      price.isActive,
      price.metadata,
      price.createdAt,
      price.lookupKey,
      price.trialDays,
      price.taxBehavior,
      price.taxRateId,
    ],
  );
  return rows.length > 0;
}

/** The price of the project that has this lookupKey. */
export async function findPriceByLookupKey(
  db: Queryable,
  { merchantId, projectId, lookupKey }: { merchantId: string; projectId: string; lookupKey: string },
): Promise<{ id: string } | undefined> {
  const [row] = await db.query<{ id: string }>(
    'select id from prices where merchant_id = $1 and project_id = $2 and lookup_key = $3',
    [merchantId, projectId, lookupKey],
  );
  return row;
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
    `select ${PRODUCT_COLUMNS} from products p where ${conditions.where} order by p.id desc limit ${limit.place}`,
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
    `select ${PRICE_COLUMNS} from prices r where ${conditions.where} order by r.id desc limit ${limit.place}`,
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
    `select ${PRICE_COLUMNS}, p.name as product_name, p.description as product_description,
            p.image_file as product_image_file, p.is_active as product_is_active
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

/** Locks the row so that two changes do not mix. */
export async function lockProduct(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<Product | undefined> {
  const [row] = await tx.query<Product>(
    `select ${PRODUCT_COLUMNS} from products p where p.merchant_id = $1 and p.id = $2 for no key update`,
    [merchantId, id],
  );
  return row;
}

export async function updateProduct(tx: Queryable, product: Product): Promise<void> {
  await tx.query(
    `update products set name = $3, description = $4, is_active = $5, metadata = $6
      where merchant_id = $1 and id = $2`,
    [product.merchantId, product.id, product.name, product.description, product.isActive, product.metadata],
  );
}

export async function updateProductImage(
  tx: Queryable,
  { merchantId, id, imageFile }: Pick<Product, 'merchantId' | 'id' | 'imageFile'>,
): Promise<void> {
  await tx.query('update products set image_file = $3 where merchant_id = $1 and id = $2', [
    merchantId,
    id,
    imageFile,
  ]);
}

export async function lockPrice(tx: Queryable, merchantId: string, id: string): Promise<Price | undefined> {
  const [row] = await tx.query<Price>(
    `select ${PRICE_COLUMNS} from prices r where r.merchant_id = $1 and r.id = $2 for no key update`,
    [merchantId, id],
  );
  return row;
}

export async function updatePrice(tx: Queryable, price: Price): Promise<void> {
  await tx.query(
    `update prices set name = $3, is_active = $4, metadata = $5, lookup_key = $6, tax_behavior = $7, tax_rate_id = $8
      where merchant_id = $1 and id = $2`,
    [
      price.merchantId,
      price.id,
      price.name,
      price.isActive,
      price.metadata,
      price.lookupKey,
      price.taxBehavior,
      price.taxRateId,
    ],
  );
}
