import { countPending } from './accounts/payouts/pending-queries.ts';
import type { Database } from './platform/db/database.ts';
import { realNow } from './platform/lib/clock.ts';
import { readWatchReport, UNREAD_MINUTES } from './settlement/watcher/read-watch-report.ts';

const OVERDUE_MINUTES = 5;

/** Changes of where money goes take effect by a job: one that stays behind means that it fails, or that no worker runs. */
export async function examinePayoutChanges(db: Database, note: Note): Promise<void> {
  const since = new Date(realNow().getTime() - OVERDUE_MINUTES * 60_000);
  const { waiting, overdue, merchantId, dueAt } = await countPending(db, since);
  note(
    'payout changes',
    overdue === 0,
    overdue === 0
      ? `${waiting} pending, none overdue`
      : `${overdue} should have taken effect, the first (merchant ${merchantId}) at ${dueAt!.toISOString()}: is a worker running? If the job "apply payout changes" fails, see the log`,
  );
}

type Note = (check: string, ok: boolean, detail: string) => void;

const SHOWN = 5;

/** Whether the watcher can read what it watches, from what it has written down. */
export async function examineAccounts(db: Database, note: Note): Promise<void> {
  const { failing, unreadableCount } = await readWatchReport(db, realNow(), realNow());
  const shown = failing
    .slice(0, SHOWN)
    .map(({ destination, since, problem }) => `${destination} since ${since.toISOString()}: ${problem}`);
  note(
    'payout addresses',
    failing.length === 0,
    failing.length === 0
      ? `none has been unreadable for ${UNREAD_MINUTES} minutes`
      : `${failing.length} cannot be read, and payments to them are missed until they can: ${shown.join('; ')}`,
  );
  note(
    'unreadable transactions',
    unreadableCount === 0,
    unreadableCount === 0
      ? 'none'
      : `${unreadableCount} are being retried (table unreadable_transactions); a newer release may be able to read them`,
  );
}
