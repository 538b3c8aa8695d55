import { hexHash, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

export const knownDevices = table(
  'known_devices',
  { merchantId: uuid, memberId: uuid, tokenHash: hexHash, expiresAt: timestamp },
  ['merchantId', 'memberId', 'tokenHash'],
);

/** For whichever merchant: the e-mail address is all that a sign-in has said so far. */
export async function findDevice(
  db: Queryable,
  tokenHash: string,
  email: string,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `select from known_devices d
       join members m on m.merchant_id = d.merchant_id and m.id = d.member_id
      where d.token_hash = decode($1, 'hex') and d.expires_at > $3
        and ${folded('m.email')} = ${folded('$2')} and m.removed_at is null
      limit 1`,
    [tokenHash, email, now],
  );
  return rows.length > 0;
}

/** False when the member has not signed in with it before. */
export async function updateDeviceUsed(tx: Queryable, device: RowOf<typeof knownDevices>): Promise<boolean> {
  const rows = await tx.query(
    `update known_devices set expires_at = $4
      where merchant_id = $1 and member_id = $2 and token_hash = decode($3, 'hex') returning true`,
    [device.merchantId, device.memberId, device.tokenHash, device.expiresAt],
  );
  return rows.length > 0;
}

/** For every member known by it: it is one browser. */
export async function updateDeviceToken(tx: Queryable, fromHash: string, toHash: string): Promise<void> {
  await tx.query(
    `update known_devices set token_hash = decode($2, 'hex') where token_hash = decode($1, 'hex')`,
    [fromHash, toHash],
  );
}

export async function deleteDevices(tx: Queryable, merchantId: string, memberId: string): Promise<void> {
  await tx.query('delete from known_devices where merchant_id = $1 and member_id = $2', [
    merchantId,
    memberId,
  ]);
}
