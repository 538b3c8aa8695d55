import type { FastifyReply, FastifyRequest } from 'fastify';
import { customerExpansion } from '../../accounts/customers/load-customers.ts';
import type { Principal } from '../../platform/access/principal.ts';
import type { Database } from '../../platform/db/database.ts';
import { pageQuery, sendCsv, wantsCsv } from '../../platform/http/list.ts';
import { OneOf, Optional, Text, Timestamp } from '../../platform/http/schema.ts';
import { badField } from '../../platform/lib/errors.ts';
import { presentSum, UsageSummaryView } from './present-sum.ts';
import type { UsageFilter } from './queries.ts';
import { decodePlace, encodePlace, GRANULARITIES, type Granularity } from './summary.ts';
import { listSums } from './summary-queries.ts';

/** Query parameters of every list of sums. */
export const sumsQuery = {
  from: Optional(Timestamp('Only usage recorded at this time or later.')),
  to: Optional(Timestamp('Only usage recorded before this time.')),
  granularity: Optional(OneOf(GRANULARITIES, 'One total for each day or month, or one overall (`total`).')),
  limit: pageQuery.limit,
  cursor: Optional(Text({ max: 255, description: 'nextCursor of the previous page.' })),
};

export interface SumsQuery extends UsageFilter {
  from?: Date;
  to?: Date;
  granularity?: Granularity;
  limit?: number;
  cursor?: string;
}

/** Merchant whose usage it is, and the time zone in which days and months begin. */
interface Calendar {
  merchantId: string;
  timeZone: string;
}

/** Usage in sums as the caller wants it: one page as JSON, or every sum as CSV. */
export async function answerSums(
  call: { request: FastifyRequest; reply: FastifyReply; principal?: Principal },
  db: Database,
  owner: Calendar,
  query: SumsQuery,
) {
  const { range, read, present } = sumsOf(db, owner, query);
  if (wantsCsv(call.request)) {
    const customer = {
      ...customerExpansion(db, owner.merchantId),
      idOf: () => query.customerId?.toLowerCase() ?? null,
    };
    return sendCsv(call, UsageSummaryView, range, read, present, customer);
  }
  return readSums(db, owner, query);
}

/** One page of sums. */
export async function readSums(db: Database, owner: Calendar, query: SumsQuery) {
  const { range, read, present } = sumsOf(db, owner, query);
  const sums = await read({ ...range, limit: range.limit + 1 });
  const data = sums.slice(0, range.limit);
  const hasMore = sums.length > range.limit;
  return { data: data.map(present), hasMore, nextCursor: hasMore ? data.at(-1)!.id : null };
}

function sumsOf(db: Database, { merchantId, timeZone }: Calendar, query: SumsQuery) {
  const { cursor, granularity = 'total', limit = 20, from = null, to = null, ...filter } = query;
  if (from && to && to <= from) throw badField('to', 'must be later than from');
  // A sum has no id: its position in the list serves as one.
  const read = async (range: { beforeId: string; limit: number }) => {
    const after = range.beforeId === '' ? undefined : decodePlace(range.beforeId, granularity);
    const wanted = { from, to, granularity, timeZone, after, limit: range.limit };
    const sums = await listSums(db, merchantId, filter, wanted);
    return sums.map((sum) => ({ ...sum, id: encodePlace(sum) }));
  };
  const present = (sum: Awaited<ReturnType<typeof read>>[number]) =>
    presentSum(sum, { granularity, timeZone }, { ...filter, from, to });
  return { range: { beforeId: cursor ?? '', fromId: '', limit }, read, present };
}
