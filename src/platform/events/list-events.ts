import type { Database } from '../db/database.ts';
import { type PageQuery, readPage, toRange } from '../http/list.ts';
import { listNewestEvents } from './queries.ts';

export interface EventsQuery extends PageQuery {
  event?: string;
}

/** A page of a merchant's events, newest first, as JSON text: bodies go out as they are stored, digit for digit. */
export async function listEvents(db: Database, merchantId: string, query: EventsQuery): Promise<string> {
  const { data, hasMore, nextCursor } = await readPage(toRange(query), (range) =>
    listNewestEvents(db, merchantId, query.event, range),
  );
  return pageText(
    data.map(({ body }) => body),
    hasMore,
    nextCursor,
  );
}

export function pageText(bodies: readonly string[], hasMore: boolean, nextCursor: string | null): string {
  return `{"data":[${bodies.join(',')}],"hasMore":${hasMore},"nextCursor":${JSON.stringify(nextCursor)}}`;
}
