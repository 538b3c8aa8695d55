import type { Tx } from '../../platform/db/database.ts';
import { announceCustomer } from './announce-customers.ts';
import { findCustomer, updateProven } from './queries.ts';

/** Notes that a link mailed to the address of these customers was opened. */
export async function proveAddresses(
  tx: Tx,
  merchantId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  for (const id of await updateProven(tx, merchantId, ids))
    await announceCustomer(tx, 'customer.updated', (await findCustomer(tx, { merchantId, id }))!, now);
}
