import type { Database } from '../db/database.ts';
import { Page, pageQuery, type Range, readPage, sendCsv, toRange, wantsCsv } from '../http/list.ts';
import type { Mount } from '../http/mount.ts';
import type { App } from '../http/route.ts';
import { OneOf, Optional, Shape, Text, Timestamp, Uuid } from '../http/schema.ts';
import { badField } from '../lib/errors.ts';
import { billingRoute } from '../projects/billing-route.ts';
import { Metric } from './bodies.ts';
import { presentRecord, UsageRecordView } from './present.ts';
import { presentSum, UsageSummaryView } from './present-sum.ts';
import { listRecords } from './queries.ts';
import { decodePlace, encodePlace, GRANULARITIES } from './summary.ts';
import { listSums } from './summary-queries.ts';

const filters = {
  projectId: Optional(Uuid()),
  customerId: Optional(Uuid()),
  subscriptionId: Optional(Uuid()),
  metric: Optional(Metric()),
};

const SummaryQuery = Shape(undefined, {
  ...filters,
  from: Optional(Timestamp('Only usage recorded at this moment or later.')),
  to: Optional(Timestamp('Only usage recorded before this moment.')),
  granularity: Optional(OneOf(GRANULARITIES, 'One sum for each UTC day or month, or one in all (`total`).')),
  limit: pageQuery.limit,
  cursor: Optional(Text({ max: 255, description: 'nextCursor of the page before.' })),
});

const RecordsQuery = Shape(undefined, { ...pageQuery, ...filters, idempotencyKey: Optional(Text()) });

export function usageReadRoutes(app: App, mount: Mount, { db }: { db: Database }): void {
  billingRoute(app, mount, {
    method: 'GET',
    path: '/usage',
    id: 'listUsageSummaries',
    tag: 'Usage',
    summary: 'List usage summaries',
    description:
      'Sums by metric and project, for each period in which there was usage. Periods are half open, in UTC, and cut at `from` and `to`.',
    scopes: ['billing:read'],
    query: SummaryQuery,
    csv: true,
    success: {
      status: 200,
      schema: Page('UsageSummaryPage', UsageSummaryView),
      description: 'Newest period first, then by metric.',
    },
    errors: ['BAD_REQUEST'],
    async handle({ principal, query, request, reply }) {
      const { cursor, granularity = 'total', limit = 20, from = null, to = null, ...filter } = query;
      if (from && to && to <= from) throw badField('to', 'must be later than from');
      // A sum has no id: its place in the list stands for one.
      const read = async (range: { beforeId: string; limit: number }) => {
        const after = range.beforeId === '' ? undefined : decodePlace(range.beforeId, granularity);
        const wanted = { from, to, granularity, after, limit: range.limit };
        const sums = await listSums(db, principal.merchantId, filter, wanted);
        return sums.map((sum) => ({ ...sum, id: encodePlace(sum) }));
      };
      const present = (sum: Awaited<ReturnType<typeof read>>[number]) =>
        presentSum(sum, granularity, { ...filter, from, to });
      const range = { beforeId: cursor ?? '', fromId: '', limit };
      if (wantsCsv(request)) {
        return sendCsv(reply, Object.keys(UsageSummaryView.properties), range, read, present);
      }
      const sums = await read({ ...range, limit: limit + 1 });
      const data = sums.slice(0, limit);
      const hasMore = sums.length > limit;
      return { data: data.map(present), hasMore, nextCursor: hasMore ? data.at(-1)!.id : null };
    },
  });

  billingRoute(app, mount, {
    method: 'GET',
    path: '/usage/records',
    id: 'listUsageRecords',
    tag: 'Usage',
    summary: 'List usage records',
    scopes: ['billing:read'],
    query: RecordsQuery,
    csv: true,
    success: { status: 200, schema: Page('UsageRecordPage', UsageRecordView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    async handle({ principal, query, request, reply }) {
      const read = (range: Range) => listRecords(db, principal.merchantId, query, range);
      const range = toRange(query);
      if (wantsCsv(request)) {
        return sendCsv(reply, Object.keys(UsageRecordView.properties), range, read, presentRecord);
      }
      const page = await readPage(range, read);
      return { ...page, data: page.data.map(presentRecord) };
    },
  });
}
