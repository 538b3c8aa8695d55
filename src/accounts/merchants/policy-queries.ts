import type { Queryable } from '../../platform/db/database.ts';
import { merchants } from './merchant.ts';

/** True if the merchant's owners sign in with passkeys only. */
export async function findPasskeyRequired(db: Queryable, merchantId: string): Promise<boolean> {
  return (await merchants.find(db, { id: merchantId }))?.requirePasskeys ?? false;
}

export async function lockPasskeyRequired(tx: Queryable, merchantId: string): Promise<boolean> {
  return (await merchants.lock(tx, { id: merchantId }))?.requirePasskeys ?? false;
}
