import type { FastifyRequest } from 'fastify';

/** Trace of a caller, as in W3C Trace Context, https://www.w3.org/TR/trace-context/. */
export interface Traceparent {
  /** 32 hex digits, the same in every service that the caller's request passes. */
  traceId: string;
  /** 16 hex digits: the caller's span. */
  parentId: string;
  /** True if the caller records this trace. */
  isSampled: boolean;
  /** The header as it is sent back. */
  text: string;
}

/** A later version may append fields; 00 has exactly these. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined where there is none, and where it is malformed: then the standard says to ignore it. */
export function readTraceparent({ headers }: Pick<FastifyRequest, 'headers'>): Traceparent | undefined {
  const given = headers.traceparent;
  if (typeof given !== 'string') return undefined;
  const [, version, traceId, parentId, flags, more] = TRACEPARENT.exec(given) ?? [];
  if (traceId === undefined || parentId === undefined || (version === '00' && more !== undefined))
    return undefined;
  const isSampled = (Number.parseInt(flags!, 16) & 1) === 1;
  return { traceId, parentId, isSampled, text: `00-${traceId}-${parentId}-${flags}` };
}

/** For a line of the log: beside `traceId`, which is our own name of the request. */
export function callerTrace(request: FastifyRequest): { callerTraceId?: string } {
  const trace = readTraceparent(request);
  return trace ? { callerTraceId: trace.traceId } : {};
}
