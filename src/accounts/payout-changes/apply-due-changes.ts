import type { Database } from '../../platform/db/database.ts';
import { applyMerchantChange } from '../merchants/change-payout.ts';
import { listDuePending } from '../payouts/pending-queries.ts';
import { applyProjectChange } from '../projects/apply-payout-change.ts';

const BATCH = 100;

/** Applies due changes one at a time: a failing one does not block the others. */
export async function applyDueChanges(db: Database, now: Date): Promise<void> {
  const errors: unknown[] = [];
  for (const due of await listDuePending(db, now, BATCH)) {
    const { projectId } = due;
    await db
      .transaction((tx) =>
        projectId === null
          ? applyMerchantChange(tx, due, now)
          : applyProjectChange(tx, { ...due, projectId }, now),
      )
      .catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}
