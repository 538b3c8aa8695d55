import type { Tx } from '../../platform/db/database.ts';
import { lockPasskeyRequired, updatePasskeyRequired } from './policy-queries.ts';

/** Sets whether owners must sign in with a passkey; returns what it was before. The caller records why. */
export async function requirePasskeys(tx: Tx, merchantId: string, isRequired: boolean): Promise<boolean> {
  const before = await lockPasskeyRequired(tx, merchantId);
  if (before !== isRequired) await updatePasskeyRequired(tx, merchantId, isRequired);
  return before;
}
