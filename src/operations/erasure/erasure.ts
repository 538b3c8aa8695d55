import {
  bigint,
  integer,
  nullable,
  numeric,
  oneOf,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';

/** Steps of an erasure, in this order: first the rows that new events are written from, then the events. */
export const STAGES = [
  'checkout_sessions',
  'subscriptions',
  'invoices',
  'refunds',
  'postings',
  'usage_records',
  'customer',
  'idempotency_keys',
] as const;
export type Stage = (typeof STAGES)[number];

/** Customers who were deleted, and how far everything that was recorded of them is overwritten. */
export const customerErasures = table(
  'customer_erasures',
  {
    merchantId: uuid,
    customerId: uuid,
    projectId: uuid,
    /** Prepaid credits the customer had left and forfeited. */
    discardedCredits: numeric,
    discardedCents: numeric,
    stage: oneOf([...STAGES, 'finished'] as const),
    /** The last row that is done in this stage; null: none. */
    afterId: nullable(uuid),
    /** The last event that is done of the rows after it; null: none. */
    afterEventObjectId: nullable(uuid),
    afterEventSequence: nullable(integer),
    /** The last idempotency key that is done. */
    afterOperation: nullable(text),
    afterKey: nullable(text),
    /** Number of rows and events that are done, and the total; null if not counted yet. */
    done: withDefault(bigint),
    total: nullable(bigint),
    createdAt: timestamp,
    /** Time at which its last step committed, in real time. */
    advancedAt: timestamp,
    finishedAt: nullable(timestamp),
  },
  ['merchantId', 'customerId'],
);
export type Erasure = RowOf<typeof customerErasures>;

export const STUCK_MINUTES = 10;

/** An erasure without progress since this moment is stuck: no worker is running, or every attempt fails. */
export function stuckSince(realNow: Date): Date {
  return new Date(realNow.getTime() - STUCK_MINUTES * 60_000);
}

export function isStuck({ finishedAt, advancedAt }: Erasure, realNow: Date): boolean {
  return finishedAt === null && advancedAt < stuckSince(realNow);
}

const BEGINNING = {
  afterId: null,
  afterEventObjectId: null,
  afterEventSequence: null,
  afterOperation: null,
  afterKey: null,
};

export function newErasure(
  fields: CustomerRef &
    Pick<Erasure, 'projectId' | 'discardedCredits' | 'discardedCents' | 'createdAt' | 'advancedAt'>,
): Erasure {
  return { ...fields, ...BEGINNING, stage: STAGES[0], done: 0n, total: null, finishedAt: null };
}

/** Returns the erasure at the beginning of its next stage, or finished. */
export function nextStage(erasure: Erasure, now: Date): Erasure {
  const stage = STAGES[STAGES.indexOf(erasure.stage as Stage) + 1];
  return stage
    ? { ...erasure, ...BEGINNING, stage }
    : { ...erasure, ...BEGINNING, stage: 'finished', total: erasure.done, finishedAt: now };
}
