import { stuckRenewalGauge } from '../billing/renewals/stuck-gauge.ts';
import type { Role } from '../config/settings.ts';
import { backlogGauges } from '../operations/due-work/backlog-gauges.ts';
import { erasureGauges } from '../operations/erasure/erasure-gauges.ts';
import type { Sponsor } from '../payments/sponsor/sponsor.ts';
import { sponsorGauges } from '../payments/sponsor/sponsor-gauges.ts';
import type { Database } from '../platform/db/database.ts';
import { databaseGauges } from '../platform/db/database-gauges.ts';
import type { Clock } from '../platform/lib/clock.ts';
import { eventLoopGauges } from '../platform/lib/event-loop-lag.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { Metrics } from '../platform/lib/metrics.ts';

export interface GaugeParts {
  db: Database;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  sponsor: Sponsor | undefined;
}

/** Values that jobs read now and then, so that no scrape costs a query. */
export interface Gauges {
  watchDatabase(): Promise<void>;
  countBacklog(): Promise<void>;
  watchErasures(): Promise<void>;
  watchStuckRenewals(): Promise<void>;
  /** Absent where no fee payer is set. */
  watchSponsor: (() => Promise<void>) | undefined;
}

/** The gauges of a process with these roles. */
export function openGauges(roles: readonly Role[], parts: GaugeParts): Gauges {
  const { db, clock, metrics, sponsor } = parts;
  eventLoopGauges(metrics);
  for (const role of roles)
    metrics.gauge('florin_role_up', 'Roles of the process.', () => 1, `role="${role}"`);
  const shared = {
    watchDatabase: databaseGauges(db, metrics),
    countBacklog: backlogGauges(db, clock, metrics),
  };
  // A gauge that no job of this process reads would stay at 0 and look well.
  if (!roles.includes('worker'))
    return { ...shared, watchErasures: none, watchStuckRenewals: none, watchSponsor: undefined };
  return {
    ...shared,
    watchErasures: erasureGauges(db, metrics),
    watchStuckRenewals: stuckRenewalGauge(db, metrics),
    watchSponsor: sponsor && sponsorGauges({ ...parts, sponsor }),
  };
}

const none = async () => {};
