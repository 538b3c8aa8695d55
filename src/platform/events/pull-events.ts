import type { Database } from '../db/database.ts';
import { badField } from '../lib/errors.ts';
import { decodeCursor, encodeCursor } from './event-cursor.ts';
import { type EventsQuery, pageText } from './list-events.ts';
import {
  findLastEventAt,
  findLastPosition,
  findPlace,
  findPositionAfter,
  findPrunedPosition,
  listEventsAfter,
  numberQueuedEvents,
  type Place,
} from './queries.ts';

export interface PullQuery extends EventsQuery {
  after: string;
}

const DEFAULT_LIMIT = 20;

/** In the place of a cursor: nothing of what was, everything from here on. */
const LATEST = 'latest';
/** In the place of a cursor: from the first event on. */
const EARLIEST = 'earliest';

/**
 * A page of a merchant's events, oldest first, as JSON text: bodies go out as they are stored, digit for
 * digit. `nextCursor` is where to continue, also when nothing more is there yet.
 */
export async function pullEvents(db: Database, merchantId: string, query: PullQuery): Promise<string> {
  refuseListParameters(query);
  const { event, after, limit = DEFAULT_LIMIT } = query;
  if (await isAtEnd(db, merchantId, after)) return pageText([], false, after);
  await numberQueuedEvents(db, merchantId);
  if (after === LATEST) return pageText([], false, encodeCursor(await findEnd(db, merchantId)));
  const start = after === EARLIEST ? BEGINNING : await findStart(db, merchantId, after);
  // Read first: the next statement sees everything before this end.
  const end = event === undefined ? undefined : await findEnd(db, merchantId);
  const rows = await listEventsAfter(db, merchantId, { position: start.position, event, limit: limit + 1 });
  // Read last: what was deleted while this was read is noticed, too.
  if (after !== EARLIEST && (await findPrunedPosition(db, merchantId)) > start.position) throw tooOld();
  const hasMore = rows.length > limit;
  const page = rows.slice(0, limit);
  const reached = page.at(-1);
  // Events that the filter leaves out are not read again with the next page.
  const isEndLater = !hasMore && end && end.position > (reached?.position ?? start.position);
  const place = isEndLater ? end : reached;
  return pageText(
    page.map(({ body }) => body),
    hasMore,
    place ? encodeCursor(place) : start.cursor,
  );
}

/** Nothing has happened since: what an open dashboard hears most of the time, for the price of one statement. */
async function isAtEnd(db: Database, merchantId: string, after: string): Promise<boolean> {
  const cursor = decodeCursor(after);
  if (!cursor || 'ordinal' in cursor) return false;
  const last = await findLastEventAt(db, merchantId, cursor.position);
  return last !== undefined && cursor.isOf(last);
}

/** The position to continue reading from, and the cursor that leads there. */
interface Start {
  position: bigint;
  cursor: string;
}

const BEGINNING: Start = { position: 0n, cursor: encodeCursor(undefined) };

const tooOld = () =>
  badField('after', 'leads to events that are no longer kept; start again with earliest or latest');

function refuseListParameters(query: PullQuery): void {
  for (const name of ['cursor', 'createdFrom', 'createdTo'] as const)
    if (query[name] !== undefined) throw badField(name, 'cannot be combined with after');
}

async function findEnd(db: Database, merchantId: string): Promise<Place | undefined> {
  return findPlace(db, merchantId, await findLastPosition(db, merchantId));
}

/**
 * Finds the position a cursor leads to. Refuses one of a history that this database does not have, given before an
 * older backup was restored, or by another merchant: it would skip events without a word.
 */
async function findStart(db: Database, merchantId: string, after: string): Promise<Start> {
  const cursor = decodeCursor(after);
  if (!cursor) throw badField('after', 'must be a nextCursor from this list');
  if ('ordinal' in cursor) return findOldStart(db, merchantId, cursor.ordinal);
  const { position } = cursor;
  if (position === 0n) return BEGINNING;
  const place = await findPlace(db, merchantId, position);
  const isKnown =
    place?.position === position
      ? cursor.isOf(place.eventId)
      : position <= (await findLastPosition(db, merchantId));
  if (!isKnown)
    throw badField(
      'after',
      'is not from the events here (was an older backup restored?); start again with earliest or latest',
    );
  return { position, cursor: after };
}

/** Resolves a cursor of an earlier release. Once events were deleted, nobody can say whether it has read them. */
async function findOldStart(db: Database, merchantId: string, ordinal: bigint): Promise<Start> {
  if ((await findPrunedPosition(db, merchantId)) > 0n) throw tooOld();
  const place = await findPlace(db, merchantId, await findPositionAfter(db, merchantId, ordinal));
  return place ? { position: place.position, cursor: encodeCursor(place) } : BEGINNING;
}
