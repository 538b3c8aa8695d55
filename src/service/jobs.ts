import { pruneSignIns } from '../accounts/members/prune-sign-ins.ts';
import { attachInvoice } from '../billing/invoices/attach-invoice.ts';
import type { Witnesses } from '../chain/nodes/witnesses.ts';
import type { Rpc } from '../chain/solana/rpc.ts';
import type { Role } from '../config/settings.ts';
import type { InvoiceDocument } from '../documents/layouts/invoice-document.ts';
import type { ClaimedEmail } from '../email/email.ts';
import type { Mailer } from '../email/mailer.ts';
import { pruneEmails } from '../email/prune-emails.ts';
import { sendDueEmails } from '../email/send-due-emails.ts';
import { type DueWorkParts, dueWork } from '../operations/due-work/run-due-work.ts';
import { pruneEmailChanges, prunePortalSessions } from '../pages/portal/prune-sessions.ts';
import { sendSignInLinks } from '../pages/portal/send-sign-in-links.ts';
import { pruneOrderKeys } from '../payments/offers/prune-order-keys.ts';
import { pruneReservedAmounts } from '../payments/reserved-amounts/prune-reserved-amounts.ts';
import { followSponsored } from '../payments/sponsor/follow-sponsored.ts';
import { pruneAbandonedSessions } from '../payments/transfers/prune-abandoned-sessions.ts';
import { pruneMentions } from '../payments/transfers/prune-mentions.ts';
import type { Database } from '../platform/db/database.ts';
import { pruneEvents } from '../platform/events/prune-events.ts';
import { pruneKeys } from '../platform/idempotency/prune-keys.ts';
import { type Clock, HOUR_MS, realNow } from '../platform/lib/clock.ts';
import type { Metrics } from '../platform/lib/metrics.ts';
import { type Loop, Scheduler } from '../platform/lib/scheduler.ts';
import type { SecretBox } from '../platform/lib/secret-box.ts';
import { pruneRequests } from '../platform/request-log/prune-requests.ts';
import { foldRevenue } from '../reports/overview/fold-revenue.ts';
import { keepStandings } from '../reports/overview/keep-standings.ts';
import { followClock } from '../sandbox/move-clock.ts';
import { pruneDeliveries } from '../webhooks/prune-deliveries.ts';
import type { Gauges } from './gauges.ts';
import type { BackUp } from './open-scheduled-backups.ts';
import type { Traces } from './open-traces.ts';
import type { Watched } from './watch-database.ts';

export interface JobParts extends DueWorkParts {
  clock: Clock;
  rpc: Rpc;
  witnesses: Witnesses;
  gauges: Gauges;
  metrics: Metrics;
  /** Absent: forever. */
  eventRetentionDays: number | undefined;
  webhookKeepDays: number;
  requestLogDays: number;
  /** Absent where no mail server is set. */
  mailer: Mailer | undefined;
  secrets: SecretBox;
  watched: Watched;
  backUp: BackUp;
  /** Absent where no collector is set. */
  traces: Traces | undefined;
  /** Printed on invoices. */
  network: InvoiceDocument['network'];
}

interface Job {
  name: string;
  /** Runs in a process that has any of these. */
  roles: readonly Role[];
  everyMs: number;
  /** Runs also while nothing should be decided: it decides nothing. */
  onlyLooks?: true;
  /** Runs the job; a long one checks `signal` between its steps. */
  run(parts: JobParts, signal: AbortSignal): Promise<unknown>;
}

/** Removal of what has served its time. */
const hourly: Record<string, (db: Database, now: Date) => Promise<unknown>> = {
  'prune abandoned checkouts': pruneAbandonedSessions,
  'prune idempotency keys': pruneKeys,
  'prune mentions': pruneMentions,
  'prune order keys': pruneOrderKeys,
  'prune portal sessions': prunePortalSessions,
  'prune portal e-mail changes': pruneEmailChanges,
  'prune reserved amounts': pruneReservedAmounts,
};

/** Everything that runs on a schedule. Each job is safe in any number of processes. */
export const jobs: readonly Job[] = [
  // Each has its own loop: a slow job must not block the others.
  ...dueWork.map(
    ({ name, run }): Job => ({
      name,
      roles: ['worker'],
      everyMs: 1_000,
      run: (parts) => run(parts, parts.clock.now()),
    }),
  ),
  {
    name: 'check the database and its time',
    roles: ['api', 'worker', 'watcher'],
    everyMs: 2_000,
    onlyLooks: true,
    run: ({ watched }) => watched.check(),
  },
  {
    name: 'add up revenue',
    roles: ['worker'],
    everyMs: 1_000,
    run: ({ db, log }, signal) => foldRevenue(db, undefined, { signal, log }),
  },
  {
    name: 'keep the standings of busy projects',
    roles: ['worker'],
    everyMs: 60_000,
    run: ({ db, clock, log }, signal) => keepStandings(db, clock.now(), undefined, { signal, log }),
  },
  ...Object.entries(hourly).map(
    ([name, run]): Job => ({
      name,
      roles: ['worker'],
      everyMs: HOUR_MS,
      run: ({ db, clock }) => run(db, clock.now()),
    }),
  ),
  {
    name: 'send portal sign-in links',
    roles: ['worker'],
    everyMs: 1_000,
    run: async (parts, signal) => {
      if (parts.mailer) await sendSignInLinks(parts, parts.clock.now(), signal);
    },
  },
  {
    name: 'prune sign-ins',
    roles: ['worker'],
    everyMs: HOUR_MS,
    run: ({ db }) => pruneSignIns(db, realNow()),
  },
  {
    name: 'follow the sandbox clock',
    roles: ['api', 'worker', 'watcher'],
    everyMs: 1_000,
    onlyLooks: true,
    run: ({ db, clock }) => followClock(db, clock),
  },
  {
    name: 'prune webhook deliveries',
    roles: ['worker'],
    everyMs: HOUR_MS,
    run: ({ db, webhookKeepDays }) => pruneDeliveries(db, webhookKeepDays, realNow()),
  },
  {
    name: 'prune events',
    roles: ['worker'],
    everyMs: HOUR_MS,
    run: async ({ db, eventRetentionDays, clock }, signal) => {
      if (eventRetentionDays !== undefined) await pruneEvents(db, eventRetentionDays, clock.now(), signal);
    },
  },
  {
    name: 'prune the request log',
    roles: ['worker'],
    everyMs: HOUR_MS,
    run: ({ db, requestLogDays }, signal) => pruneRequests(db, requestLogDays, realNow(), signal),
  },
  {
    name: 'follow sponsored payments',
    roles: ['worker'],
    everyMs: 1_000,
    run: ({ db, rpc, witnesses, log, clock }) => followSponsored({ db, rpc, witnesses, log }, clock.now()),
  },
  {
    name: 'watch the fee sponsor',
    roles: ['worker'],
    everyMs: 30_000,
    onlyLooks: true,
    run: async ({ gauges }) => gauges.watchSponsor?.(),
  },
  {
    name: 'watch the database',
    roles: ['api', 'worker', 'watcher'],
    everyMs: 5_000,
    onlyLooks: true,
    run: ({ gauges }) => gauges.watchDatabase(),
  },
  {
    name: 'count the backlog',
    roles: ['api', 'worker', 'watcher'],
    everyMs: 15_000,
    onlyLooks: true,
    run: ({ gauges }) => gauges.countBacklog(),
  },
  {
    name: 'count unfinished erasures',
    roles: ['worker'],
    everyMs: 30_000,
    onlyLooks: true,
    run: ({ gauges }) => gauges.watchErasures(),
  },
  {
    name: 'count stuck renewals',
    roles: ['worker'],
    everyMs: 30_000,
    onlyLooks: true,
    run: ({ gauges }) => gauges.watchStuckRenewals(),
  },
  {
    name: 'send e-mails',
    roles: ['worker'],
    everyMs: 1_000,
    run: async ({ db, secrets, log, mailer, publicUrl, network, clock }, signal) => {
      const attach = (email: ClaimedEmail) => attachInvoice(db, email, { network, now: clock.now() });
      if (mailer) await sendDueEmails({ db, secrets, log, mailer, publicUrl, attach }, signal);
    },
  },
  {
    // Not while the database lacks writes: an older one would take the place of a good backup.
    name: 'back up',
    roles: ['worker'],
    everyMs: 60_000,
    run: ({ backUp }, signal) => backUp(signal),
  },
  {
    name: 'prune e-mails',
    roles: ['worker'],
    everyMs: HOUR_MS,
    run: ({ db }) => pruneEmails(db, realNow()),
  },
];

const RETRY_MS = 1_000;

/** Starts the loops of these roles; the returned function stops them and waits for the run in progress. */
export function startJobs(roles: readonly Role[], parts: JobParts): () => Promise<void> {
  const scheduler = new Scheduler();
  for (const job of jobs)
    if (job.roles.some((role) => roles.includes(role)))
      scheduler.start(loopOf(parts.traces && !job.onlyLooks ? traced(job, parts.traces) : job, parts));
  return () => scheduler.stop();
}

const traced = (job: Job, { inTurn }: Traces): Job => ({
  ...job,
  run: (parts, signal) => inTurn(job.name, () => job.run(parts, signal)),
});

const FAILED = 'florin_job_failures_total';
const SUCCEEDED = 'florin_job_last_success_timestamp_seconds';

function loopOf({ name, everyMs, onlyLooks, run }: Job, parts: JobParts): Loop {
  const { metrics, log, watched } = parts;
  // Prometheus has a label `job` of its own.
  const label = `name="${name}"`;
  let succeededSeconds = 0;
  metrics.count(FAILED, 'Runs of a job that failed.', 0, label);
  metrics.gauge(SUCCEEDED, 'When a job last succeeded; 0: not yet.', () => succeededSeconds, label);
  return {
    name,
    everyMs,
    retryMs: Math.min(everyMs, RETRY_MS),
    async run(signal) {
      const isPaused = !onlyLooks && watched.problem() !== undefined;
      if (!isPaused) await run(parts, signal);
    },
    succeeded() {
      succeededSeconds = realNow().getTime() / 1000;
    },
    failed(error) {
      metrics.count(FAILED, '', 1, label);
      log.error({ job: name, err: error }, 'job failed; retrying');
    },
  };
}
