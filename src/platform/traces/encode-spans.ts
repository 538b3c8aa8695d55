import { type Attributes, KINDS, type Span } from './span.ts';

/** The service, as collectors know it. */
export interface Origin {
  attributes: Attributes;
  version: string;
}

const FAILED = { code: 2 };

/** OTLP in its JSON form: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding. */
export function encodeSpans(spans: readonly Span[], { attributes, version }: Origin): string {
  const scope = { name: 'florin', version };
  const scopeSpans = [{ scope, spans: spans.map(encodeSpan) }];
  return JSON.stringify({
    resourceSpans: spans.length === 0 ? [] : [{ resource: { attributes: encode(attributes) }, scopeSpans }],
  });
}

function encodeSpan({ parentId, kind, startMs, endMs, attributes, hasFailed, ...span }: Span) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name: span.name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: encode(attributes),
    ...(hasFailed && { status: FAILED }),
  };
}

/** In microseconds it is still a number without loss. */
const nanoseconds = (ms: number) => `${Math.round(ms * 1_000)}000`;

function encode(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }];
  });
}
