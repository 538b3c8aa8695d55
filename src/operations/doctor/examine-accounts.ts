import { listClosed } from '../../accounts/merchants/closing-queries.ts';
import { countPending } from '../../accounts/payouts/pending-queries.ts';
import { countStuckRenewals } from '../../billing/renewals/stuck-queries.ts';
import type { UnlistedAccount } from '../../chain/solana/unlisted-queries.ts';
import { COMMAND } from '../../config/command-name.ts';
import {
  readSweepReport,
  readWatchReport,
  UNREAD_MINUTES,
} from '../../payments/watcher/read-watch-report.ts';
import type { Database } from '../../platform/db/database.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { countSetAside } from '../../platform/set-aside/queries.ts';
import { STUCK_MINUTES, stuckSince } from '../erasure/erasure.ts';
import { countUnfinished } from '../erasure/queries.ts';

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

/** Reports deletions of customers: a job overwrites what was recorded of them. */
export async function examineErasures(db: Database, note: Note): Promise<void> {
  const { unfinished, stuck, merchantId, customerId } = await countUnfinished(db, stuckSince(realNow()));
  note(
    'customer erasures',
    stuck === 0,
    stuck === 0
      ? `${unfinished} under way, none stuck`
      : `${stuck} have not advanced for ${STUCK_MINUTES} minutes, the first is customer ${customerId} of merchant ${merchantId}: is a worker running? If the job "erase customers" fails, see the log`,
  );
}

/** A renewal that cannot be priced waits for the merchant to change its price or its tax. */
export async function examineRenewals(db: Database, note: Note): Promise<void> {
  const { count, merchantId, subscriptionId, reason } = await countStuckRenewals(db);
  note(
    'renewals',
    count === 0,
    count === 0
      ? 'none is set aside'
      : `${count} cannot be priced and are tried once a day, the first is subscription ${subscriptionId} of merchant ${merchantId}: ${reason}`,
  );
}

/** Failing work keeps nobody else's waiting, so that only this says it. */
export async function examineDueWork(db: Database, note: Note): Promise<void> {
  const { lasting, merchantId, work, itemId, reason } = await countSetAside(db);
  note(
    'due work',
    lasting === 0,
    lasting === 0
      ? 'nothing has failed three times'
      : `${lasting} fail again and again and are set aside, the first is ${itemId} of merchant ${merchantId} (job "${work}"): ${reason}`,
  );
}

/** A merchant between two installations takes no payment at either: nobody should be for long. */
export async function examineMoves(db: Database, note: Note): Promise<void> {
  const moving = (await listClosed(db)).filter(({ movedTo }) => movedTo === null);
  const [first] = moving.sort((a, b) => a.closedAt!.getTime() - b.closedAt!.getTime());
  note(
    'moves',
    !first,
    first
      ? `${moving.length} merchants are closed for a move, the first (${first.merchantId}) since ${first.closedAt!.toISOString()}: nothing of theirs is sold, counted or sent. After the import at the new place ${COMMAND} merchants forward ends it; if there was none, ${COMMAND} merchants reopen`
      : 'no merchant is closed',
  );
}

type Note = (check: string, ok: boolean, detail: string) => void;

const SHOWN = 5;

/** Reports, from the watcher's records, if it can read what it watches. */
export async function examineAccounts(db: Database, note: Note): Promise<void> {
  const { failing, unreadableCount, unlisted } = await readWatchReport(db, realNow(), realNow());
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
  noteUnlisted(unlisted, note);
}

/** Reports history that none of these nodes can read; it is reported until another node has listed it. */
function noteUnlisted(unlisted: readonly UnlistedAccount[], note: Note): void {
  const shown = unlisted
    .slice(0, SHOWN)
    .map(
      ({ destination, from, until }) =>
        `${destination} from ${from.toISOString()} until ${until.toISOString()}`,
    );
  note(
    'unread history',
    unlisted.length === 0,
    unlisted.length === 0
      ? 'none: nodes have listed everything before they forgot it'
      : `${unlisted.length} payout addresses have a time that was never read, and no node lists it now: ${shown.join('; ')}. Add a node with full history to SOLANA_RPC_URLS, then run ${COMMAND} reconcile --repair`,
  );
}

/**
 * Reports if a watcher looks at the balances. On a database that nobody works with, such as a restored one, none has
 * to.
 */
export async function examineSweeps(db: Database, pollMs: number, note: Note): Promise<void> {
  const { sweptAt, isLate } = await readSweepReport(db, realNow(), pollMs);
  const when = sweptAt
    ? `last looked at completely at ${sweptAt.toISOString()}`
    : 'never looked at completely';
  if (!isLate) return note('balances', true, sweptAt ? when : 'nothing to look at yet');
  const [others] = await db.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and application_name = current_setting('application_name') and pid <> pg_backend_pid()`,
  );
  note(
    'balances',
    others!.count === 0,
    others!.count === 0
      ? `${when}; no process works with this database now`
      : `${when}, so payments are found late: is a watcher running? If the job "sweep accounts" fails, see the log`,
  );
}
