import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';

/** A pending change of where money goes, or of how long such changes are delayed. */
export interface PendingChange {
  merchantId: string;
  id: string;
  kind: 'address' | 'delay';
  /** Null: the merchant's own address, or the delay. */
  projectId: string | null;
  projectName: string | null;
  /** The address when this change was requested. */
  fromAddress: string | null;
  /** Null: the project goes back to the merchant's own. */
  address: string | null;
  fromDelayHours: number | null;
  delayHours: number | null;
  /** The actor as the audit log names them. */
  requestedBy: string;
  requestedAt: Date;
  takesEffectAt: Date;
}

const COLUMNS = `
  merchant_id, id, kind, project_id,
  (select p.name from projects p where p.merchant_id = payout_changes.merchant_id and p.id = project_id) as project_name,
  from_address, address, from_delay_hours, delay_hours,
  requested_by, requested_at, takes_effect_at`;

export async function insertPending(
  tx: Queryable,
  change: Omit<PendingChange, 'projectName'>,
): Promise<void> {
  await tx.query(
    `insert into payout_changes (merchant_id, id, kind, project_id, from_address, address, from_delay_hours, delay_hours,
                                 requested_by, requested_at, takes_effect_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      change.merchantId,
      change.id,
      change.kind,
      change.projectId,
      change.fromAddress,
      change.address,
      change.fromDelayHours,
      change.delayHours,
      change.requestedBy,
      change.requestedAt,
      change.takesEffectAt,
    ],
  );
}

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
