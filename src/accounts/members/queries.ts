import type { Role } from '../../platform/access/role.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import type { Member } from './member.ts';

const COLUMNS = `
  merchant_id, id, email, name, role, password_hash, created_at,
  updated_at, last_signed_in_at, disabled_at`;

/** False when the merchant has a member with this e-mail address already. */
export async function insertMember(tx: Queryable, member: Member): Promise<boolean> {
  const rows = await tx.query(
    `insert into members (merchant_id, id, email, name, role, password_hash, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict do nothing returning true`,
    [
      member.merchantId,
      member.id,
      member.email,
      member.name,
      member.role,
      member.passwordHash,
      member.createdAt,
    ],
  );
  return rows.length > 0;
}

export async function findMemberByEmail(
  db: Queryable,
  merchantId: string,
  email: string,
): Promise<Member | undefined> {
  const [row] = await db.query<Member>(
    `select ${COLUMNS} from members where merchant_id = $1 and ${folded('email')} = ${folded('$2')} and removed_at is null`,
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
    `select ${COLUMNS} from members where ${folded('email')} = ${folded('$1')} and removed_at is null
      order by exists (select from merchants m where m.id = merchant_id and m.moved_to is not null),
               last_signed_in_at desc nulls last, merchant_id`,
    [email],
  );
}

export async function findMember(db: Queryable, merchantId: string, id: string): Promise<Member | undefined> {
  const [row] = await db.query<Member>(
    `select ${COLUMNS} from members where merchant_id = $1 and id = $2 and removed_at is null`,
    [merchantId, id],
  );
  return row;
}

export async function listMembers(db: Queryable, merchantId: string): Promise<Member[]> {
  return db.query<Member>(
    `select ${COLUMNS} from members where merchant_id = $1 and removed_at is null order by id`,
    [merchantId],
  );
}

/** All of a merchant's, so that two owners cannot remove each other concurrently. */
export async function lockMembers(tx: Queryable, merchantId: string): Promise<Member[]> {
  return tx.query<Member>(
    `select ${COLUMNS} from members where merchant_id = $1 and removed_at is null order by id for update`,
    [merchantId],
  );
}

export async function lockMember(tx: Queryable, merchantId: string, id: string): Promise<Member | undefined> {
  const [row] = await tx.query<Member>(
    `select ${COLUMNS} from members where merchant_id = $1 and id = $2 and removed_at is null for update`,
    [merchantId, id],
  );
  return row;
}

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

export async function updateMember(
  tx: Queryable,
  { merchantId, id }: Pick<Member, 'merchantId' | 'id'>,
  change: { name: string; role: Role; disabledAt: Date | null; passwordHash: string | null },
  now: Date,
): Promise<void> {
  await tx.query(
    `update members set name = $3, role = $4, disabled_at = $5, password_hash = $6, updated_at = $7
      where merchant_id = $1 and id = $2`,
    [merchantId, id, change.name, change.role, change.disabledAt, change.passwordHash, now],
  );
}

export async function updateRemoved(tx: Queryable, merchantId: string, id: string, now: Date): Promise<void> {
  await tx.query(
    `update members set removed_at = $3, updated_at = $3, password_hash = null where merchant_id = $1 and id = $2`,
    [merchantId, id, now],
  );
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
