import { idsOfPerson } from '../../accounts/customers/person.ts';
import { withMerged } from '../../accounts/customers/with-merged.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import { type Circumstances, type UsageRecord, usageRecords } from './usage.ts';

/** Numbers of a record are small enough for JSON, but for its credits: those travel as text. */
function toJson(records: readonly UsageRecord[]): string {
  return JSON.stringify(
    records.map((record) => ({
      id: record.id,
      merchantId: record.merchantId,
      projectId: record.projectId,
      metric: record.metric,
      quantity: Number(record.quantity),
      customerId: record.customerId,
      subscriptionId: record.subscriptionId,
      idempotencyKey: record.idempotencyKey,
      credits: record.credits.toString(),
      createdAt: record.createdAt,
    })),
  );
}

const WANTED = `json_to_recordset($1::json) as w(
  id uuid, "merchantId" uuid, "projectId" uuid, metric text, quantity bigint, "customerId" uuid,
  "subscriptionId" uuid, "idempotencyKey" text, credits bigint, "createdAt" timestamptz)`;

// By its own id only: combined with the project, the planner may scan all of its customers.
const HAS_CUSTOMER = `
  (w."customerId" is null or coalesce(
     (select c.project_id from customers c
       where c.merchant_id = w."merchantId" and c.id = w."customerId" and c.erased_at is null)
       = w."projectId", false))`;

// By either id of one person; hardly ever another than the subscription's own.
const IS_SUBSCRIBERS = `(w."customerId" is null or b.customer_id = w."customerId"
    or b.customer_id in ${idsOfPerson('w."merchantId"', 'w."customerId"')})`;

const HAS_SUBSCRIPTION = `
  (w."subscriptionId" is null or coalesce(
     (select b.project_id = w."projectId" and ${IS_SUBSCRIBERS}
        from subscriptions b where b.merchant_id = w."merchantId" and b.id = w."subscriptionId"
         and not exists (select from customers c where c.merchant_id = b.merchant_id and c.id = b.customer_id
                            and c.erased_at is not null)), false))`;

// A subscription implies its customer, so that a customer's usage is in one index.
const INSERT = `
  insert into usage_records (merchant_id, id, project_id, metric, quantity, customer_id, subscription_id,
                             idempotency_key, credits, created_at)
  select w."merchantId", w.id, w."projectId", w.metric, w.quantity,
         coalesce(w."customerId", (select b.customer_id from subscriptions b
                                    where b.merchant_id = w."merchantId" and b.id = w."subscriptionId")),
         w."subscriptionId", w."idempotencyKey", w.credits, w."createdAt"`;

// In the order of the keys, so that two batches with the same keys never deadlock.
const ONCE = `
   order by w."merchantId", w."projectId", w."idempotencyKey", w.id
   on conflict (merchant_id, project_id, idempotency_key) do nothing
  returning id, customer_id`;

type Written = Pick<UsageRecord, 'id' | 'customerId'>;

/**
 * Inserts any number of records that cost no credits, in one statement and one commit; returns what it wrote, each
 * with its customer. A record that is left out (a used key, an archived project, a metric that costs credits, a
 * foreign customer or subscription) does not affect the others. The lock makes it wait for concurrent changes of the
 * project, and see them.
 */
export async function insertFreeRecords(db: Queryable, records: readonly UsageRecord[]): Promise<Written[]> {
  return db.query<Written>(
    `with wanted as materialized (
       select * from ${WANTED}
     ), places as materialized (
       select merchant_id, id, settings -> 'usageCredits' as rates from projects
        where (merchant_id, id) in (select "merchantId", "projectId" from wanted) and archived_at is null
          for key share
     )
     ${INSERT}
       from wanted w
       join places p on p.merchant_id = w."merchantId" and p.id = w."projectId"
      where ${HAS_CUSTOMER} and ${HAS_SUBSCRIPTION} and not coalesce(p.rates ? w.metric, false)
     ${ONCE}`,
    [toJson(records)],
  );
}

/** Returns what it wrote: all but those whose key was used. */
export async function insertRecords(tx: Queryable, records: readonly UsageRecord[]): Promise<Written[]> {
  return tx.query<Written>(`${INSERT} from ${WANTED} ${ONCE}`, [toJson(records)]);
}

/** Blocks changes of these projects until the transaction ends. */
export async function lockProjects(tx: Queryable, records: readonly UsageRecord[]): Promise<void> {
  await tx.query(
    `select from projects
      where (merchant_id, id) in (select w."merchantId", w."projectId" from ${WANTED})
      order by merchant_id, id for key share`,
    [toJson(records)],
  );
}

type Met = Omit<Circumstances, 'holder'> & { wantedId: string };
type Row = Met & (UsageRecord | { [Column in keyof UsageRecord]: null });

/** Reads the circumstances of each of these records, by its id. */
export async function listCircumstances(
  db: Queryable,
  records: readonly UsageRecord[],
): Promise<Map<string, Circumstances>> {
  const rows = await db.query<Row>(
    `select w.id as wanted_id, p.id is not null as has_project, p.archived_at is not null as is_archived,
            ${HAS_CUSTOMER} as has_customer,
            (w."subscriptionId" is null or b.id is not null) as has_subscription, b.customer_id as subscriber_id,
            b.id is null or ${IS_SUBSCRIBERS} as is_subscribers,
            (p.settings -> 'usageCredits' ->> w.metric)::numeric as credits_per_unit, ${usageRecords.columns('u')}
       from ${WANTED}
       left join projects p on p.merchant_id = w."merchantId" and p.id = w."projectId"
       left join subscriptions b on b.merchant_id = w."merchantId" and b.id = w."subscriptionId"
        and b.project_id = w."projectId"
       left join usage_records u
         on u.merchant_id = w."merchantId" and u.project_id = w."projectId" and u.idempotency_key = w."idempotencyKey"`,
    [toJson(records)],
  );
  return new Map(
    rows.map(({ wantedId, hasProject, isArchived, hasCustomer, hasSubscription, ...rest }) => {
      const { subscriberId, isSubscribers, creditsPerUnit, ...holder } = rest;
      const met = {
        ...{ hasProject, isArchived, hasCustomer, hasSubscription, subscriberId, isSubscribers },
        creditsPerUnit,
      };
      return [wantedId, { ...met, holder: holder.id === null ? null : (holder as UsageRecord) }];
    }),
  );
}

/** True if the key of any of these records is used. */
export async function haveHolders(db: Queryable, records: readonly UsageRecord[]): Promise<boolean> {
  const [row] = await db.query<{ isHeld: boolean }>(
    `select exists (select from ${WANTED} join usage_records u
        on u.merchant_id = w."merchantId" and u.project_id = w."projectId"
       and u.idempotency_key = w."idempotencyKey") as is_held`,
    [toJson(records)],
  );
  return row!.isHeld;
}

export interface UsageFilter {
  projectId?: string | undefined;
  customerId?: string | undefined;
  /** Matches usage of any of these customers; only for sums. */
  customerIds?: readonly string[] | undefined;
  subscriptionId?: string | undefined;
  metric?: string | undefined;
}

export async function listRecords(
  db: Queryable,
  merchantId: string,
  asked: UsageFilter & { idempotencyKey?: string | undefined },
  range: Range,
): Promise<UsageRecord[]> {
  const filter = await withMerged(db, merchantId, asked);
  const conditions = new Conditions()
    .add('u.merchant_id = ?', merchantId)
    .within('u.id', range)
    .add('u.project_id = ?', filter.projectId)
    .add('u.customer_id = ?', filter.customerId)
    .add('u.customer_id = any(?)', filter.customerIds)
    .add('u.subscription_id = ?', filter.subscriptionId)
    .add('u.metric = ?', filter.metric)
    .add('u.idempotency_key = ?', filter.idempotencyKey);
  return db.query<UsageRecord>(
    `select ${usageRecords.columns('u')} from usage_records u where ${conditions.where} order by u.id desc limit ${conditions.place(range.limit)}`,
    conditions.values,
  );
}
