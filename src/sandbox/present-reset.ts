import { Int32, Shape, Timestamp } from '../platform/http/schema.ts';
import type { ResetReport } from './reset-sandbox.ts';

/** Counters of the answer, each with the table it counts. */
const TABLES = {
  paymentIntents: 'payment_intents',
  checkoutSessions: 'checkout_sessions',
  invoices: 'invoices',
  subscriptions: 'subscriptions',
  customers: 'customers',
  exceptions: 'payment_exceptions',
  events: 'events',
  webhookDeliveries: 'webhook_deliveries',
  paymentLinks: 'payment_links',
  prices: 'prices',
  products: 'products',
  terminals: 'terminals',
} as const;

type Counted = keyof typeof TABLES;

function eachCounted<Value>(make: (counted: Counted) => Value): Record<Counted, Value> {
  return Object.fromEntries(
    Object.keys(TABLES).map((counted) => [counted, make(counted as Counted)]),
  ) as Record<Counted, Value>;
}

export const ResetView = Shape('SandboxReset', {
  resetAt: Timestamp('Only payments made from this moment on are detected.'),
  deleted: Shape(
    'SandboxResetCounts',
    eachCounted(() => Int32({ min: 0 })),
  ),
});

export function presentReset({ resetAt, deleted }: ResetReport) {
  return { resetAt, deleted: eachCounted((counted) => deleted[TABLES[counted]] ?? 0) };
}
