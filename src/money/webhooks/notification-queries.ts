import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { Range } from '../../platform/http/list.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';
import type { EndpointRef } from './endpoint.ts';
import type { Notification } from './notification.ts';

const MEMBER = `
  members o where o.merchant_id = w.merchant_id and o.id = w.member_id and o.disabled_at is null and o.removed_at is null`;

const COLUMNS = `
  w.id, w.merchant_id, w.kind, w.name, w.chat_id, w.member_id,
  case when w.member_id is null then w.url else 'mailto:' || coalesce((select o.email from ${MEMBER}), '') end as destination,
  (select o.email from ${MEMBER}) as member_email, w.event_types,
  w.summary_hour, w.summary_time_zone, w.summary_at,
  w.summary_since, w.created_at,
  w.is_active and (w.member_id is null or exists (select from ${MEMBER})) as is_active`;

export async function listNotifications(
  db: Queryable,
  merchantId: string,
  { beforeId, fromId, limit }: Range,
): Promise<Notification[]> {
  return db.query<Notification>(
    `select ${COLUMNS} from webhook_endpoints w
      where w.merchant_id = $1 and w.kind <> 'webhook' and w.id < $2 and w.id >= $3
      order by w.id desc limit $4`,
    [merchantId, beforeId, fromId, limit],
  );
}

export async function findNotification(db: Queryable, ref: EndpointRef): Promise<Notification | undefined> {
  const [row] = await db.query<Notification>(
    `select ${COLUMNS} from webhook_endpoints w where w.merchant_id = $1 and w.id = $2 and w.kind <> 'webhook'`,
    [ref.merchantId, ref.id],
  );
  return row;
}

export async function lockNotification(tx: Queryable, ref: EndpointRef): Promise<Notification | undefined> {
  const [row] = await tx.query<Notification>(
    `select ${COLUMNS} from webhook_endpoints w
      where w.merchant_id = $1 and w.id = $2 and w.kind <> 'webhook' for no key update of w`,
    [ref.merchantId, ref.id],
  );
  return row;
}

export async function countNotifications(db: Queryable, merchantId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from webhook_endpoints where merchant_id = $1 and kind <> 'webhook'`,
    [merchantId],
  );
  return row!.count;
}

/** `secret` is null for an e-mail. It gets what is written from now on. */
export async function insertNotification(
  tx: Queryable,
  notification: Notification & { secret: Buffer | null },
): Promise<void> {
  const { id, merchantId, kind, name, destination, chatId, memberId } = notification;
  const { eventTypes, isActive, createdAt, secret } = notification;
  const { summaryHour, summaryTimeZone, summaryAt, summarySince } = notification;
  await tx.query(
    `insert into webhook_endpoints (id, merchant_id, kind, name, url, chat_id, member_id, event_types, is_active, created_at,
                                    secret, summary_hour, summary_time_zone, summary_at, summary_since, settled_through)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
             coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'ordinal')::regclass), 0))`,
    [
      ...[id, merchantId, kind, name, memberId === null ? destination : 'mailto:', chatId, memberId],
      ...[eventTypes, isActive, createdAt, secret, summaryHour, summaryTimeZone, summaryAt, summarySince],
    ],
  );
}

/** `secret` is undefined where it stays. */
export async function updateNotification(
  tx: Queryable,
  notification: Notification & { secret: Buffer | undefined },
): Promise<void> {
  const { id, merchantId, name, destination, chatId, memberId, eventTypes, isActive, secret } = notification;
  const { summaryHour, summaryTimeZone, summaryAt, summarySince } = notification;
  await tx.query(
    `update webhook_endpoints
        set name = $3, url = $4, chat_id = $5, member_id = $6, event_types = $7, is_active = $8, secret = coalesce($9, secret),
            summary_hour = $10, summary_time_zone = $11, summary_at = $12, summary_since = $13
      where merchant_id = $1 and id = $2`,
    [
      ...[merchantId, id, name, memberId === null ? destination : 'mailto:', chatId, memberId],
      ...[eventTypes, isActive, secret ?? null, summaryHour, summaryTimeZone, summaryAt, summarySince],
    ],
  );
}

export const SUMMARIES = 'send daily summaries';

/** Due summaries of all merchants, the longest waiting first. */
export async function listDueSummaries(
  db: Queryable,
  { before, now }: { before: Date; now: Date },
  limit: number,
): Promise<Notification[]> {
  return db.query<Notification>(
    `select ${COLUMNS} from webhook_endpoints w where w.summary_at <= $1 and ${isOpenMerchant('w.merchant_id')}
        and ${notSetAside(SUMMARIES, '$3', { merchantId: 'w.merchant_id', id: 'w.id' })}
      order by w.summary_at limit $2`,
    [before, limit, now],
  );
}

/** True for one caller, however many try: the plan must still be the one that was read. */
export async function updateSummaryPlan(
  tx: Queryable,
  { id, merchantId, summaryAt }: Notification,
  next: { summaryAt: Date; summarySince: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update webhook_endpoints set summary_at = $4, summary_since = $5
      where merchant_id = $1 and id = $2 and summary_at = $3 returning id`,
    [merchantId, id, summaryAt, next.summaryAt, next.summarySince],
  );
  return rows.length > 0;
}
