import type { Queryable } from '../../platform/db/database.ts';

/** True if the merchant's owners sign in with passkeys only. */
export async function findPasskeyRequired(db: Queryable, merchantId: string): Promise<boolean> {
  const [row] = await db.query<{ isRequired: boolean }>(
    'select require_passkeys as is_required from merchants where id = $1',
    [merchantId],
  );
  return row?.isRequired ?? false;
}

export async function lockPasskeyRequired(tx: Queryable, merchantId: string): Promise<boolean> {
  const [row] = await tx.query<{ isRequired: boolean }>(
    'select require_passkeys as is_required from merchants where id = $1 for no key update',
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
