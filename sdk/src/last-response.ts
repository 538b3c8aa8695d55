/** Status and headers of the answer that a result came with. */
export interface LastResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Quote it when you ask about a request: it is in the service's log. */
  readonly traceId: string | undefined;
}

/**
 * A result with `lastResponse`, which says what the answer was beside its body. It is not enumerable: the result prints,
 * spreads, compares and turns into JSON as if it were not there.
 */
export type Answered<Result> = Result & { readonly lastResponse: LastResponse };

/** Puts `lastResponse` on what can carry it. */
export function withLastResponse(value: unknown, answer: Response): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.defineProperty(value, 'lastResponse', { value: lastResponseOf(answer) });
}

function lastResponseOf({ status, headers }: Response): LastResponse {
  return { status, headers, traceId: traceIdOf(headers) };
}

export function traceIdOf(headers: Headers): string | undefined {
  return headers.get('x-request-id') ?? undefined;
}
