import type pg from 'pg';
import type { Database } from '../db/database.ts';

/*
 * Rows may say which transaction wrote them, and readers stop below the oldest one still running. Each cluster
 * counts its transactions alone: an id from a longer-lived one would lie in this one's future, and its row
 * would be held back until the count got there. So the count is moved up to the backup's. Where that is too
 * far, the ids move down instead: the newest keep their order exactly, and the oldest meet at 1, where the
 * order is that of the row's own id.
 */

/** About two seconds' worth; beyond it, it is unlikely that anyone is still reading. */
const CATCH_UP_LIMIT = 300_000;
const BATCH = 50_000;

/** Uses up transaction ids until this cluster has counted as far as the backup's. */
export async function catchUpXids(db: Database, nextXid: string): Promise<void> {
  const { rows } = await db.pool.query<{ gap: number }>(
    `select greatest(0, least($1::numeric - pg_snapshot_xmax(pg_current_snapshot())::text::numeric, $2))::int as gap`,
    [nextXid, CATCH_UP_LIMIT],
  );
  for (let left = rows[0]!.gap; left > 0; left -= BATCH) {
    await db.pool.query(
      `do $$ begin for i in 1..${Math.min(left, BATCH)} loop perform pg_current_xact_id(); rollback; end loop; end $$`,
    );
  }
}

/** How far the backup's ids must still move down to lie below the transaction that loads them. */
export async function findXidShift(client: pg.PoolClient, nextXid: string): Promise<bigint> {
  const { rows } = await client.query<{ shift: bigint }>(
    'select greatest(0, $1::numeric - pg_current_xact_id()::text::numeric) as shift',
    [nextXid],
  );
  return rows[0]!.shift;
}

/** A column's value moved down by the statement's first parameter. */
export function shiftedXid(column: string): string {
  return `case when ${column} is not null then greatest(1, ${column}::text::numeric - $1)::text::xid8 end`;
}
