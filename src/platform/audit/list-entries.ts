import type { Queryable } from '../db/database.ts';
import type { Range } from '../http/list.ts';

export interface AuditRow {
  id: string;
  actor: string;
  action: string;
  targetId: string | null;
  /** JSON text, so that no digit is lost. */
  detail: string;
  createdAt: Date;
}

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
    `select id, actor, action, target_id, detail::text as detail, created_at from audit_entries
      where merchant_id = $1 and id < $2 and id >= $3 and ($5::text is null or action = $5)
        and ($6::text is null or actor = $6) and ($7::uuid is null or target_id = $7)
      order by id desc limit $4`,
    [merchantId, range.beforeId, range.fromId, range.limit, action ?? null, actor ?? null, targetId ?? null],
  );
}
