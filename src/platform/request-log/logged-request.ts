import { integer, nullable, smallint, text, timestamp, uuid } from '../db/columns.ts';
import { type RowOf, table } from '../db/table.ts';

/** Requests of API keys, as their merchant's developers may see them. */
export const requestLogs = table(
  'request_logs',
  {
    merchantId: uuid,
    /** The request's own, as in X-Request-Id. */
    id: uuid,
    keyId: uuid,
    method: text,
    /** Without the query, which may name customers. */
    path: text,
    status: smallint,
    durationMs: integer,
    errorCode: nullable(text),
    errorMessage: nullable(text),
    callerTraceId: nullable(text),
    idempotencyKey: nullable(text),
    /** Body of a request that failed, without what people wrote. */
    requestBody: nullable(text),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type LoggedRequest = RowOf<typeof requestLogs>;
