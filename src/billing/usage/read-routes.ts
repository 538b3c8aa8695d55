import { customerExpansion } from '../../accounts/customers/load-customers.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import {
  Page,
  pageQuery,
  type Range,
  readPage,
  sendCsv,
  toRange,
  wantsCsv,
} from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { answerSums, sumsQuery } from './answer-sums.ts';
import { Metric } from './bodies.ts';
import { presentRecord, UsageRecordView } from './present.ts';
import { UsageSummaryView } from './present-sum.ts';
import { listRecords } from './queries.ts';
import type { UsageRecord } from './usage.ts';

const filters = {
  projectId: Optional(Uuid()),
  customerId: Optional(Uuid()),
  subscriptionId: Optional(Uuid()),
  metric: Optional(Metric()),
};

const SummaryQuery = Shape(undefined, { ...filters, ...sumsQuery });

const RecordsQuery = Shape(undefined, { ...pageQuery, ...filters, idempotencyKey: Optional(Text()) });

export function usageReadRoutes(app: App, { db }: { db: Database }): void {
  billingRoute(app, {
    method: 'GET',
    path: '/usage',
    id: 'listUsageSummaries',
    sdk: 'usage.listSummaries',
    assistant: 'read',
    tag: 'Usage',
    summary: 'List usage summaries',
    description:
      'Totals by metric and project, for each period with usage. Periods are half open, days and months of the merchant’s time zone, and clipped to `from` and `to`.',
    scopes: ['billing:read'],
    query: SummaryQuery,
    csv: true,
    success: {
      status: 200,
      schema: Page('UsageSummaryPage', UsageSummaryView),
      description: 'Newest period first, then by metric.',
    },
    errors: ['BAD_REQUEST'],
    handle(call) {
      return answerSums(call, db, call.principal, call.query);
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/usage/records',
    id: 'listUsageRecords',
    sdk: 'usage.listRecords',
    assistant: 'read',
    tag: 'Usage',
    summary: 'List usage records',
    scopes: ['billing:read'],
    query: RecordsQuery,
    csv: true,
    success: { status: 200, schema: Page('UsageRecordPage', UsageRecordView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    async handle(call) {
      const { principal, query, request } = call;
      const read = (range: Range) => listRecords(db, principal.merchantId, query, range);
      const range = toRange(query);
      if (wantsCsv(request)) {
        const customer = customerExpansion<UsageRecord>(db, principal.merchantId);
        return sendCsv(call, UsageRecordView, range, read, presentRecord, customer);
      }
      const page = await readPage(range, read);
      return { ...page, data: page.data.map(presentRecord) };
    },
  });
}
