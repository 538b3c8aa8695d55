import type pg from 'pg';
import { freeIncomingAddresses } from '../../accounts/payouts/free-incoming-addresses.ts';
import { copyIn } from '../table-file/copy-rows.ts';
import type { MovedTable } from './moved-tables.ts';
import { createIncoming, dropIncoming, hasForeignRows, INCOMING, insertOwn } from './queries.ts';
import { queryable } from './queryable.ts';

export interface ImportTarget {
  client: pg.PoolClient;
  merchantId: string;
  now: Date;
}

/**
 * Takes a table's rows into the database: first into one that nobody sees, where PostgreSQL itself says whose they are, and
 * then only the merchant's own. Returns how many were taken.
 */
export async function importRows(
  { client, merchantId, now }: ImportTarget,
  table: MovedTable,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const tx = queryable(client);
  await createIncoming(tx, table);
  const arrived = await copyIn(client, { ...table, name: INCOMING }, rows);
  if (await hasForeignRows(tx, table, merchantId))
    throw new Error(`the export holds rows of another merchant, in ${table.name}`);
  if (table.name === 'payout_addresses') await freeIncomingAddresses(tx, { merchantId, now, from: INCOMING });
  const taken = await insertOwn(tx, table, merchantId);
  if (taken !== arrived)
    throw new Error(
      `the export has ${arrived} rows of ${table.name}, but ${taken} of them are the merchant’s`,
    );
  await dropIncoming(tx);
  return taken;
}
