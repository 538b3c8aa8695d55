import {
  bigint,
  bytes,
  generated,
  jsonText,
  nullable,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../db/columns.ts';
import type { Queryable } from '../db/database.ts';
import { table } from '../db/table.ts';
import { newId } from '../lib/ids.ts';
import { stringifyJson } from '../lib/json.ts';

/** Changes and who made them. A trigger chains each to the merchant's previous one. */
export const auditEntries = table(
  'audit_entries',
  {
    merchantId: uuid,
    id: uuid,
    actor: text,
    action: text,
    targetId: nullable(uuid),
    /** JSON text, so that no digit is lost. */
    detail: withDefault(jsonText),
    sequence: generated(bigint),
    hash: generated(bytes),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);

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
  const { merchantId, action, targetId, now } = entry;
  const row = { merchantId, id: newId(now), actor, action, targetId, createdAt: now };
  await auditEntries.insert(tx, { ...row, detail: stringifyJson(detail) });
}
