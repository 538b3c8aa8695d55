import type { Queryable } from '../../platform/db/database.ts';
import { MAX_VIEWS, type SavedView, savedViews } from './saved-view.ts';

/** A member's own, and those that others share, oldest first, in the order of their tabs. */
export async function listViews(db: Queryable, merchantId: string, memberId: string): Promise<SavedView[]> {
  return db.query<SavedView>(
    `select ${savedViews.columns()} from saved_views where merchant_id = $1 and (member_id = $2 or is_shared)
      order by id limit ${5 * MAX_VIEWS}`,
    [merchantId, memberId],
  );
}

/** Waits for other changes of the same member's views, so that they can be counted. */
export async function countViews(tx: Queryable, merchantId: string, memberId: string): Promise<bigint> {
  await tx.query('select from members where merchant_id = $1 and id = $2 for no key update', [
    merchantId,
    memberId,
  ]);
  const [row] = await tx.query<{ count: bigint }>(
    'select count(*) from saved_views where merchant_id = $1 and member_id = $2',
    [merchantId, memberId],
  );
  return row!.count;
}

/** False where the member has one of this name for the list. */
export async function insertView(tx: Queryable, view: SavedView): Promise<boolean> {
  return (await savedViews.insert(tx, view, 'on conflict do nothing returning id')).length > 0;
}

/** True if the member has another view of this name for the list. */
export async function hasNamesake(db: Queryable, view: SavedView): Promise<boolean> {
  const rows = await db.query(
    `select from saved_views where merchant_id = $1 and member_id = $2 and list = $3 and lower(name) = lower($4)
        and id <> $5`,
    [view.merchantId, view.memberId, view.list, view.name, view.id],
  );
  return rows.length > 0;
}

export async function deleteView(tx: Queryable, { merchantId, id }: SavedView): Promise<void> {
  await tx.query('delete from saved_views where merchant_id = $1 and id = $2', [merchantId, id]);
}
