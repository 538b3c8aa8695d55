import type { Static, TArray, TObject, TOptional, TSchema, TUnsafe } from 'typebox';
import { MAX_INT64 } from '../lib/money.ts';

/**
 * The words every route schema is written in. A schema is plain JSON Schema: the validator, the serializer
 * and openapi.json all read the same object. Of TypeBox it takes the types alone: its builders are hundreds
 * of files for every start to load.
 */

/** Text a person wrote: no control characters (line breaks and tabs only where they make sense). */
export function Text(
  options: { min?: number; max?: number; lines?: boolean; pattern?: string; description?: string } = {},
) {
  const { min = 1, max = 255, lines = false, ...rest } = options;
  const format = lines ? 'text-lines' : 'text';
  return typed<string>({ type: 'string', minLength: min, maxLength: max, format, ...rest });
}

/** Name of a person or a thing: text with at least one character that can be seen. */
export function Name(options: { max?: number; description?: string } = {}) {
  const { max = 255, ...rest } = options;
  return typed<string>({ type: 'string', minLength: 1, maxLength: max, format: 'name', ...rest });
}

/** Only its form is checked: the rest only the mail server knows. */
export function Email(description?: string) {
  return typed<string>({
    type: 'string',
    minLength: 1,
    maxLength: 254,
    format: 'email',
    ...(description && { description }),
  });
}

export function Uuid(description?: string) {
  return typed<string>({ type: 'string', format: 'uuid', ...(description && { description }) });
}

/** Sent as ISO 8601 with an offset, parsed to a Date. */
export function Timestamp(description?: string) {
  return typed<Date>({ type: 'string', format: 'date-time', ...(description && { description }) });
}

/** A day of the merchant's calendar, which stays text, or a moment, which is parsed to a Date. */
export function DayOrTime(description: string) {
  return typed<Date | string>({ type: 'string', format: 'day-or-time', description });
}

export function Int64(options: { min?: number; description?: string } = {}) {
  const { min, ...rest } = options;
  const bounds = min === undefined ? {} : { minimum: min, maximum: MAX_INT64 };
  return typed<bigint>({ type: 'integer', format: 'int64', ...bounds, ...rest });
}

/** A percentage; how many decimals it may have is checked where it is read. */
export function Percent(description?: string) {
  return typed<number>({ type: 'number', ...(description && { description }) });
}

/** How many there are of something: never more than every client's plain number holds exactly. */
export function Count(description?: string) {
  const maximum = Number.MAX_SAFE_INTEGER;
  return typed<bigint>({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum,
    ...(description && { description }),
  });
}

export function Int32(options: { min?: number; max?: number; default?: number; description?: string } = {}) {
  const { min, max, ...rest } = options;
  return typed<number>({
    type: 'integer',
    format: 'int32',
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...rest,
  });
}

export function OneOf<const Values extends readonly string[]>(values: Values, description?: string) {
  return typed<Values[number]>({
    type: 'string',
    enum: [...values],
    ...(description && { description }),
  });
}

/** `type: [x, "null"]`, which validators, serializers and generators all read; plain anyOf for the rest. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  const { type, ...rest } = schema as { type?: string; enum?: unknown[] };
  const nullable =
    typeof type === 'string'
      ? { type: [type, 'null'], ...rest, ...(rest.enum && { enum: [...rest.enum, null] }) }
      : { anyOf: [schema, { type: 'null' }] };
  return typed<Static<Schema> | null>(nullable);
}

/** An object that takes exactly these properties. `name` makes it a component of openapi.json. */
export function Shape<Properties extends Record<string, TSchema>>(
  name: string | undefined,
  properties: Properties,
  options: { description?: string; example?: unknown } = {},
) {
  const { example, ...rest } = options;
  const required = Object.keys(properties).filter((key) => !optional.has(properties[key]!));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: false,
    ...(name && { title: name }),
    ...(example !== undefined && { examples: [example] }),
    ...rest,
  } as unknown as TObject<Properties>;
}

export function List<Schema extends TSchema>(item: Schema, options: { min?: number; max?: number } = {}) {
  return {
    type: 'array',
    items: item,
    ...(options.min !== undefined && { minItems: options.min }),
    ...(options.max !== undefined && { maxItems: options.max }),
  } as unknown as TArray<Schema>;
}

/** An object whose property names are chosen by the caller, each of the given form. */
export function MapOf<Schema extends TSchema>(
  keyPattern: string,
  value: Schema,
  options: { max: number; description?: string },
) {
  const { max, ...rest } = options;
  return typed<Record<string, Static<Schema>>>({
    type: 'object',
    patternProperties: { [keyPattern]: value },
    additionalProperties: false,
    maxProperties: max,
    ...rest,
  });
}

const apart = new WeakSet<object>();

/** Described like any other schema, but checked by the handler: for a list whose items are answered one by one. */
export function HandlerValidated<Schema extends TSchema>(schema: Schema) {
  const described = typed<unknown>({ ...schema });
  apart.add(described);
  return described;
}

const optional = new WeakSet<object>();

/** Lets a field be left out. If its value is checked by the handler, it still is. */
export function Optional<Schema extends TSchema>(schema: Schema) {
  const copy = { ...schema } as TOptional<Schema>;
  optional.add(copy);
  if (apart.has(schema)) apart.add(copy);
  return copy;
}

export function isHandlerValidated(schema: object): boolean {
  return apart.has(schema);
}

export const Flag = (description?: string) =>
  typed<boolean>({ type: 'boolean', ...(description && { description }) });

/** A raw schema, with the type of what it describes. */
function typed<Value>(schema: object): TUnsafe<Value> {
  return schema as TUnsafe<Value>;
}

export type { Static, TSchema };
