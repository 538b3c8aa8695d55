import { Flag, Int64, Nullable, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import type { Recorded, UsageRecord } from './usage.ts';

const recordFields = {
  id: Uuid(),
  projectId: Uuid(),
  metric: Text({ max: 64 }),
  quantity: Int64(),
  customerId: Nullable(Uuid()),
  subscriptionId: Nullable(Uuid()),
  idempotencyKey: Text(),
  creditsUsed: Int64({ description: 'What it cost in the customer’s prepaid credits.' }),
  createdAt: Timestamp(),
};

export const UsageRecordView = Shape('UsageRecord', recordFields);

export const RecordedUsageView = Shape('RecordedUsage', {
  ...recordFields,
  duplicate: Flag('true if this usage was already recorded: the record is the first one.'),
});

export function presentRecord({ merchantId: _merchantId, credits, ...record }: UsageRecord) {
  return { ...record, creditsUsed: credits };
}

export function presentRecorded({ record, isDuplicate }: Recorded) {
  return { ...presentRecord(record), duplicate: isDuplicate };
}
