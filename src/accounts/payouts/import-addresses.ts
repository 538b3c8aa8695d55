import type { Queryable } from '../../platform/db/database.ts';
import { freeAddress } from './claim-address.ts';
import { createIncoming, INCOMING, insertIncoming, listIncoming } from './incoming-queries.ts';

export interface IncomingAddresses {
  merchantId: string;
  columns: readonly string[];
  now: Date;
  /** Copies the rows into a table of this name, and answers how many there are. */
  copyInto(table: string): Promise<number>;
}

/**
 * The payout addresses of a merchant that moves in, by the rules that hold for everybody: what another merchant here typed
 * once and never used is free.
 */
export async function importAddresses(
  tx: Queryable,
  { merchantId, columns, now, copyInto }: IncomingAddresses,
): Promise<number> {
  await createIncoming(tx);
  const count = await copyInto(INCOMING);
  for (const address of await listIncoming(tx)) {
    const owner = await freeAddress(tx, { merchantId, address, now });
    if (owner)
      throw new Error(
        `the merchant ${owner.merchantId} of this installation has the payout address ${address}: nothing was imported`,
      );
  }
  await insertIncoming(tx, columns);
  return count;
}
