import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { EmailChange } from './email-change.ts';
import { deleteEmailChangesBefore, insertEmailChange, updateEnded } from './email-change-queries.ts';

/** Begins a change of a locked customer, in place of one that was waiting. */
export async function beginEmailChange(
  tx: Tx,
  change: EmailChange,
  secrets: { tokenHash: string; askedFrom: string },
): Promise<void> {
  await updateEnded(tx, change, 'replaced');
  await insertEmailChange(tx, change, secrets);
}

/** Answers the id of what waited, if anything did. */
export function endEmailChange(
  tx: Tx,
  customer: { merchantId: string; customerId: string },
  outcome: 'confirmed' | 'withdrawn',
): Promise<string | undefined> {
  return updateEnded(tx, customer, outcome);
}

/** Returns how many were forgotten. */
export function forgetEmailChanges(db: Queryable, before: Date, limit: number): Promise<number> {
  return deleteEmailChangesBefore(db, before, limit);
}
