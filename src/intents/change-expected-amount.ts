import type { Tx } from '../platform/db/database.ts';
import type { Cents } from '../platform/lib/money.ts';
import { type Intent, paymentIntents } from './intent.ts';

/** Another amount for a locked intent that nobody has paid toward. */
export async function changeExpectedAmount(tx: Tx, intent: Intent, amountCents: Cents): Promise<void> {
  await paymentIntents.update(tx, intent, { expectedAmountCents: amountCents });
}
