import { addSeconds } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { listKnownSignatures } from '../transfers/queries.ts';
import { listRefuted } from './disagreement-queries.ts';
import {
  deleteUnreadable,
  insertUnreadable,
  listDueUnreadable,
  type StoredUnreadable,
  type Unreadable,
  updateUnreadable,
} from './queries.ts';
import { fetchTransaction, type ReadAccount, settleEach } from './read-account.ts';
import { readTransaction } from './read-once.ts';

/** Maximum stored for one account, so that nobody can fill the database with them. */
const MAX_REMEMBERED = 10_000;
/** Maximum of lookups in one turn of an account. */
const AT_ONCE = 20;
/** Seconds until the next attempt, after the first, the second, …; the last value repeats. */
const WAIT_SECONDS = [0, 0, 15, 60, 300, 900, 3_600, 21_600, 86_400];

/**
 * Stores what no node could show, so that the cursor can move past it: from now on it is retried separately. What
 * another node has shown meanwhile is excluded.
 */
export async function setAsideUnreadable(
  { db, account, now }: Pick<ReadAccount, 'db' | 'account' | 'now'>,
  unread: readonly Unreadable[],
  log: Logger,
): Promise<void> {
  if (unread.length === 0) return;
  const { destination } = account;
  const known = await listKnownSignatures(
    db,
    destination,
    unread.map(({ signature }) => signature),
  );
  const seen = new Set(known.map(({ signature }) => signature));
  const missing = unread.filter(({ signature }) => !seen.has(signature));
  const [first, ...more] = await insertUnreadable(db, destination, missing, now, MAX_REMEMBERED);
  if (first)
    log.warn(
      { destination, ...first, more: more.length },
      'transaction cannot be read; retrying it without blocking others',
    );
}

/** Looks up again what could not be read and is due. */
export async function retryUnreadable(input: ReadAccount): Promise<void> {
  const { db, account, now } = input;
  const { destination } = account;
  for (const row of await listDueUnreadable(db, destination, now, AT_ONCE)) {
    const reason = await readAgain(input, row);
    if (reason === undefined) await deleteUnreadable(db, destination, [row.signature]);
    else {
      const waitSeconds = WAIT_SECONDS[row.attempts] ?? WAIT_SECONDS.at(-1)!;
      const nextAttemptAt = addSeconds(now, waitSeconds);
      await updateUnreadable(db, destination, row.signature, { reason, nextAttemptAt });
    }
  }
}

/**
 * Reads a transaction again and returns why that failed; undefined if it is in the books, or was dropped by the
 * chain.
 */
async function readAgain(
  input: ReadAccount,
  { signature, slot }: StoredUnreadable,
): Promise<string | undefined> {
  const { db, quorum, mint, account, now } = input;
  const { destination: owner, merchantId } = account;
  const destination = { owner, mint, account: account.account };
  if ((await listRefuted(db, owner, [signature])).length > 0) return undefined;
  let reason = 'no node is set';
  for (const node of quorum.counting()) {
    const transaction = await fetchTransaction(node, signature, 'confirmed', readTransaction);
    if (typeof transaction === 'string') {
      reason = transaction;
      continue;
    }
    if (transaction.blockTime < account.watchSince) return undefined;
    // Settles as seen, not as final: its finality is followed like any other's.
    const transfer = { transaction, destination, merchantId, isFinal: false, now };
    return (await settleEach(input, [transfer])).get(transfer);
  }
  const { outcome } = await quorum.agree({ db, signature, destination, slot, read: readTransaction, now });
  return outcome === 'gone' ? undefined : reason;
}
