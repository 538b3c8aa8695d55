import type { Queryable } from '../db/database.ts';

export async function findPasskeyRequired(db: Queryable, merchantId: string): Promise<boolean> {
  const [row] = await db.query<{ isRequired: boolean }>(
    'select require_passkeys as "isRequired" from merchants where id = $1',
    [merchantId],
  );
  return row?.isRequired ?? false;
}

export async function lockPasskeyRequired(tx: Queryable, merchantId: string): Promise<boolean> {
  const [row] = await tx.query<{ isRequired: boolean }>(
    'select require_passkeys as "isRequired" from merchants where id = $1 for no key update',
    [merchantId],
  );
  return row?.isRequired ?? false;
}

export async function updatePasskeyRequired(
  tx: Queryable,
  merchantId: string,
  isRequired: boolean,
): Promise<void> {
  await tx.query('update merchants set require_passkeys = $2 where id = $1', [merchantId, isRequired]);
}

/** Whether this member is an owner who has a passkey, of a merchant that requires it. */
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
