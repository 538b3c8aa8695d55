/** A request of an API key, as its merchant's developers may see it. */
export interface LoggedRequest {
  /** The request's own, as in X-Request-Id. */
  id: string;
  merchantId: string;
  keyId: string;
  method: string;
  /** Without the query, which may name customers. */
  path: string;
  status: number;
  durationMs: number;
  errorCode: string | null;
  errorMessage: string | null;
  callerTraceId: string | null;
  idempotencyKey: string | null;
  /** Body of a request that failed, without what people wrote. */
  requestBody: string | null;
  createdAt: Date;
}
