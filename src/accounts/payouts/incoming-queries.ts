import type { Queryable } from '../../platform/db/database.ts';

/** Shared ones too: what two merchants had in common elsewhere is not for one to bring along here. */
export async function listIncoming(tx: Queryable, from: string): Promise<string[]> {
  const rows = await tx.query<{ address: string }>(`select distinct address from ${from} order by 1`);
  return rows.map(({ address }) => address);
}
