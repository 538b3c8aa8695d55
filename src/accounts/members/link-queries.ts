import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import { type MemberLink, memberLinks } from './member-link.ts';

export const findLinkByToken = (db: Queryable, tokenHash: string) => memberLinks.find(db, { tokenHash });

/** None if it was used or has expired. Of two concurrent uses, one waits and finds it used. */
export async function updateLinkUsed(
  tx: Queryable,
  tokenHash: string,
  now: Date,
): Promise<MemberLink | undefined> {
  const [row] = await tx.query<MemberLink>(
    `update member_links set used_at = $2
      where token_hash = decode($1, 'hex') and used_at is null and expires_at > $2 returning ${memberLinks.columns()}`,
    [tokenHash, now],
  );
  return row;
}

export async function listOpenInvitations(
  db: Queryable,
  merchantId: string,
  now: Date,
): Promise<MemberLink[]> {
  return db.query<MemberLink>(
    `select ${memberLinks.columns()} from member_links
      where merchant_id = $1 and kind = 'invitation' and used_at is null and expires_at > $2 order by id desc`,
    [merchantId, now],
  );
}

/** Deletes the unused links that a fresh one of the same kind for the same person replaces. */
export async function deleteOpenLinks(
  tx: Queryable,
  { merchantId, kind, email, memberId }: Pick<MemberLink, 'merchantId' | 'kind' | 'email' | 'memberId'>,
): Promise<void> {
  await tx.query(
    `delete from member_links
      where merchant_id = $1 and kind = $2 and used_at is null
        and ${folded('email')} is not distinct from ${folded('$3')} and member_id is not distinct from $4`,
    [merchantId, kind, email, memberId],
  );
}

/** Returns the invitation; none if it was accepted, or is not an invitation of this merchant. */
export async function deleteInvitation(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<MemberLink | undefined> {
  const [row] = await tx.query<MemberLink>(
    `delete from member_links where merchant_id = $1 and id = $2 and kind = 'invitation' and used_at is null
     returning ${memberLinks.columns()}`,
    [merchantId, id],
  );
  return row;
}

/** Links through which a removed member could still regain access. */
export async function deleteMemberLinks(tx: Queryable, merchantId: string, memberId: string): Promise<void> {
  await tx.query(`delete from member_links where merchant_id = $1 and member_id = $2 and used_at is null`, [
    merchantId,
    memberId,
  ]);
}
