import type { Database } from '../../platform/db/database.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { countStuckRenewals } from './stuck-queries.ts';

/** Gauge of renewals that are set aside; the returned function updates it. */
export function stuckRenewalGauge(db: Database, metrics: Metrics): () => Promise<void> {
  let stuck = 0;
  metrics.gauge('florin_stuck_renewals', 'Renewals that cannot be priced and were set aside.', () => stuck);
  return async () => {
    stuck = (await countStuckRenewals(db)).count;
  };
}
