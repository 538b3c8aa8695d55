import type { Tx } from '../platform/db/database.ts';
import { AppError } from '../platform/lib/errors.ts';
import { newId } from '../platform/lib/ids.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, insertResend } from './queries.ts';

export interface Resend {
  merchantId: string;
  deliveryId: string;
  now: Date;
}

/** Sends an event again, whatever became of the earlier delivery: same event id, same bytes, a new delivery. */
export async function resendDelivery(tx: Tx, { merchantId, deliveryId, now }: Resend): Promise<Delivery> {
  const before = await findDelivery(tx, merchantId, deliveryId);
  if (!before) throw new AppError('NOT_FOUND');
  if (before.requestBody === null) throw new AppError('DELIVERY_PRUNED');
  const resend = await insertResend(tx, merchantId, deliveryId, newId(now), now);
  if (!resend) throw new AppError('WEBHOOK_NOT_CONFIGURED');
  return resend;
}
