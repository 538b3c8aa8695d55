import { recordIdOf } from '../../accounts/customers/announce-customers.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { pauseDispatch } from '../../platform/events/claim-events.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { eraseBody } from './erase-body.ts';
import { type Erasure, nextStage } from './erasure.ts';
import {
  countAll,
  hasUndispatched,
  listEvents,
  listKeys,
  listOwnIds,
  listRows,
  lockDeliveries,
  type RowStage,
} from './listing-queries.ts';
import {
  overwriteAnswers,
  overwriteDeliveries,
  overwriteInvoices,
  overwritePostings,
  overwriteRefunds,
  overwriteSessions,
  overwriteSubscriptions,
  overwriteUsage,
  prepareOverwriting,
  updateBodies,
} from './overwrite-queries.ts';
import { updateErasure } from './queries.ts';

/**
 * Number of rows that one transaction overwrites, and the function for it. The result names further rows whose events
 * go with them.
 */
const ROWS: Record<
  RowStage,
  { limit: number; overwrite(tx: Queryable, page: PageOf): Promise<string[]>; hasEvents: boolean }
> = {
  checkout_sessions: { limit: 50, overwrite: overwriteSessions, hasEvents: true },
  subscriptions: { limit: 50, overwrite: overwriteSubscriptions, hasEvents: true },
  invoices: { limit: 50, overwrite: overwriteInvoices, hasEvents: true },
  refunds: { limit: 50, overwrite: overwriteRefunds, hasEvents: true },
  postings: { limit: 1_000, overwrite: overwritePostings, hasEvents: true },
  usage_records: { limit: 1_000, overwrite: overwriteUsage, hasEvents: false },
};

interface PageOf {
  merchantId: string;
  customerId: string;
  ids: readonly string[];
}

const EVENTS = 500;
const KEYS = 1_000;

/**
 * One short transaction's work on a locked erasure: what it overwrites, and that it did, commit together, so that it
 * continues after a crash where it was. Answers undefined where something has to end first.
 */
export async function eraseStep(tx: Tx, before: Erasure, now: Date): Promise<Erasure | undefined> {
  await prepareOverwriting(tx, before);
  const moved = before.total === null ? await counted(tx, before) : await advance(tx, before, now);
  const after = moved && { ...moved, advancedAt: realNow() };
  if (after) await updateErasure(tx, after);
  return after;
}

async function counted(tx: Tx, erasure: Erasure): Promise<Erasure> {
  return { ...erasure, total: await countAll(tx, erasure, ownObjects(erasure)) };
}

function advance(tx: Tx, erasure: Erasure, now: Date): Promise<Erasure | undefined> {
  const { stage } = erasure;
  if (stage === 'idempotency_keys') return eraseAnswers(tx, erasure, now);
  return stage === 'customer'
    ? eraseOwnEvents(tx, erasure, now)
    : eraseRows(tx, erasure, stage as RowStage, now);
}

async function eraseRows(tx: Tx, erasure: Erasure, stage: RowStage, now: Date): Promise<Erasure | undefined> {
  const { merchantId, customerId } = erasure;
  const { limit, overwrite, hasEvents } = ROWS[stage];
  const ids = await listRows(tx, stage, erasure, limit);
  if (ids.length === 0) return nextStage(erasure, now);
  const others = await overwrite(tx, { merchantId, customerId, ids });
  const erased = hasEvents ? await eraseEvents(tx, erasure, [...ids, ...others]) : erasure;
  // More events of the same rows.
  if (!erased || erased.afterEventObjectId !== null) return erased;
  return { ...erased, afterId: ids.at(-1)!, done: erased.done + BigInt(ids.length) };
}

async function eraseOwnEvents(tx: Tx, erasure: Erasure, now: Date): Promise<Erasure | undefined> {
  const erased = await eraseEvents(tx, erasure, ownObjects(erasure));
  return erased && erased.afterEventObjectId === null ? nextStage(erased, now) : erased;
}

/** The customer's record and the customer's balance. */
function ownObjects({ customerId }: Erasure): string[] {
  return [recordIdOf(customerId), customerId];
}

/** The next events of these rows; at the beginning again where there are no more. */
async function eraseEvents(
  tx: Tx,
  erasure: Erasure,
  objectIds: readonly string[],
): Promise<Erasure | undefined> {
  const { merchantId } = erasure;
  const events = await listEvents(tx, merchantId, objectIds, erasure, EVENTS);
  const eventIds = events.map(({ id }) => id);
  // A worker that is just reading the old bodies is waited for, and then seen to be sending them.
  if (await hasUndispatched(tx, merchantId, eventIds)) await pauseDispatch(tx);
  if (await lockDeliveries(tx, merchantId, eventIds, realNow())) return undefined;
  const changed = events.flatMap(({ id, event, body: before }) => {
    const body = eraseBody(event, before);
    return body === before ? [] : [{ id, body }];
  });
  if (changed.length > 0) await updateBodies(tx, merchantId, changed);
  if (events.length > 0) await overwriteDeliveries(tx, merchantId, eventIds);
  const last = events.length < EVENTS ? undefined : events.at(-1);
  return {
    ...erasure,
    afterEventObjectId: last?.objectId ?? null,
    afterEventSequence: last?.sequence ?? null,
    done: erasure.done + BigInt(events.length),
  };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A stored answer is the customer's if it names them, or anything that is theirs. */
async function eraseAnswers(tx: Tx, erasure: Erasure, now: Date): Promise<Erasure> {
  const { merchantId, customerId, afterOperation, afterKey } = erasure;
  const place = { operation: afterOperation ?? '', key: afterKey ?? '' };
  const keys = await listKeys(tx, merchantId, place, KEYS);
  const named = keys.map(({ operation, answer }) =>
    answer === null ? [] : (`${operation} ${answer}`.match(UUID) ?? []),
  );
  const own = new Set(await listOwnIds(tx, erasure, [...new Set(named.flat())])).add(customerId);
  const theirs = keys.filter((_, i) => named[i]!.some((id) => own.has(id)));
  if (theirs.length > 0) await overwriteAnswers(tx, merchantId, theirs);
  const last = keys.length < KEYS ? undefined : keys.at(-1)!;
  return last ? { ...erasure, afterOperation: last.operation, afterKey: last.key } : nextStage(erasure, now);
}
