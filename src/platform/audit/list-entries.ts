import type { Queryable } from '../db/database.ts';
import type { RowOf } from '../db/table.ts';
import type { Range } from '../http/list.ts';
import { auditEntries } from './record.ts';

const SHOWN = ['id', 'actor', 'action', 'targetId', 'detail', 'createdAt'] as const;
export type AuditRow = Pick<RowOf<typeof auditEntries>, (typeof SHOWN)[number]>;

export interface AuditFilter {
  action?: string;
  actor?: string;
  targetId?: string;
}

/** Newest first. */
export async function listAuditEntries(
  db: Queryable,
  merchantId: string,
  { action, actor, targetId }: AuditFilter,
  range: Range,
): Promise<AuditRow[]> {
  return db.query<AuditRow>(
    `select ${auditEntries.columns('', SHOWN)} from audit_entries
      where merchant_id = $1 and id < $2 and id >= $3 and ($5::text is null or action = $5)
        and ($6::text is null or actor = $6) and ($7::uuid is null or target_id = $7)
      order by id desc limit $4`,
    [merchantId, range.beforeId, range.fromId, range.limit, action ?? null, actor ?? null, targetId ?? null],
  );
}
