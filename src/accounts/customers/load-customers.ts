import type { Queryable } from '../../platform/db/database.ts';
import { byId, type Expansion } from '../../platform/http/expand.ts';
import { presentCustomer } from './present.ts';
import { listCustomersByRef } from './queries.ts';

/** A merchant's customers as other answers include them. */
export async function loadCustomers(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, object>> {
  const refs = ids.map((id) => ({ merchantId, id }));
  return byId(await listCustomersByRef(db, refs), presentCustomer);
}

/** The customer that a row names. */
export function customerExpansion<Row extends { customerId: string | null }>(
  db: Queryable,
  merchantId: string,
): Expansion<Row> {
  return { idOf: ({ customerId }) => customerId, load: (ids) => loadCustomers(db, merchantId, ids) };
}
