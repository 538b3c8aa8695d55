import type { Database } from '../db/database.ts';
import { badField } from '../lib/errors.ts';
import { type EventsQuery, pageText } from './list-events.ts';
import { findLastPlace, listEventsAfter, type Place } from './queries.ts';

export interface PullQuery extends EventsQuery {
  after: string;
}

const START: Place = { writtenBy: '0', ordinal: 0n };
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
  if (query.after === LATEST)
    return pageText([], false, encodePlace((await findLastPlace(db, merchantId)) ?? START));
  const limit = query.limit ?? DEFAULT_LIMIT;
  const place = query.after === EARLIEST ? START : decodePlace(query.after);
  // Read first: the next statement sees everything before this end.
  const end = query.event === undefined ? undefined : await findLastPlace(db, merchantId);
  const rows = await listEventsAfter(db, merchantId, { place, event: query.event, limit: limit + 1 });
  const hasMore = rows.length > limit;
  const page = rows.slice(0, limit);
  const reached = laterOf(page.at(-1) ?? place, hasMore ? undefined : end);
  return pageText(
    page.map(({ body }) => body),
    hasMore,
    encodePlace(reached),
  );
}

function refuseListParameters(query: PullQuery): void {
  for (const name of ['cursor', 'createdFrom', 'createdTo'] as const)
    if (query[name] !== undefined) throw badField(name, 'cannot be combined with after');
}

/** Events that the filter leaves out are not read again with the next page. */
function laterOf(place: Place, end: Place | undefined): Place {
  if (!end) return place;
  const [a, b] = [BigInt(place.writtenBy), BigInt(end.writtenBy)];
  return b > a || (b === a && end.ordinal > place.ordinal) ? end : place;
}

function encodePlace({ writtenBy, ordinal }: Place): string {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(BigInt(writtenBy));
  bytes.writeBigInt64BE(ordinal, 8);
  return bytes.toString('base64url');
}

function decodePlace(cursor: string): Place {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== 16 || bytes.toString('base64url') !== cursor)
    throw badField('after', 'must be a nextCursor from this list');
  return { writtenBy: bytes.readBigUInt64BE().toString(), ordinal: bytes.readBigInt64BE(8) };
}
