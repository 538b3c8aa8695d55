import type { Database } from './db/database.ts';
import { realNow } from './lib/clock.ts';
import { readWatchReport, UNREAD_MINUTES } from './watcher/read-watch-report.ts';

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
      : `${failing.length} cannot be read, payments there are missed until they can: ${shown.join('; ')}`,
  );
  note(
    'unreadable transactions',
    unreadableCount === 0,
    unreadableCount === 0
      ? 'none'
      : `${unreadableCount} are looked up again and again (table unreadable_transactions); a newer release may read them`,
  );
}
