import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { keepUnfinishedWatched } from '../../chain/solana/watched-account.ts';
import { MerchantTurns } from '../../intents/merchant-turns.ts';
import { limited } from '../../platform/db/limited.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { Scheduler } from '../../platform/lib/scheduler.ts';
import { accountTurns } from './account-turns.ts';
import { checkDueRefunds } from './check-all-accounts.ts';
import { checkReferences } from './check-references.ts';
import { FinalityTimes } from './finality-times.ts';
import { beginFollowing } from './follow-finality.ts';
import { listenToWatched } from './listen-to-watched.ts';
import { mentionedTransactions } from './read-mentioned.ts';
import { rescanNext } from './rescan.ts';
import { sweepInTurn } from './sweep-in-turn.ts';
import { watchGauges } from './watch-gauges.ts';
import { reportFailure, stepOf, type WatcherParts } from './watcher-parts.ts';

export interface Watcher {
  stop(): Promise<void>;
}

const WAKE_MS = 200;
/** Accounts that come due within so long are read together, and share calls. */
const DUE_MS = 2_000;
const CHECK_NODES_MS = 30_000;
/** The same for those that do not answer, or have not been checked: they may be back. */
const CHECK_UNWELL_MS = 10_000;
const REFUNDS_MS = 500;
const GAUGES_MS = 5_000;

/** Follows the chain for all watched accounts until it is stopped. Any number of watchers share the accounts. */
export function startWatcher(parts: WatcherParts): Watcher {
  const { db, clock, log, pollMs } = parts;
  const step = () => stepOf(parts);
  const scheduler = new Scheduler();
  const { signal } = scheduler;
  const turns = accountTurns(parts, signal);
  const times = new FinalityTimes();
  const payments = confirmedPayments(parts, times, signal);
  const mentioned = mentionedTransactions(parts, signal, turns.wake);
  const listening = listenToWatched(parts, mentioned.note);
  const sweeps = sweepInTurn(parts, { turns, listening, times, signal });

  function loop(name: string, everyMs: number, work: () => Promise<unknown>): void {
    const { inTurn } = parts;
    const run = inTurn ? () => inTurn(name, work) : work;
    scheduler.start({ name, everyMs, run, failed: reportFailure(log, signal, name) });
  }

  const references = new MerchantTurns();
  const checkNext = () => checkReferences(step(), log, references);
  loop('count problems', GAUGES_MS, watchGauges(parts, listening.countUnheard));
  loop('keep watches', HOUR_MS, () => keepUnfinishedWatched(db, clock.now()));
  loop('sweep accounts', Math.min(pollMs, SWEEP_PAUSE_MS), sweeps.sweepWhenDue);
  loop('poll accounts', Math.min(pollMs, DUE_MS), turns.beginDue);
  loop('wake accounts', WAKE_MS, turns.beginWoken);
  loop(FOLLOW, parts.finalityMs, payments.beginFollowing);
  loop('check references', 1_000, () => inShareOf('references', checkNext));
  loop('check refunds', REFUNDS_MS, () => checkDueRefunds(parts, signal, 'open'));
  loop('check refunds that are over', REFUNDS_MS, () => checkDueRefunds(parts, signal, 'over'));
  loop('rescan accounts', 1_000, () => inShareOf('rescan', () => rescanNext({ ...step(), log })));
  loop('check nodes', CHECK_NODES_MS, () => parts.checks.checkAgain());
  loop('check nodes that are not well', CHECK_UNWELL_MS, () => parts.checks.checkUnwell());
  loop('refresh subscriptions', 1_000, listening.refresh);

  return {
    async stop() {
      const stopped = scheduler.stop();
      listening.close();
      await stopped;
      await Promise.all([...turns.underWay(), ...mentioned.underWay(), ...payments.underWay()]);
      // If that fails, the lease ends in a minute.
      await sweeps.release().catch(reportFailure(log, signal, 'sweep accounts'));
    },
  };
}

const SWEEP_PAUSE_MS = 200;
const FOLLOW = 'follow finality';

/** Share of the connections that everybody uses. */
const MAX_STATEMENTS = 3;

/** Following payments from confirmed to final: each destination for itself, however many there are. */
function confirmedPayments(parts: WatcherParts, times: FinalityTimes, signal: AbortSignal) {
  const following = new Set<string>();
  const db = limited(parts.db, MAX_STATEMENTS);
  const followed = new Set<Promise<unknown>>();
  return {
    async beginFollowing(): Promise<void> {
      const { inTurn } = parts;
      const { groups } = await beginFollowing({ ...stepOf(parts), db }, following, { inTurn, times });
      for (const group of groups) {
        const end = group.catch(reportFailure(parts.log, signal, FOLLOW)).finally(() => followed.delete(end));
        followed.add(end);
      }
    },
    underWay: () => followed.values(),
  };
}
