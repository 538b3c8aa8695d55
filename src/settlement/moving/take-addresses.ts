import type pg from 'pg';
import { freeAddress } from '../../accounts/payouts/claim-address.ts';
import { copyIn } from '../../platform/backup/copy-rows.ts';
import type { MovedTable } from './moved-tables.ts';
import { createIncomingAddresses, insertIncomingAddresses, listIncomingAddresses } from './queries.ts';
import { queryable } from './queryable.ts';

/** Payout addresses come by the rules that hold for everybody: what another merchant here typed once and never used is free. */
export async function takeAddresses(
  client: pg.PoolClient,
  { columns }: MovedTable,
  rows: AsyncIterable<Buffer>,
  merchantId: string,
  now: Date,
): Promise<number> {
  const tx = queryable(client);
  await createIncomingAddresses(tx);
  const count = await copyIn(client, { name: 'incoming_addresses', columns }, rows);
  for (const address of await listIncomingAddresses(tx)) {
    const owner = await freeAddress(tx, { merchantId, address, now });
    if (owner)
      throw new Error(
        `the merchant ${owner.merchantId} of this installation has the payout address ${address}: nothing was imported`,
      );
  }
  await insertIncomingAddresses(tx, columns);
  return count;
}
