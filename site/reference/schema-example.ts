import { hash } from 'node:crypto';

/** Subset of JSON Schema that openapi.json is written in. */
export interface JsonSchema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  default?: unknown;
  minimum?: number | bigint;
  maximum?: number | bigint;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

export type Schemas = Record<string, JsonSchema>;

export interface ExampleOptions {
  /** Schemas that $ref points into. */
  schemas?: Schemas;
  /** People paste requests, so those hold no option that would do more than they came for; the least holds none. */
  purpose?: 'request' | 'least' | 'answer';
  /** Values the reader has seen already, by property: an answer repeats what its request said. */
  known?: Record<string, unknown>;
}

/** A value the schema takes and a person believes. The same schema always gives the same value. */
export function exampleOf(schema: JsonSchema, options: ExampleOptions = {}): unknown {
  return example('', schema, { schemas: {}, purpose: 'answer', known: {}, ...options }, 0);
}

/** Follows $ref; its siblings (such as a description) override what it points to. */
export function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref, ...rest } = schema;
  if ($ref === undefined) return withoutNullOption(schema, schemas);
  const target = schemas[nameOfRef($ref)];
  if (!target) throw new Error(`${$ref} points to nothing`);
  return { ...resolved(target, schemas), ...rest };
}

export function nameOfRef($ref: string): string {
  return $ref.replace('#/components/schemas/', '');
}

/** `anyOf: [X, null]` reads like `type: [x, "null"]`. */
function withoutNullOption(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { anyOf, oneOf, ...rest } = schema;
  const options = anyOf ?? oneOf;
  if (!options) return schema;
  const [first] = options.filter((option) => option.type !== 'null');
  if (!first) return { type: 'null', ...rest };
  const chosen = resolved(first, schemas);
  const isNullable = options.some((option) => option.type === 'null');
  return { ...chosen, ...rest, ...(isNullable && { type: [...typesOf(chosen), 'null'] }) };
}

export function typesOf({ type }: JsonSchema): string[] {
  return type === undefined ? [] : [type].flat();
}

/** A schema that holds itself ends here. */
const MAX_DEPTH = 8;

type Options = Required<ExampleOptions>;

function example(name: string, given: JsonSchema, options: Options, depth: number): unknown {
  const schema = resolved(given, options.schemas);
  const types = typesOf(schema);
  if (schema.const !== undefined) return schema.const;
  if (schema.examples && schema.examples.length > 0) return schema.examples[0];
  if (options.purpose === 'answer' && types.includes('null') && OFTEN_NULL.test(name)) return null;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum.find((value) => value !== null) ?? null;
  if (types.includes('object') || schema.properties) return exampleObject(schema, options, depth);
  if (types.includes('array')) return exampleArray(name, schema, options, depth);
  if (types.includes('string')) return exampleText(name, schema, options);
  if (types.includes('integer') || types.includes('number')) return exampleNumber(name, schema);
  if (types.includes('boolean')) return name !== 'hasMore';
  return null;
}

/** Fields that most answers leave empty: a last page, and times that come late in an object's life or never. */
const OFTEN_NULL = /^(nextCursor|rawApiKey)$|^(revoked|canceled|deleted|ended|voided|failed)(At|Reason)$/;

function exampleObject(schema: JsonSchema, options: Options, depth: number): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (depth >= MAX_DEPTH) return {};
  const nested = { ...options, known: {} };
  const entries = Object.entries(properties)
    .filter(
      ([name, property]) =>
        options.purpose === 'answer' ||
        required.includes(name) ||
        (options.purpose === 'request' && isHarmless(name, resolved(property, options.schemas))),
    )
    .map(([name, property]) => {
      const known = options.known[name];
      const usesKnown = known !== undefined && fits(known, resolved(property, options.schemas));
      return [name, usesKnown ? known : example(name, property, nested, depth + 1)];
    });
  if (entries.length === 0 && typeof additionalProperties === 'object') {
    return { key: example('value', additionalProperties, nested, depth + 1) };
  }
  return Object.fromEntries(entries);
}

/** A flag, a limit or a time changes what happens; an id, an address or a network would have to be the caller's own. */
function isHarmless(name: string, schema: JsonSchema): boolean {
  if (/^environment$|address$|limit/i.test(name)) return false;
  return !typesOf(schema).includes('boolean') && schema.format !== 'date-time' && schema.format !== 'uuid';
}

function fits(value: unknown, schema: JsonSchema): boolean {
  if (schema.enum) return schema.enum.includes(value);
  const types = typesOf(schema);
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number' || typeof value === 'bigint')
    return types.includes('integer') || types.includes('number');
  return types.includes(typeof value);
}

function exampleArray(name: string, schema: JsonSchema, options: Options, depth: number): unknown[] {
  if (!schema.items || depth >= MAX_DEPTH || schema.maxItems === 0) return [];
  const item = example(name.replace(/s$/, ''), schema.items, { ...options, known: {} }, depth + 1);
  return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => item);
}

function exampleText(name: string, schema: JsonSchema, { purpose }: Options): string {
  if (schema.format === 'uuid') return exampleUuid(name);
  if (schema.format === 'date-time') return exampleTime(name, purpose);
  if (schema.format === 'day-or-time') return name === 'to' ? '2026-01-31' : '2026-01-01';
  // An unowned address must not be pasted into a payout setting, so a request has a gap to fill.
  const text = purpose !== 'answer' && /address$/i.test(name) ? 'YOUR_SOLANA_ADDRESS' : wordFor(name, schema);
  return text.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength);
}

const WORDS: [RegExp, string][] = [
  [/email$/i, 'ada@example.com'],
  [/ur[il]$/i, 'https://shop.example/webhooks'],
  [/^referenceAddress$/, '9QmBvJkX4cNwTzR5hYdSgU2fLpEa8MiKoVnCtWr3xGqD'],
  [/address$/i, '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7'],
  [/signature$/i, '4bJdGYtn6ZVvC5nRSqYDTqsPfbAr61uQWzHnXhjRrAxVL9k2mEw8KcUu3TsMfPq7DoZyNVGe5iBxtJhWaR1C2vXd'],
  [/apiKey$/i, 'fl_live_…'],
  [/^prefix$/, 'fl_live_8Kq2'],
  [/^invoicePrefix$/, 'INV'],
  [/secret$/i, 'whsec_…'],
  [/cursor$/i, 'AZt22qgAcACAAAAAAAAAAQ'],
  [/^currency$/i, 'USD'],
  [/^country$/i, 'DE'],
  [/^orderId$/, 'order-1001'],
  [/^name$/, 'Main Street'],
  [/^(?:traceId|.*Key)$/, '019b76da-a800-7000-8000-000000000001'],
];

function wordFor(name: string, { format }: JsonSchema): string {
  const found = WORDS.find(([pattern]) => pattern.test(format === 'uri' ? 'url' : name));
  if (found) return found[1];
  const words = name.replace(/([a-z])([A-Z])/g, (_match, end, start) => `${end} ${start.toLowerCase()}`);
  return words === '' ? 'text' : words[0]!.toUpperCase() + words.slice(1);
}

/** A different id for every name, so that a reader sees which ones are the same. */
export function exampleUuid(name: string): string {
  const digits = hash('sha256', name, 'hex');
  return `019b76da-a800-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}

function exampleTime(name: string, purpose: Options['purpose']): string {
  const isLater = /expires|until|due|end|next|to$/i.test(name);
  if (purpose !== 'answer' && isLater) return '2030-01-31T12:00:00.000Z';
  return isLater ? '2026-01-31T12:30:00.000Z' : '2026-01-31T12:00:00.000Z';
}

function exampleNumber(name: string, { minimum, maximum }: JsonSchema): number | bigint {
  let value: number | bigint = 1;
  if (/cents$/i.test(name)) value = /received|refunded|discount/i.test(name) ? 0 : 1250;
  if (minimum !== undefined && value < minimum) value = minimum;
  if (maximum !== undefined && value > maximum) value = maximum;
  return value;
}
