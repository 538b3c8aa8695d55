import type { Queryable } from '../../platform/db/database.ts';
import { freeAddress } from './claim-address.ts';
import { listIncoming } from './incoming-queries.ts';

export interface IncomingAddresses {
  merchantId: string;
  now: Date;
  /** The table that holds them until they are taken. */
  from: string;
}

/**
 * Makes room for the payout addresses of a merchant that moves in, by the rules that hold for everybody: what another
 * merchant here typed once and never used is free, and any other is refused.
 */
export async function freeIncomingAddresses(
  tx: Queryable,
  { merchantId, now, from }: IncomingAddresses,
): Promise<void> {
  for (const address of await listIncoming(tx, from)) {
    const owner = await freeAddress(tx, { merchantId, address, now });
    if (owner)
      throw new Error(
        `the merchant ${owner.merchantId} of this installation has the payout address ${address}: nothing was imported`,
      );
  }
}
