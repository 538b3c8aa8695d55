import {
  bigint,
  integer,
  json,
  nullable,
  oneOf,
  smallint,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../platform/db/columns.ts';
import { type RowOf, table } from '../platform/db/table.ts';
import type { EndpointKind } from './endpoint.ts';

export const STATUSES = ['pending', 'succeeded', 'retrying', 'failed'] as const;
export type DeliveryStatus = (typeof STATUSES)[number];

/** From the first byte to the last: connecting, sending and reading together. */
export const TIMEOUT_MS = 10_000;

/** How long a worker may hold a delivery. Longer than an attempt can take, so only a dead worker loses one. */
export const LEASE_MS = 30_000;

/** A first attempt that failed keeps later events of its ordering key waiting no longer than this. */
export const ORDERING_HOLD_MS = 60_000;

/** One try, as the merchant sees it later. */
export interface Attempt {
  number: number;
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
}

/** Events on their way, each to one endpoint. What leases and retries need is known to their statements alone. */
export const webhookDeliveries = table(
  'webhook_deliveries',
  {
    merchantId: uuid,
    id: uuid,
    eventId: uuid,
    event: text,
    ordinal: bigint,
    orderingKey: uuid,
    resendOf: nullable(uuid),
    /** Destination of the last attempt; before the first, the one that was set when the delivery was made. */
    url: text,
    status: withDefault(oneOf(STATUSES)),
    attempts: withDefault(json<Attempt[]>()),
    httpStatus: nullable(smallint),
    error: nullable(text),
    durationMs: nullable(integer),
    responseBody: nullable(text),
    nextAttemptAt: nullable(timestamp),
    createdAt: timestamp,
    deliveredAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);

/** One event on its way to one endpoint. */
export interface Delivery extends RowOf<typeof webhookDeliveries> {
  /** Id of the endpoint; that of the first one is the merchant's. */
  endpointId: string;
  /** The event's stored bytes; null once they are gone. */
  requestBody: string | null;
}

/** A delivery in the hands of a worker, with all it needs to send it. */
export interface Claim {
  merchantId: string;
  endpointId: string;
  id: string;
  eventId: string;
  /** Identifies this attempt: proof that the result comes from the current lease holder. */
  leaseId: string;
  leaseUntil: Date;
  /** 1 for the first attempt. */
  number: number;
  /** URL of a webhook; of a notification, only what may be shown of its destination. */
  url: string | null;
  kind: EndpointKind;
  /** Only for a Telegram chat. */
  chatId: string | null;
  /** Signs a webhook; of a notification, the whole URL. */
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretUntil: Date | null;
  body: string | null;
}

/** Result of one attempt. */
export interface Outcome {
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  /** Why it does not count as delivered; null when it does. */
  error: string | null;
  responseBody: string | null;
  /** Wait that the response's Retry-After demands, in milliseconds from its arrival. */
  retryAfterMs: number | null;
}
