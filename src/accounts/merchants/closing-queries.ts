import type { Queryable } from '../../platform/db/database.ts';
import { type Merchant, merchants } from './merchant.ts';

/** State of a merchant that moves between two installations; open as long as it is not closed. */
export interface Closing extends Pick<Merchant, 'name' | 'closedAt' | 'movedTo'> {
  merchantId: string;
}

const COLUMNS = 'id as merchant_id, name, closed_at, moved_to';

export async function lockClosing(tx: Queryable, id: string): Promise<Closing | undefined> {
  const [row] = await tx.query<Closing>(`select ${COLUMNS} from merchants where id = $1 for no key update`, [
    id,
  ]);
  return row;
}

export async function findClosing(db: Queryable, id: string): Promise<Closing | undefined> {
  const [row] = await db.query<Closing>(`select ${COLUMNS} from merchants where id = $1`, [id]);
  return row;
}

export async function listClosed(db: Queryable): Promise<Closing[]> {
  return db.query<Closing>(`select ${COLUMNS} from merchants where closed_at is not null order by id`);
}

export const updateClosing = (tx: Queryable, { merchantId: id, ...change }: Omit<Closing, 'name'>) =>
  merchants.update(tx, { id }, { closedAt: change.closedAt, movedTo: change.movedTo });

/** Lets this transaction write of a merchant that is closed. */
export async function prepareMove(tx: Queryable): Promise<void> {
  await tx.query(`select set_config('florin.moving', 'yes', true)`);
}

/** A number that is higher than that of every transaction which has written anything: a snapshot's end may be lower. */
export async function findNewestTransaction(db: Queryable): Promise<string> {
  const [row] = await db.query<{ taken: string }>('select pg_current_xact_id()::text as taken');
  return row!.taken;
}

/** True if a transaction with a lower number is still open. */
export async function hasTransactionBefore(db: Queryable, number: string): Promise<boolean> {
  const [row] = await db.query<{ isOpen: boolean }>(
    'select pg_snapshot_xmin(pg_current_snapshot()) < $1::text::xid8 as is_open',
    [number],
  );
  return row!.isOpen;
}
