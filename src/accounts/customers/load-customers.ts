import type { Queryable } from '../../platform/db/database.ts';
import { byId } from '../../platform/http/expand.ts';
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
