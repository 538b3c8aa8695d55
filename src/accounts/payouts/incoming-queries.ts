import type { Queryable } from '../../platform/db/database.ts';

/** Where addresses of a merchant that moves in are looked at before they go where they belong. */
export const INCOMING = 'incoming_addresses';

export async function createIncoming(tx: Queryable): Promise<void> {
  await tx.query(`create temporary table ${INCOMING} (like payout_addresses) on commit drop`);
}

export async function listIncoming(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ address: string }>(
    `select address from ${INCOMING} where not is_shared order by address`,
  );
  return rows.map(({ address }) => address);
}

export async function insertIncoming(tx: Queryable, columns: readonly string[]): Promise<void> {
  const names = columns.join(', ');
  await tx.query(`insert into payout_addresses (${names}) select ${names} from ${INCOMING}`);
}
