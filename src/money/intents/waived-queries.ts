import type { Queryable } from '../../platform/db/database.ts';
import type { Intent } from './intent.ts';

/** Stores the amount waived on an intent that has just been accepted as paid. */
export async function updateWaived(
  tx: Queryable,
  { merchantId, id, waivedBaseUnits }: Pick<Intent, 'merchantId' | 'id' | 'waivedBaseUnits'>,
): Promise<void> {
  await tx.query('update payment_intents set waived_base_units = $3 where merchant_id = $1 and id = $2', [
    merchantId,
    id,
    waivedBaseUnits.toString(),
  ]);
}
