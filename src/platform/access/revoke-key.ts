import { recordAudit } from '../audit/record.ts';
import type { Tx } from '../db/database.ts';
import { AppError } from '../lib/errors.ts';
import { apiKeys, updateKeysRevoked } from './queries.ts';

export interface RevokeKey {
  merchantId: string;
  keyId: string;
  actor: string;
  now: Date;
}

/** Revokes a key permanently. Revoking it again changes nothing and is not an error. */
export async function revokeKey(tx: Tx, { merchantId, keyId, actor, now }: RevokeKey): Promise<void> {
  const revoked = await updateKeysRevoked(tx, merchantId, [keyId], now);
  if (revoked.length > 0) {
    await recordAudit(tx, { merchantId, actor, action: 'api_key.revoked', targetId: keyId, now });
  } else if (!(await apiKeys.find(tx, { merchantId, id: keyId }))) {
    throw new AppError('NOT_FOUND');
  }
}
