import { Count, Int64, Nullable, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import type { UsageFilter } from './queries.ts';
import { type Periods, type Span, spanOf, type UsageSum } from './summary.ts';

export const UsageSummaryView = Shape('UsageSummary', {
  projectId: Uuid(),
  metric: Text({ max: 64 }),
  customerId: Nullable(Uuid('The requested customer; null: all of them.')),
  subscriptionId: Nullable(Uuid('The requested subscription; null: all usage.')),
  periodStart: Nullable(Timestamp('Null: from the first record on.')),
  periodEnd: Nullable(Timestamp('Null: to the last record.')),
  quantity: Int64(),
  recordCount: Count(),
  creditsUsed: Int64({ description: 'Prepaid credits that this usage cost.' }),
});

export function presentSum(sum: UsageSum, periods: Periods, asked: UsageFilter & Span) {
  const { from, to } = spanOf(sum, periods, asked);
  return {
    projectId: sum.projectId,
    metric: sum.metric,
    customerId: asked.customerId?.toLowerCase() ?? null,
    subscriptionId: asked.subscriptionId?.toLowerCase() ?? null,
    periodStart: from,
    periodEnd: to,
    quantity: saturateInt64(sum.quantity),
    recordCount: sum.recordCount,
    creditsUsed: saturateInt64(sum.credits),
  };
}
