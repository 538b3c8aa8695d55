/** Kinds of spans, numbered as in OTLP. */
export const KINDS = { internal: 1, server: 2, client: 3 } as const;
export type Kind = keyof typeof KINDS;

/** Names and numbers that we chose ourselves: never a value of a request, a statement or a person. */
export type Attributes = Record<string, string | number | undefined>;

/** Something that took time, and is over. */
export interface Span {
  /** 32 hex digits, the same in every service that takes part. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  /** Absent in the first span of a trace. */
  parentId: string | undefined;
  name: string;
  kind: Kind;
  /** Milliseconds since 1970, with fractions. */
  startMs: number;
  endMs: number;
  attributes: Attributes;
  hasFailed: boolean;
}

/** Kind of a failure. Its message may hold values, so it stays in the log. */
export function failureType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string' && /^\w{1,40}$/.test(code)) return code;
  return typeof name === 'string' ? name : 'Error';
}
