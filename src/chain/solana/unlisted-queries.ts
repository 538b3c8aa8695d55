import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';

/** A time of an account's history that no node lists any more. */
export interface Unlisted {
  from: Date;
  until: Date;
}

/** The history was listed as a whole up to then; it only ever moves forward. */
export async function updateListedThrough(db: Queryable, destination: string, through: Date): Promise<void> {
  await db.query(
    `update watched_accounts set listed_through = $2
      where destination = $1 and coalesce(listed_through, '-infinity') < $2`,
    [destination, through],
  );
}

/** Adds to what nobody has read, and lets reading go on after it. */
export async function updateUnlisted(
  db: Queryable,
  destination: string,
  { from, until }: Unlisted,
  listedThrough: Date,
): Promise<void> {
  await db.query(
    `update watched_accounts
        set unlisted_from = least(unlisted_from, $2), unlisted_until = greatest(unlisted_until, $3),
            listed_through = greatest(listed_through, $4)
      where destination = $1`,
    [destination, from, until, listedThrough],
  );
}

/** A node has listed it after all, and the books have what was in it. */
export async function deleteUnlisted(db: Queryable, destination: string): Promise<void> {
  await db.query(
    `update watched_accounts set unlisted_from = null, unlisted_until = null
      where destination = $1 and unlisted_from is not null`,
    [destination],
  );
}

export interface UnlistedAccount extends Unlisted {
  destination: string;
}

export async function listUnlisted(db: Queryable): Promise<UnlistedAccount[]> {
  return db.query<UnlistedAccount>(
    `select destination, unlisted_from as from, unlisted_until as until from watched_accounts
      where unlisted_from is not null and ${isOpenMerchant()} order by unlisted_from`,
  );
}
