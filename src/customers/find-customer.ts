import type { Queryable } from '../db/database.ts';
import type { Customer, CustomerRef } from './customer.ts';
import { findCustomerRow } from './queries.ts';

export function findCustomer(db: Queryable, ref: CustomerRef): Promise<Customer | undefined> {
  return findCustomerRow(db, ref);
}
