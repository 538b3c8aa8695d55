import {
  arrayOf,
  bigint,
  boolean,
  bytes,
  nullable,
  oneOf,
  smallint,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../platform/db/columns.ts';
import { type RowOf, table } from '../platform/db/table.ts';
import type { Ref } from '../platform/lib/ref.ts';
import { CHANNELS } from './notifications/channel.ts';

/** A webhook takes the whole event, signed; every other kind a sentence for people. */
const KINDS = ['webhook', ...CHANNELS] as const;
export type EndpointKind = (typeof KINDS)[number];

/** Destinations of events: webhooks, and the channels of notifications. */
export const webhookEndpoints = table(
  'webhook_endpoints',
  {
    merchantId: uuid,
    id: uuid,
    kind: withDefault(oneOf(KINDS)),
    name: nullable(text),
    /** Null of the first one, whose URL and secrets are the merchant's. */
    url: nullable(text),
    secret: nullable(bytes),
    previousSecret: nullable(bytes),
    previousSecretUntil: nullable(timestamp),
    chatId: nullable(text),
    memberId: nullable(uuid),
    /** Null: everything but what is sent only by name. */
    eventTypes: nullable(arrayOf(text)),
    isActive: withDefault(boolean),
    createdAt: nullable(timestamp),
    /** When its next delivery can start; null if there is none. */
    claimAt: nullable(timestamp),
    /** Events up to here need no delivery to it. */
    settledThrough: withDefault(bigint),
    /** Time of the daily summary, if eventTypes has it. */
    summaryHour: withDefault(smallint),
    summaryTimeZone: withDefault(text),
    /** When the next one is due, and since when it counts. */
    summaryAt: nullable(timestamp),
    summarySince: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type EndpointRow = RowOf<typeof webhookEndpoints>;

/** Destination of a merchant's events. The first one is the profile's webhook URL; its id is the merchant's. */
export interface WebhookEndpoint
  extends Pick<EndpointRow, 'id' | 'merchantId' | 'name' | 'eventTypes' | 'isActive'> {
  url: string;
  createdAt: Date;
}

/** Each event costs a delivery for each endpoint. */
export const MAX_ENDPOINTS = 16;

export function isFirst({ merchantId, id }: Ref): boolean {
  return id === merchantId;
}
