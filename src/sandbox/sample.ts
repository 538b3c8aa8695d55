import type { WebhookDescription } from '../http/openapi.ts';
import { isUuid } from '../lib/ids.ts';
import { exampleOf, type JsonSchema } from '../reference/schema-example.ts';

export interface Sample {
  status: string;
  data: object;
}

/** What a webhook of this kind would carry, made from its schema; every id in it is a fresh one. */
export function sampleOf({ event, body, sample = {} }: WebhookDescription, freshId: () => string): Sample {
  const status = sample.status ?? event.slice(event.lastIndexOf('.') + 1);
  const example = exampleOf(withStatus(body as JsonSchema, status)) as Sample;
  const data = withFreshIds(example.data, freshId) as object;
  return { status: example.status, data: { ...data, ...sample.data } };
}

/** The status is told in several places of a body: wherever this one is possible, it is this one. */
function withStatus(schema: JsonSchema, status: string): JsonSchema {
  const { properties } = schema;
  if (!properties) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        name === 'status' && property.enum?.includes(status)
          ? { ...property, const: status }
          : withStatus(property, status),
      ]),
    ),
  };
}

/** The same example id becomes the same fresh one, so that what belongs together still does. */
function withFreshIds(value: unknown, freshId: () => string, known = new Map<string, string>()): unknown {
  if (Array.isArray(value)) return value.map((item) => withFreshIds(item, freshId, known));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withFreshIds(inner, freshId, known)]),
    );
  if (typeof value !== 'string' || !isUuid(value)) return value;
  const id = known.get(value) ?? freshId();
  known.set(value, id);
  return id;
}
