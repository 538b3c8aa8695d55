import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { listWatched } from '../../chain/solana/queries.ts';
import { keepUnfinishedWatched } from '../../chain/solana/watched-account.ts';
import type { WhichRefunds } from '../refunds/refund-checks.ts';
import { accountTurns } from './account-turns.ts';
import { checkRefunds } from './check-refunds.ts';
import { followFinality } from './follow-finality.ts';
import { stepOf, type WatcherParts } from './watcher-parts.ts';

/** Looks at every watched account once, now, and follows what is under way. */
export async function checkAllAccounts(parts: WatcherParts, signal: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  const { poll } = accountTurns(parts, signal);
  await keepUnfinishedWatched(db, clock.now());
  for (const account of await listWatched(db, clock.now())) await poll(account, { fresh: true });
  await followFinality(stepOf(parts));
  await checkDueRefunds(parts, signal, 'open');
  await checkDueRefunds(parts, signal, 'over');
}

/** Each kind has its own share of the calls: what is over does not hold up what is being sent. */
export function checkDueRefunds(
  parts: WatcherParts,
  signal: AbortSignal,
  which: WhichRefunds,
): Promise<void> {
  return inShareOf(`refunds ${which}`, async () => {
    while (!signal.aborted && (await checkRefunds(stepOf(parts), parts.log, which)));
  });
}
