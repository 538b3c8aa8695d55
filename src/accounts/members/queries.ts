import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import { type Member, members } from './member.ts';

/** False when the merchant has a member with this e-mail address already. */
export async function insertMember(tx: Queryable, member: Member): Promise<boolean> {
  return (await members.insert(tx, member, 'on conflict do nothing returning true')).length > 0;
}

export async function findMemberByEmail(
  db: Queryable,
  merchantId: string,
  email: string,
): Promise<Member | undefined> {
  const [row] = await db.query<Member>(
    `select ${members.columns()} from members where merchant_id = $1 and ${folded('email')} = ${folded('$2')} and removed_at is null`,
    [merchantId, email],
  );
  return row;
}

/**
 * Members of all merchants with this address, the one last signed in to first, and one that has moved away last: a
 * sign-in has not said yet which merchant it is for.
 */
export async function listMembersByEmail(db: Queryable, email: string): Promise<Member[]> {
  return db.query<Member>(
    `select ${members.columns()} from members where ${folded('email')} = ${folded('$1')} and removed_at is null
      order by exists (select from merchants m where m.id = merchant_id and m.moved_to is not null),
               last_signed_in_at desc nulls last, merchant_id`,
    [email],
  );
}

export const findMember = (db: Queryable, merchantId: string, id: string) =>
  members.find(db, { merchantId, id }, 'and removed_at is null');

export const listMembers = (db: Queryable, merchantId: string) =>
  members.list(db, { merchantId }, 'and removed_at is null order by id');

/** All of a merchant's, so that two owners cannot remove each other concurrently. */
export const lockMembers = (tx: Queryable, merchantId: string) =>
  members.list(tx, { merchantId }, 'and removed_at is null order by id for update');

export const lockMember = (tx: Queryable, merchantId: string, id: string) =>
  members.find(tx, { merchantId, id }, 'and removed_at is null for update');

/** False if they can no longer sign in. */
export async function updateSignedIn(
  tx: Queryable,
  { merchantId, id }: Pick<Member, 'merchantId' | 'id'>,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update members set last_signed_in_at = $3
      where merchant_id = $1 and id = $2 and disabled_at is null and removed_at is null returning true`,
    [merchantId, id, now],
  );
  return rows.length > 0;
}

/** Removed ones included: the audit log still names them. */
export async function listMemberNames(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db.query('select id, name from members where merchant_id = $1 and id = any($2::uuid[])', [
    merchantId,
    ids,
  ]);
}
