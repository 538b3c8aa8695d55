import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badField } from '../lib/errors.ts';
import { firstIdAt, isUuid } from '../lib/ids.ts';
import { csvColumns, csvHead, csvLine } from './csv-columns.ts';
import { type Expansion, type Expansions, expandRows } from './expand.ts';
import { Flag, Int32, List, Nullable, Optional, Shape, Text, Timestamp, type TSchema } from './schema.ts';

/** Query parameters that every list takes. */
export const pageQuery = {
  limit: Optional(
    Int32({ min: 1, max: 100, default: 20, description: 'How many items to return, 1 to 100.' }),
  ),
  cursor: Optional(Text({ max: 64, description: 'nextCursor of the previous page.' })),
  createdFrom: Optional(Timestamp('Only items created at this time or later.')),
  createdTo: Optional(Timestamp('Only items created before this time.')),
};

export interface PageQuery {
  limit?: number;
  cursor?: string;
  createdFrom?: Date;
  createdTo?: Date;
  /** Only for lists whose rows name other objects. */
  expand?: readonly string[];
}

export function Page<Item extends TSchema>(name: string, item: Item) {
  return Shape(name, { data: List(item), hasMore: Flag(), nextCursor: Nullable(Text()) });
}

/**
 * The part of a list to read. Ids carry their creation time, so both the place in the list and the bounds in time are
 * bounds on the id: newest first, by key, never by OFFSET.
 */
export interface Range {
  /** Only ids below this one. */
  beforeId: string;
  /** Only ids from this one on. */
  fromId: string;
  limit: number;
}

const ABOVE_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function toRange(query: PageQuery): Range {
  const bounds = [ABOVE_ALL_IDS];
  if (query.cursor !== undefined) bounds.push(decodeCursor(query.cursor));
  if (query.createdTo) bounds.push(firstIdAt(query.createdTo));
  return {
    beforeId: bounds.sort()[0]!,
    fromId: firstIdAt(query.createdFrom ?? new Date(0)),
    limit: query.limit ?? 20,
  };
}

/** Reads one row more than the page holds, to know whether there is a next one. */
export async function readPage<Row extends { id: string }>(
  range: Range,
  read: (range: Range) => Promise<Row[]>,
): Promise<{ data: Row[]; hasMore: boolean; nextCursor: string | null }> {
  const rows = await read({ ...range, limit: range.limit + 1 });
  const data = rows.slice(0, range.limit);
  const hasMore = rows.length > range.limit;
  return { data, hasMore, nextCursor: hasMore ? encodeCursor(data.at(-1)!.id) : null };
}

/**
 * The time zone that decides about the days in a CSV file is the merchant's, or UTC where the caller is none of their
 * people.
 */
interface CsvCall {
  reply: FastifyReply;
  principal?: { timeZone: string };
}

/** A list as the caller wants it: one page as JSON, or every matching row as CSV. */
export async function answerList<Row extends { id: string }>(
  call: CsvCall & { query: PageQuery; request: FastifyRequest },
  view: { properties: object },
  read: (range: Range) => Promise<Row[]>,
  present: (row: Row) => object,
  expansions?: Expansions<Row>,
) {
  const range = toRange(call.query);
  const { expand } = call.query;
  if (wantsCsv(call.request)) {
    if (expand) throw badField('expand', 'cannot be combined with text/csv');
    return sendCsv(call, view, range, read, present, expansions?.customer);
  }
  const page = await readPage(range, read);
  if (!expand || !expansions) return { ...page, data: page.data.map(present) };
  const added = await expandRows(page.data, expand, expansions);
  return { ...page, data: page.data.map((row, i) => ({ ...present(row), ...added[i] })) };
}

function encodeCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function decodeCursor(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(id) || encodeCursor(id) !== cursor)
    throw badField('cursor', 'must be a nextCursor from this list');
  return id;
}

const CSV_PAGE = 1_000;

export function wantsCsv(request: FastifyRequest): boolean {
  return /(^|,)\s*text\/csv\s*(;|,|$)/i.test(request.headers.accept ?? '');
}

/**
 * Streams every matching row, page by page, so that a million of them never sit in memory. The first page is read
 * before the first byte is sent: what is wrong with the question can still be said. The customers of a page are read at once.
 */
export async function sendCsv<Row extends { id: string }>(
  { reply, principal }: CsvCall,
  view: { properties: object },
  range: Range,
  read: (range: Range) => Promise<Row[]>,
  present: (row: Row) => object | readonly object[],
  customer?: Expansion<Row>,
): Promise<FastifyReply> {
  const columns = csvColumns(view, {
    hasCustomer: customer !== undefined,
    ...(principal && { timeZone: principal.timeZone }),
  });
  const readFrom = (beforeId: string) => read({ ...range, beforeId, limit: CSV_PAGE });
  const first = await readFrom(range.beforeId);
  async function linesOf(rows: Row[]): Promise<string> {
    const added = customer && (await expandRows(rows, ['customer'], { customer }));
    const items = rows.flatMap((row, i) =>
      [present(row)].flat().map((item): object => ({ ...item, ...added?.[i] })),
    );
    return items.map((item) => csvLine(item, columns)).join('');
  }
  async function* lines() {
    yield csvHead(columns);
    for (let rows = first; rows.length > 0; rows = await readFrom(rows.at(-1)!.id)) {
      yield await linesOf(rows);
      if (rows.length < CSV_PAGE) return;
    }
  }
  return reply.header('content-type', 'text/csv; charset=utf-8').send(Readable.from(lines()));
}

/** The same of rows that are all there already. */
export function sendRowsAsCsv(
  reply: FastifyReply,
  view: { properties: object },
  rows: readonly object[],
): FastifyReply {
  const columns = csvColumns(view);
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .send(csvHead(columns) + rows.map((row) => csvLine(row, columns)).join(''));
}
