import type { Tx } from '../../platform/db/database.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { updateExpectedAmount } from './creation-queries.ts';
import type { Intent } from './intent.ts';

/** Another amount for a locked intent that nobody has paid toward. */
export async function changeExpectedAmount(tx: Tx, intent: Intent, amountCents: Cents): Promise<void> {
  await updateExpectedAmount(tx, { ...intent, expectedAmountCents: amountCents });
}
