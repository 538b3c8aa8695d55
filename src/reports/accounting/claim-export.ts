import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';

/** Limit that lets a merchant save two files at the same time. */
const OF_ONE_MERCHANT = 2;

/** Number of exports that run for each merchant, in this process. */
const running = new Map<string, number>();

/**
 * A place among the exports that run; answers how to give it back, which has an effect once. Each holds a connection to the
 * database for as long as its reader takes, so all together take half of them at most, and one merchant cannot take all.
 */
export function claimExport({ pool }: Pick<Database, 'pool'>, merchantId: string): () => void {
  const most = Math.max(1, Math.floor(pool.options.max / 2));
  const own = running.get(merchantId) ?? 0;
  const all = running.values().reduce((sum, count) => sum + count, 0);
  if (own >= Math.min(OF_ONE_MERCHANT, Math.max(1, most - 1)) || all >= most)
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: `${own > 0 ? 'Your other' : 'Other'} exports are running. Try again in a minute.`,
      retryAfterSeconds: 60,
    });
  running.set(merchantId, own + 1);
  let isTaken = true;
  return () => {
    if (isTaken) giveBack(merchantId);
    isTaken = false;
  };
}

function giveBack(merchantId: string): void {
  const left = running.get(merchantId)! - 1;
  if (left > 0) running.set(merchantId, left);
  else running.delete(merchantId);
}
