import type { Database } from '../db/database.ts';
import { isOfClosedMerchant, isUnavailable } from '../db/database-errors.ts';
import { HOUR_MS } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { nameOf, type Ref } from '../lib/ref.ts';
import { storableText } from '../lib/storable-text.ts';
import { ALL_ITEMS } from './not-set-aside.ts';
import { deleteForgotten, deleteSetAside, listRetried, upsertSetAside } from './queries.ts';

export interface Alone {
  /** Undefined where it failed: that is on record by then, and the item comes again later. */
  <Result>(item: Ref, run: () => Promise<Result>): Promise<Result | undefined>;
  /** These succeeded, together with others. */
  succeeded(items: readonly Ref[]): Promise<void>;
  /** How many have failed in this run. */
  failures(): number;
}

/** Failures of one merchant in one run that are logged one by one; of more, only the number is. */
const MAX_LOGGED = 3;
/** Failures after which the rest of a merchant's items wait until the next turn, so that other merchants have theirs. */
const MAX_FAILED = 100;
const MAX_REASON = 500;
const FORGOTTEN_MS = 24 * HOUR_MS;

/**
 * Runs due work of many merchants item by item. One that fails is logged with its merchant and set aside, so that it
 * keeps nobody else's waiting, however many of them there are; the list of what is due leaves it out until it is tried
 * again (`notSetAside`). A merchant of whom many fail has the next turn after some seconds. A database that cannot be reached is the fault of no item.
 */
export async function eachAlone<Result>(
  { db, log }: { db: Database; log: Logger | undefined },
  work: string,
  now: Date,
  runAll: (alone: Alone) => Promise<Result>,
): Promise<Result> {
  const retried = new Map((await listRetried(db, work, now)).map((item) => [nameOf(item), item]));
  let failures = 0;
  const failed = new Map<string, number>();
  const succeeded = async (items: readonly Ref[]) => {
    for (const item of items) if (retried.delete(nameOf(item))) await deleteSetAside(db, work, item);
  };
  await succeeded([...retried.values()].filter(({ id }) => id === ALL_ITEMS));
  const alone = async <One>(item: Ref, run: () => Promise<One>): Promise<One | undefined> => {
    if ((failed.get(item.merchantId) ?? 0) >= MAX_FAILED) return undefined;
    try {
      const result = await run();
      await succeeded([item]);
      return result;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      // Its work is done where it goes.
      if (isOfClosedMerchant(error)) return undefined;
      failures++;
      const count = await upsertSetAside(db, work, item, { reason: reasonOf(error), now });
      const { merchantId } = item;
      const ofMerchant = (failed.get(merchantId) ?? 0) + 1;
      failed.set(merchantId, ofMerchant);
      if (ofMerchant === MAX_FAILED)
        await upsertSetAside(db, work, { merchantId, id: ALL_ITEMS }, { reason: 'many have failed', now });
      if (ofMerchant <= MAX_LOGGED)
        log?.error({ work, ...item, failures: count, err: error }, 'due work failed; set aside for a while');
      return undefined;
    }
  };
  const result = await runAll(Object.assign(alone, { succeeded, failures: () => failures }));
  for (const [merchantId, count] of failed)
    if (count > MAX_LOGGED) log?.error({ work, merchantId, items: count }, 'due work failed for many items');
  if (retried.size > 0) await deleteForgotten(db, work, new Date(now.getTime() - FORGOTTEN_MS));
  return result;
}

/** The database's own messages may quote what somebody wrote, so of some of them only the code is kept. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  const text = code?.startsWith('22')
    ? `the database refuses a value (${code})`
    : message || code || String(error);
  return storableText(text, MAX_REASON);
}
