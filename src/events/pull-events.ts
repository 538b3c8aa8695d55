import type { Database } from '../db/database.ts';
import { badField } from '../lib/errors.ts';
import { findLastPlace, listEventsAfter, type Place } from './queries.ts';

export interface PullQuery {
  after?: string;
  limit?: number;
}

const START: Place = { writtenBy: '0', ordinal: 0n };
const DEFAULT_LIMIT = 20;

/** In the place of a cursor: nothing of what was, everything from here on. */
export const LATEST = 'latest';

/**
 * A page of a merchant's events, oldest first, as JSON text: bodies go out as they are stored, digit for
 * digit. `nextCursor` is where to go on from, also when nothing more is there yet.
 */
export async function pullEvents(db: Database, merchantId: string, query: PullQuery): Promise<string> {
  if (query.after === LATEST) return pageAtEnd((await findLastPlace(db, merchantId)) ?? START);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const place = query.after === undefined ? START : decodePlace(query.after);
  const rows = await listEventsAfter(db, merchantId, place, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = last ? encodePlace(last) : (query.after ?? null);
  const data = page.map((row) => row.body).join(',');
  return `{"data":[${data}],"hasMore":${rows.length > limit},"nextCursor":${JSON.stringify(nextCursor)}}`;
}

function pageAtEnd(place: Place): string {
  return `{"data":[],"hasMore":false,"nextCursor":"${encodePlace(place)}"}`;
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
    throw badField('after', 'is not a cursor that this list gave out');
  return { writtenBy: bytes.readBigUInt64BE().toString(), ordinal: bytes.readBigInt64BE(8) };
}
