import type { Queryable } from '../platform/db/database.ts';
import type { Range } from '../platform/http/list.ts';
import type { Ref } from '../platform/lib/ref.ts';
import { isFirst, type WebhookEndpoint, webhookEndpoints } from './endpoint.ts';

const COLUMNS = `${webhookEndpoints.columns('w', ['id', 'merchantId', 'name', 'eventTypes', 'isActive'])},
  coalesce(w.url, m.webhook_url) as url, coalesce(w.created_at, m.created_at) as created_at`;

/** The first one is a row of its own only once something was to be sent to it, or said of it. */
const FROM = `
  merchants m cross join lateral (
    select * from webhook_endpoints where merchant_id = m.id
    union all
    select (jsonb_populate_record(null::webhook_endpoints, jsonb_build_object(
              'id', m.id, 'merchant_id', m.id, 'kind', 'webhook', 'is_active', true, 'settled_through', 0))).*
     where not exists (select from webhook_endpoints where id = m.id)
  ) w`;

export async function listEndpoints(
  db: Queryable,
  merchantId: string,
  { beforeId, fromId, limit }: Range,
): Promise<WebhookEndpoint[]> {
  return db.query<WebhookEndpoint>(
    `select ${COLUMNS} from ${FROM}
      where m.id = $1 and coalesce(w.url, m.webhook_url) is not null and w.kind = 'webhook' and w.id < $2 and w.id >= $3
      order by w.id desc limit $4`,
    [merchantId, beforeId, fromId, limit],
  );
}

export async function findEndpoint(db: Queryable, ref: Ref): Promise<WebhookEndpoint | undefined> {
  const [row] = await db.query<WebhookEndpoint>(
    `select ${COLUMNS} from ${FROM}
      where m.id = $1 and w.id = $2 and w.kind = 'webhook' and coalesce(w.url, m.webhook_url) is not null`,
    [ref.merchantId, ref.id],
  );
  return row;
}

/** The row must exist. */
export async function lockEndpoint(tx: Queryable, ref: Ref): Promise<WebhookEndpoint | undefined> {
  const [row] = await tx.query<WebhookEndpoint>(
    `select ${COLUMNS} from webhook_endpoints w join merchants m on m.id = w.merchant_id
      where m.id = $1 and w.id = $2 and w.kind = 'webhook' and coalesce(w.url, m.webhook_url) is not null for no key update of w`,
    [ref.merchantId, ref.id],
  );
  return row;
}

export async function countEndpoints(db: Queryable, merchantId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from webhook_endpoints where merchant_id = $1 and kind = 'webhook'`,
    [merchantId],
  );
  return row!.count;
}

/** True if anything would be sent anywhere. */
export async function hasActiveEndpoint(db: Queryable, merchantId: string): Promise<boolean> {
  const rows = await db.query(
    `select from ${FROM} where m.id = $1 and w.is_active and coalesce(w.url, m.webhook_url) is not null limit 1`,
    [merchantId],
  );
  return rows.length > 0;
}

/** True if an endpoint that is switched on names this event. */
export async function hasEndpointFor(db: Queryable, merchantId: string, event: string): Promise<boolean> {
  const rows = await db.query(
    `select from ${FROM}
      where m.id = $1 and w.is_active and coalesce(w.url, m.webhook_url) is not null and $2 = any(w.event_types) limit 1`,
    [merchantId, event],
  );
  return rows.length > 0;
}

/** Finds the end of what has been written so far: a new endpoint needs no delivery of that. */
export async function findWrittenThrough(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ ordinal: bigint }>(
    `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'ordinal')::regclass), 0) as ordinal`,
  );
  return row!.ordinal;
}

/** All but the URL of the first, which is the merchant's. */
export const updateEndpoint = (tx: Queryable, endpoint: WebhookEndpoint) =>
  webhookEndpoints.update(tx, endpoint, {
    name: endpoint.name,
    ...(!isFirst(endpoint) && { url: endpoint.url }),
    eventTypes: endpoint.eventTypes,
    isActive: endpoint.isActive,
  });

/** The first one gets everything again, should it get a URL again. */
export async function updateToDefaults(tx: Queryable, merchantId: string): Promise<void> {
  await tx.query(
    `update webhook_endpoints set name = null, event_types = null, is_active = true
      where id = $1 and (name is not null or event_types is not null or not is_active)`,
    [merchantId],
  );
}

/** The secret in use becomes the previous one. */
export async function updateSecret(
  tx: Queryable,
  { merchantId, id }: Ref,
  sealed: Buffer,
  oldUntil: Date,
): Promise<void> {
  await tx.query(
    `update webhook_endpoints set previous_secret = secret, previous_secret_until = $4, secret = $3
      where merchant_id = $1 and id = $2`,
    [merchantId, id, sealed, oldUntil],
  );
}

/** With what is still to be sent to it; what was sent stays in the log. */
export async function deleteEndpoint(tx: Queryable, { merchantId, id }: Ref): Promise<void> {
  await tx.query('delete from webhook_endpoints where merchant_id = $1 and id = $2', [merchantId, id]);
  await tx.query(
    'delete from webhook_deliveries where merchant_id = $1 and endpoint_id = $2 and next_attempt_at is not null',
    [merchantId, id],
  );
}
