import type { Queryable } from '../platform/db/database.ts';
import { isOpenMerchant } from '../platform/db/open-merchants.ts';
import type { Range } from '../platform/http/list.ts';
import type { Ref } from '../platform/lib/ref.ts';
import { notSetAside } from '../platform/set-aside/not-set-aside.ts';
import { webhookEndpoints } from './endpoint.ts';
import { NOTIFICATION_FIELDS, type Notification } from './notification.ts';

const MEMBER = `
  members o where o.merchant_id = w.merchant_id and o.id = w.member_id and o.disabled_at is null and o.removed_at is null`;

const COLUMNS = `${webhookEndpoints.columns('w', NOTIFICATION_FIELDS)},
  case when w.member_id is null then w.url else 'mailto:' || coalesce((select o.email from ${MEMBER}), '') end as destination,
  (select o.email from ${MEMBER}) as member_email,
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

export async function findNotification(db: Queryable, ref: Ref): Promise<Notification | undefined> {
  const [row] = await db.query<Notification>(
    `select ${COLUMNS} from webhook_endpoints w where w.merchant_id = $1 and w.id = $2 and w.kind <> 'webhook'`,
    [ref.merchantId, ref.id],
  );
  return row;
}

export async function lockNotification(tx: Queryable, ref: Ref): Promise<Notification | undefined> {
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

/** A notification as its row has it: the address of a member is in the member's row. */
export const toRow = (notification: Notification) => ({
  ...notification,
  url: notification.memberId === null ? notification.destination : 'mailto:',
});

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
