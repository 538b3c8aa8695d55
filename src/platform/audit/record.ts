import type { Queryable } from '../db/database.ts';
import { newId } from '../lib/ids.ts';
import { stringifyJson } from '../lib/json.ts';

export interface AuditEntry {
  merchantId: string;
  /** The actor: `key:<id>`, `operator`, or one of them with `actorVia`. */
  actor: string;
  /** The event, noun first: `api_key.created`. */
  action: string;
  targetId?: string;
  /** The change itself. Never a secret. */
  detail?: object;
  now: Date;
}

const VIA_MCP = ' via mcp: ';

/** The name of an actor for whom an AI assistant acts. The row keeps the two apart. */
export function actorVia(actor: string, client: string): string {
  return `${actor}${VIA_MCP}${client}`;
}

/**
 * Adds one row, in the transaction of the change it records. Rows are never altered; the database chains each to the
 * merchant's previous row, so that an altered one shows. Other rows of the merchant wait until the transaction ends.
 */
export async function recordAudit(tx: Queryable, entry: AuditEntry): Promise<void> {
  const [actor, client] = entry.actor.split(VIA_MCP, 2) as [string, string | undefined];
  const detail = { ...entry.detail, ...(client !== undefined && { via: 'mcp', client }) };
  await tx.query(
    `insert into audit_entries (merchant_id, id, actor, action, target_id, detail, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      entry.merchantId,
      newId(entry.now),
      actor,
      entry.action,
      entry.targetId ?? null,
      stringifyJson(detail),
      entry.now,
    ],
  );
}
