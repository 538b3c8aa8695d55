import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { eachAlone } from '../../platform/set-aside/each-alone.ts';
import { applyMerchantChange } from '../merchants/change-payout.ts';
import { listDuePending, PAYOUT_CHANGES } from '../payouts/pending-queries.ts';
import { applyProjectChange } from '../projects/apply-payout-change.ts';

const BATCH = 100;

/** Applies due changes one at a time: a failing one does not block the others. */
export function applyDueChanges(db: Database, now: Date, log?: Logger): Promise<void> {
  return eachAlone({ db, log }, PAYOUT_CHANGES, now, async (alone) => {
    for (const due of await listDuePending(db, now, BATCH)) {
      const { projectId } = due;
      await alone(due, () =>
        db.transaction((tx) =>
          projectId === null
            ? applyMerchantChange(tx, due, now)
            : applyProjectChange(tx, { ...due, projectId }, now),
        ),
      );
    }
  });
}
