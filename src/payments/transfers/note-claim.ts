import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Intent } from '../../intents/intent.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { insertClaim } from './claim-queries.ts';

/** A payer has named a transaction for an intent. A transaction without the intent's reference is a claim, to be reviewed by the merchant. */
export async function noteClaim(
  db: Queryable,
  intent: Intent,
  { signature, accounts }: LandedTransaction,
  now: Date,
): Promise<void> {
  if (!accounts.includes(intent.referenceAddress)) await insertClaim(db, intent, signature, now);
}
