import type { Tx } from '../../platform/db/database.ts';
import { merchants } from './merchant.ts';
import { lockPasskeyRequired } from './policy-queries.ts';

/** Sets whether owners must sign in with a passkey; returns what it was before. The caller records why. */
export async function requirePasskeys(tx: Tx, merchantId: string, isRequired: boolean): Promise<boolean> {
  const before = await lockPasskeyRequired(tx, merchantId);
  if (before !== isRequired) await merchants.update(tx, { id: merchantId }, { requirePasskeys: isRequired });
  return before;
}
