import type { Tx } from '../platform/db/database.ts';
import { type Intent, isUnseen, paymentIntents } from './intent.ts';
import { moveIntents } from './move-intents.ts';
import { hasPaymentUnderWay } from './queries.ts';

/**
 * Ends a locked intent whose order is canceled. Where money has come or is on its way, it keeps its status and what it has
 * received, but nothing more is due.
 */
export async function withdrawIntent(tx: Tx, intent: Intent, now: Date): Promise<void> {
  if (intent.status === 'succeeded' || intent.status === 'canceled') return;
  const isUnpaid = isUnseen(intent) && !(await hasPaymentUnderWay(tx, intent));
  if (isUnpaid) await moveIntents(tx, [intent], 'canceled', now);
  else await paymentIntents.update(tx, intent, { isWithdrawn: true });
}
