import type { Queryable } from '../../platform/db/database.ts';
import type { Customer, CustomerRef } from './customer.ts';
import { findCustomerRow, listCustomersByRef } from './queries.ts';

export function findCustomer(db: Queryable, ref: CustomerRef): Promise<Customer | undefined> {
  return findCustomerRow(db, ref);
}

/** Many at once. */
export function findCustomers(
  db: Queryable,
  refs: readonly { merchantId: string; id: string }[],
): Promise<Customer[]> {
  return listCustomersByRef(db, refs);
}
