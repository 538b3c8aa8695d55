import { paymentInProgress } from '../../intents/payment-in-progress.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { updateNotSent, updateSending } from './check-queries.ts';
import { landsUntil } from './refund.ts';

interface Sending {
  merchantId: string;
  ids: readonly string[];
  signature: string;
  now: Date;
}

/**
 * Sends refunds unless another transaction of one of them may still land: two tabs, two people and a program cannot send
 * a refund twice. The same transaction may be sent again. Where the network does not take it, the refunds are free at once, unless
 * it was sent another time too.
 */
export async function sendOnce<Result>(
  db: Database,
  { merchantId, ids, signature, now }: Sending,
  send: () => Promise<Result>,
): Promise<Result> {
  await db.transaction(async (tx) => {
    const free = await updateSending(tx, merchantId, ids, { signature, now, until: landsUntil(now) });
    if (free.length < ids.length) throw underWay();
  });
  try {
    return await send();
  } catch (error) {
    // Any other error leaves it open whether the transaction has reached the network.
    if (!(error instanceof AppError && error.code === 'INVALID_STATE')) throw error;
    throw (await updateNotSent(db, merchantId, ids, signature)) ? underWay() : error;
  }
}

const underWay = () =>
  paymentInProgress('A transaction of this refund is already under way; wait until it has landed or lapsed.');
