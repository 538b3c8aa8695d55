import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Ref, ScopedRef } from '../../platform/lib/ref.ts';
import { type Customer, customers } from './customer.ts';

const COLUMNS = `${customers.columns('c')},
  coalesce(b.credits, 0) as credit_balance, coalesce(b.cents, 0) as account_credit_cents`;

/** Joins the balance: of a customer who was merged into another, that one's. */
const PARTS =
  'left join balances b on b.merchant_id = c.merchant_id and b.customer_id = coalesce(c.merged_into_id, c.id)';
const FROM = `customers c ${PARTS}`;

const BY_REF = `select ${COLUMNS} from ${FROM}
      where c.merchant_id = $1 and c.id = $2 and c.project_id = coalesce($3, c.project_id)`;

/** An erased customer counts as missing. */
export async function findCustomer(db: Queryable, ref: ScopedRef): Promise<Customer | undefined> {
  const [row] = await db.query<Customer>(`${BY_REF} and c.erased_at is null`, valuesOf(ref));
  return row;
}

/** For objects that refer to a customer and outlive them: an erased customer has only an ID and balances. */
export async function findCustomerOrErased(db: Queryable, ref: ScopedRef): Promise<Customer | undefined> {
  const [row] = await db.query<Customer>(BY_REF, valuesOf(ref));
  return row;
}

/** For code that is about to refer to a customer: they cannot be erased until the transaction ends. */
export async function lockCustomerForUse(tx: Queryable, ref: ScopedRef): Promise<Customer | undefined> {
  const [row] = await tx.query<Customer>(
    `${BY_REF} and c.erased_at is null for key share of c`,
    valuesOf(ref),
  );
  return row;
}

function valuesOf({ merchantId, id, projectId }: ScopedRef) {
  return [merchantId, id, projectId ?? null];
}

const REFS = `
       from unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)
       join customers c on c.merchant_id = w.merchant_id and c.id = w.id ${PARTS}`;

/** The same for many. */
export async function lockCustomersForUse(tx: Queryable, refs: readonly Ref[]): Promise<Customer[]> {
  return tx.query<Customer>(`select ${COLUMNS} ${REFS} where c.erased_at is null for key share of c`, [
    refs.map((ref) => ref.merchantId),
    refs.map((ref) => ref.id),
  ]);
}

/** Reads many, erased ones included. */
export async function listCustomersByRef(db: Queryable, refs: readonly Ref[]): Promise<Customer[]> {
  return db.query<Customer>(`select ${COLUMNS} ${REFS}`, [
    refs.map((ref) => ref.merchantId),
    refs.map((ref) => ref.id),
  ]);
}

/** They cannot be erased until the transaction ends. */
export async function lockCustomerByExternalId(
  tx: Queryable,
  merchantId: string,
  projectId: string,
  externalCustomerId: string,
): Promise<Customer | undefined> {
  const [row] = await tx.query<Customer>(
    `select ${COLUMNS} from ${FROM}
      where c.merchant_id = $1 and c.project_id = $2 and c.external_customer_id = $3 for key share of c`,
    [merchantId, projectId, externalCustomerId],
  );
  return row;
}

export interface ExternalRef {
  merchantId: string;
  projectId: string;
  externalCustomerId: string;
}

/** The same for many, each in its own project. */
export async function lockByExternalId(tx: Queryable, refs: readonly ExternalRef[]): Promise<Customer[]> {
  return tx.query<Customer>(
    `select ${COLUMNS}
       from unnest($1::uuid[], $2::uuid[], $3::text[]) as w(merchant_id, project_id, external_customer_id)
       join customers c on c.merchant_id = w.merchant_id and c.project_id = w.project_id
                       and c.external_customer_id = w.external_customer_id
       ${PARTS}
        for key share of c`,
    [
      refs.map((ref) => ref.merchantId),
      refs.map((ref) => ref.projectId),
      refs.map((ref) => ref.externalCustomerId),
    ],
  );
}

/**
 * Returns how many were written: all but those whose externalCustomerId exists. In the same order as everywhere, to
 * avoid deadlocks.
 */
export async function insertCustomers(tx: Queryable, rows: readonly Customer[]): Promise<number> {
  const inOrder = rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const once = 'on conflict (merchant_id, project_id, external_customer_id) do nothing returning id';
  return (await customers.insert(tx, inOrder, once)).length;
}

const placeOf = ({ merchantId, projectId, externalCustomerId, id }: Customer) =>
  `${merchantId} ${projectId} ${externalCustomerId ?? ''} ${id}`;

export interface CustomerFilter {
  projectId?: string | undefined;
  externalCustomerId?: string | undefined;
  email?: string | undefined;
  metadata?: string[] | undefined;
}

export async function listCustomers(
  db: Queryable,
  merchantId: string,
  filter: CustomerFilter,
  range: Range,
): Promise<Customer[]> {
  const conditions = new Conditions()
    .add('c.merchant_id = ? and c.erased_at is null', merchantId)
    .within('c.id', range)
    .add('c.project_id = ?', filter.projectId)
    .add('c.external_customer_id = ?', filter.externalCustomerId)
    .add(`c.email is not null and ${folded('c.email')} = ${folded('?')}`, filter.email);
  // Found by their own id only: by everything else, the one that they were merged into is.
  if (filter.externalCustomerId === undefined) conditions.addFact('c.merged_into_id is null');
  const limit = conditions.limit(range.limit);
  conditions.addMetadata('customers', 'c', { merchantId, ...range, metadata: filter.metadata }, limit);
  return db.query<Customer>(
    `select ${COLUMNS}
       from ${conditions.newest('customers', 'c', limit)} ${PARTS} order by c.id desc`,
    conditions.values,
  );
}

/** Locks the row so that two corrections do not mix. */
export async function lockCustomer(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<Customer | undefined> {
  const [row] = await tx.query<Customer>(
    `select ${COLUMNS} from ${FROM} where c.merchant_id = $1 and c.id = $2 and c.erased_at is null
        for no key update of c`,
    [merchantId, id],
  );
  return row;
}

/** With those who were merged into them: they have the same details, but notes of their own. */
export async function updateCustomer(tx: Queryable, customer: Customer): Promise<void> {
  await tx.query(
    `update customers set email = $3, name = $4, language = $5, metadata = case when id = $2 then $6 else metadata end, address = $7, country = $8,
            is_business = $9, tax_ids = $10, email_source = $11
      where merchant_id = $1 and (id = $2 or merged_into_id = $2)`,
    [
      customer.merchantId,
      customer.id,
      customer.email,
      customer.name,
      customer.language,
      customer.metadata,
      customer.address && JSON.stringify(customer.address),
      customer.country,
      customer.isBusiness,
      JSON.stringify(customer.taxIds),
      customer.emailSource,
    ],
  );
}

/** Only addresses that somebody typed: what the merchant set stays theirs. */
export async function updateProven(
  tx: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update customers set email_source = 'mailbox'
      where merchant_id = $1 and (id = any($2) or merged_into_id = any($2)) and email_source = 'typed' returning id`,
    [merchantId, ids],
  );
  return rows.map(({ id }) => id);
}

/** Waits for everything that is about to refer to the customer, and blocks more of it until the transaction ends. */
export async function lockCustomerForErasure(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<Customer | undefined> {
  const [row] = await tx.query<Customer>(
    `select ${COLUMNS} from ${FROM} where c.merchant_id = $1 and c.id = $2 and c.erased_at is null
        for update of c`,
    [merchantId, id],
  );
  return row;
}

/** Customers who are about to be merged, always locked in the same order. */
export async function lockCustomersToMerge(
  tx: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<Customer[]> {
  return tx.query<Customer>(
    `select ${COLUMNS} from ${FROM}
      where c.merchant_id = $1 and c.id = any($2) and c.erased_at is null order by c.id for update of c`,
    [merchantId, ids],
  );
}

/** Makes these customers other names of one: its details are theirs. */
export async function updateMerged(
  tx: Queryable,
  merchantId: string,
  ids: readonly string[],
  intoId: string,
): Promise<void> {
  await tx.query(
    `update customers c
        set merged_into_id = o.id, email = o.email, email_source = o.email_source, name = o.name, language = o.language,
            address = o.address, country = o.country, is_business = o.is_business, tax_ids = o.tax_ids
       from customers o
      where o.merchant_id = $1 and o.id = $3 and c.merchant_id = $1 and c.id = any($2)`,
    [merchantId, ids, intoId],
  );
}

/** Lists the customers who were merged into one. */
export async function listMerged(db: Queryable, { merchantId, id }: Ref): Promise<Customer[]> {
  return db.query<Customer>(
    `select ${COLUMNS} from ${FROM} where c.merchant_id = $1 and c.merged_into_id = $2 order by c.id`,
    [merchantId, id],
  );
}
