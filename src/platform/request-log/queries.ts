import type { Queryable } from '../db/database.ts';
import { deleteSlice } from '../db/delete-slice.ts';
import type { Range } from '../http/list.ts';
import type { LoggedRequest } from './logged-request.ts';

const COLUMNS = `
  id, merchant_id, key_id, method, path, status, duration_ms,
  error_code, error_message, caller_trace_id,
  idempotency_key, request_body, created_at`;

export async function insertRequests(db: Queryable, requests: readonly LoggedRequest[]): Promise<void> {
  await db.query(
    `insert into request_logs (merchant_id, id, key_id, method, path, status, duration_ms, error_code, error_message,
                               caller_trace_id, idempotency_key, request_body, created_at)
     select "merchantId", id, "keyId", method, path, status, "durationMs", "errorCode", "errorMessage",
            "callerTraceId", "idempotencyKey", "requestBody", "createdAt"
       from json_to_recordset($1::json) as r(
              "merchantId" uuid, id uuid, "keyId" uuid, method text, path text, status smallint, "durationMs" integer,
              "errorCode" text, "errorMessage" text, "callerTraceId" text, "idempotencyKey" text, "requestBody" text,
              "createdAt" timestamptz)
         on conflict do nothing`,
    [JSON.stringify(requests)],
  );
}

export interface RequestFilter {
  status?: number | undefined;
  isFailed?: boolean | undefined;
  method?: string | undefined;
  path?: string | undefined;
  keyId?: string | undefined;
}

export async function listRequests(
  db: Queryable,
  merchantId: string,
  { status, isFailed, method, path, keyId }: RequestFilter,
  range: Range,
): Promise<LoggedRequest[]> {
  const values: unknown[] = [merchantId, range.beforeId, range.fromId, range.limit];
  const conditions = ['merchant_id = $1', 'id < $2', 'id >= $3'];
  if (isFailed !== undefined) conditions.push(isFailed ? 'status >= 400' : 'status < 400');
  if (status !== undefined) conditions.push(`status = $${values.push(status)}`);
  if (method !== undefined) conditions.push(`method = $${values.push(method)}`);
  if (path !== undefined) conditions.push(`starts_with(path, $${values.push(path)})`);
  if (keyId !== undefined) conditions.push(`key_id = $${values.push(keyId)}`);
  return db.query<LoggedRequest>(
    `select ${COLUMNS} from request_logs where ${conditions.join(' and ')} order by id desc limit $4`,
    values,
  );
}

export async function findRequest(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<LoggedRequest | undefined> {
  const [row] = await db.query<LoggedRequest>(
    `select ${COLUMNS} from request_logs where merchant_id = $1 and id = $2`,
    [merchantId, id],
  );
  return row;
}

/** Returns how many were deleted. */
export async function deleteOlderThan(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `${deleteSlice('request_logs', ['merchant_id', 'id'], 'created_at < $1')} returning true`,
    [before, limit],
  );
  return rows.length;
}
