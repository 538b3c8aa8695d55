import type { Database } from '../../platform/db/database.ts';
import { applyMerchantChange } from '../merchants/change-payout.ts';
import { listDuePending } from '../payouts/pending-change.ts';
import { applyProjectChange } from '../projects/apply-payout-change.ts';

const BATCH = 100;

/** What waited for its time takes effect, each by itself: one that fails keeps no other waiting. */
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
