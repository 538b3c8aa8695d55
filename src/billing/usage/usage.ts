import { bigint, nullable, text, timestamp, uuid, withDefault } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';

/** Usage events. They never change afterwards. */
export const usageRecords = table(
  'usage_records',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    metric: text,
    quantity: bigint,
    /** Customer, or that of the subscription if only that was named. */
    customerId: nullable(uuid),
    subscriptionId: nullable(uuid),
    idempotencyKey: text,
    /** Amount taken from the customer's prepaid credits. */
    credits: withDefault(bigint),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type UsageRecord = RowOf<typeof usageRecords>;

export interface Recorded {
  record: UsageRecord;
  /** True when the key was taken by the same usage before: `record` is that one. */
  isDuplicate: boolean;
}

/** Circumstances that decide if a record can be written. */
export interface Circumstances {
  hasProject: boolean;
  isArchived: boolean;
  /** False when it names a customer that the project does not have. */
  hasCustomer: boolean;
  /** False when it names a subscription that the project does not have. */
  hasSubscription: boolean;
  /** The customer of that subscription. */
  subscriberId: string | null;
  /** The subscription is the named customer's, by any of their ids, or one of the two is not named. */
  isSubscribers: boolean;
  /** Credits that one unit of the metric costs; null: it costs none. */
  creditsPerUnit: bigint | null;
  /** The record that already has the key. */
  holder: UsageRecord | null;
}

/**
 * Decides if a record is a repeat, or may be written and for how many credits. A repeat gets its first answer,
 * whatever has happened to the project since.
 */
export function checkUsage(record: UsageRecord, met: Circumstances): Recorded | { credits: bigint } {
  if (met.holder) return asRepeat(withCustomer(record, met), withCustomer(met.holder, met));
  if (!met.hasProject) throw badField('projectId', 'must be the id of one of your projects');
  if (met.isArchived) throw new AppError('INVALID_STATE', { message: 'This project is archived.' });
  if (!met.hasCustomer) throw badField('customerId', 'must be the id of a customer of this project');
  if (!met.hasSubscription)
    throw badField('subscriptionId', 'must be the id of a subscription of this project');
  if (!met.isSubscribers) {
    throw badField('subscriptionId', 'does not belong to this customer');
  }
  if (met.creditsPerUnit === null) return { credits: 0n };
  if (withCustomer(record, met).customerId === null) {
    throw badField('customerId', '(or subscriptionId) is required, because this metric costs credits');
  }
  return { credits: record.quantity * met.creditsPerUnit };
}

/** The record with its customer: a subscription implies the customer it belongs to. */
export function withCustomer(record: UsageRecord, { subscriberId }: Circumstances): UsageRecord {
  if (record.customerId !== null || record.subscriptionId === null) return record;
  return { ...record, customerId: subscriberId };
}

/** The same key means the same usage: different content under it is the caller's mistake. */
export function asRepeat(record: UsageRecord, holder: UsageRecord): Recorded {
  const isSame =
    record.metric === holder.metric &&
    record.quantity === holder.quantity &&
    record.customerId === holder.customerId &&
    record.subscriptionId === holder.subscriptionId;
  if (!isSame) {
    throw new AppError('IDEMPOTENCY_CONFLICT', {
      message: 'This idempotencyKey was already used for different usage in this project.',
    });
  }
  return { record: holder, isDuplicate: holder.id !== record.id };
}

/** Returns the decision, or the reason why it is refused. */
export function refusalOr<Value>(decide: () => Value): Value | AppError {
  try {
    return decide();
  } catch (error) {
    return refusalOf(error);
  }
}

/** A failure of ours is no refusal, and is thrown again. */
export function refusalOf(error: unknown): AppError {
  if (error instanceof AppError && error.status < 500) return error;
  throw error;
}

/** One key of one project. */
export function keyOf({ merchantId, projectId, idempotencyKey }: UsageRecord): string {
  return `${merchantId} ${projectId} ${idempotencyKey}`;
}
