import type { Queryable } from '../db/database.ts';
import { deleteSlice } from '../db/delete-slice.ts';
import type { Range } from '../http/list.ts';
import { type LoggedRequest, requestLogs } from './logged-request.ts';

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
    `select ${requestLogs.columns()} from request_logs where ${conditions.join(' and ')} order by id desc limit $4`,
    values,
  );
}

/** Returns how many were deleted. */
export async function deleteOlderThan(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `${deleteSlice('request_logs', ['merchant_id', 'id'], 'created_at < $1')} returning true`,
    [before, limit],
  );
  return rows.length;
}
