import { nullable, oneOf, smallint, text, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';

/** Pending changes of where money goes, or of how long such changes are delayed. */
export const payoutChanges = table(
  'payout_changes',
  {
    merchantId: uuid,
    id: uuid,
    kind: oneOf(['address', 'delay']),
    /** Null: the merchant's own address, or the delay. */
    projectId: nullable(uuid),
    /** The address when this change was requested. */
    fromAddress: nullable(text),
    /** Null: the project goes back to the merchant's own. */
    address: nullable(text),
    fromDelayHours: nullable(smallint),
    delayHours: nullable(smallint),
    /** The actor as the audit log names them. */
    requestedBy: text,
    requestedAt: timestamp,
    takesEffectAt: timestamp,
  },
  ['merchantId', 'id'],
);

export interface PendingChange extends RowOf<typeof payoutChanges> {
  projectName: string | null;
}

const COLUMNS = `${payoutChanges.columns()},
  (select p.name from projects p where p.merchant_id = payout_changes.merchant_id and p.id = project_id) as project_name`;

/** The next to take effect first. */
export async function listPending(db: Queryable, merchantId: string): Promise<PendingChange[]> {
  return db.query<PendingChange>(
    `select ${COLUMNS} from payout_changes where merchant_id = $1 order by takes_effect_at, id`,
    [merchantId],
  );
}

/** The name of this work among what is set aside. */
export const PAYOUT_CHANGES = 'apply payout changes';

/** Due changes of all merchants, the longest due first. */
export async function listDuePending(db: Queryable, now: Date, limit: number): Promise<PendingChange[]> {
  return db.query<PendingChange>(
    `select ${COLUMNS} from payout_changes where takes_effect_at <= $1 and ${isOpenMerchant()}
        and ${notSetAside(PAYOUT_CHANGES, '$1', { merchantId: 'payout_changes.merchant_id', id: 'payout_changes.id' })}
      order by takes_effect_at, id limit $2`,
    [now, limit],
  );
}

/** How many are pending, and the one that is overdue since before `since` for the longest time. */
export async function countPending(
  db: Queryable,
  since: Date,
): Promise<{ waiting: number; overdue: number; merchantId: string | null; dueAt: Date | null }> {
  const [row] = await db.query<Awaited<ReturnType<typeof countPending>>>(
    `select count(*)::int as waiting, (count(*) filter (where takes_effect_at < $1))::int as overdue,
            (array_agg(merchant_id order by takes_effect_at) filter (where takes_effect_at < $1))[1] as merchant_id,
            min(takes_effect_at) filter (where takes_effect_at < $1) as due_at
       from payout_changes where ${isOpenMerchant()}`,
    [since],
  );
  return row!;
}

/** The caller that deletes it decides what becomes of it: no other gets it. */
export async function deletePending(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<PendingChange | undefined> {
  const [row] = await tx.query<PendingChange>(
    `delete from payout_changes where merchant_id = $1 and id = $2 returning ${COLUMNS}`,
    [merchantId, id],
  );
  return row;
}

/** Deletes pending changes to an address that the merchant has lost. */
export async function deletePendingTo(
  tx: Queryable,
  merchantId: string,
  address: string,
): Promise<PendingChange[]> {
  return tx.query<PendingChange>(
    `delete from payout_changes where merchant_id = $1 and address = $2 returning ${COLUMNS}`,
    [merchantId, address],
  );
}
