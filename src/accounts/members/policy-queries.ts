import type { Queryable } from '../../platform/db/database.ts';

/** True if this member is an owner with a passkey, of a merchant that requires it. */
export async function isPasskeyDue(db: Queryable, merchantId: string, memberId: string): Promise<boolean> {
  const rows = await db.query(
    `select from merchants o
       join members m on m.merchant_id = o.id
      where o.id = $1 and o.require_passkeys and m.id = $2 and m.role = 'owner'
        and exists (select from passkeys p where p.merchant_id = m.merchant_id and p.member_id = m.id)`,
    [merchantId, memberId],
  );
  return rows.length > 0;
}
