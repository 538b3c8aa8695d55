import type { Database } from '../../platform/db/database.ts';
import { realNow } from '../../platform/lib/clock.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { STUCK_MINUTES, stuckSince } from './erasure.ts';
import { countUnfinished } from './queries.ts';

/** Gauges of deleted customers that are not erased yet; the returned function updates them. */
export function erasureGauges(db: Database, metrics: Metrics): () => Promise<void> {
  let [unfinished, stuck] = [0, 0];
  metrics.gauge(
    'florin_unfinished_erasures',
    'Deleted customers whose data is not overwritten yet.',
    () => unfinished,
  );
  metrics.gauge(
    'florin_stuck_erasures',
    `Of these, how many have not advanced for ${STUCK_MINUTES} minutes.`,
    () => stuck,
  );
  return async () => {
    ({ unfinished, stuck } = await countUnfinished(db, stuckSince(realNow())));
  };
}
