import type { Queryable } from '../../platform/db/database.ts';
import { listMerged } from './queries.ts';

export interface ByCustomer {
  customerId?: string | undefined;
  customerIds?: readonly string[] | undefined;
}

/** A filter by customer that also finds what belongs to those who were merged into them. */
export async function withMerged<Filter extends ByCustomer>(
  db: Queryable,
  merchantId: string,
  filter: Filter,
): Promise<Filter> {
  const { customerId } = filter;
  if (customerId === undefined) return filter;
  const merged = await listMerged(db, { merchantId, id: customerId });
  if (merged.length === 0) return filter;
  return { ...filter, customerId: undefined, customerIds: [customerId, ...merged.map(({ id }) => id)] };
}
