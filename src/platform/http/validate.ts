import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isEmailAddress } from '../lib/email-address.ts';
import { badField } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import { MAX_INT64 } from '../lib/money.ts';
import { isBlank } from '../lib/visible-text.ts';
import { oncePerSchema } from './once-per-schema.ts';
import { type Bounds, formProblem, problemOf, unknownName } from './problem-of.ts';
import { unreadableIn } from './query.ts';
import { isHandlerValidated, type TSchema } from './schema.ts';

/**
 * Checks a value against its schema, turning int64 into bigint and timestamps into Date, or throws. `fixed` names what
 * the object has and this request cannot change.
 */
export type Validate = (value: unknown, fixed?: () => readonly string[]) => void;

/** For JSON bodies. */
export function bodyValidator(schema: TSchema): Validate {
  return bodies(schema, () => validator(schema, 'body', rewriteForJson));
}

const bodies = oncePerSchema<void, [fixed?: () => readonly string[]]>();

/** For query strings, where everything arrives as text. */
export function queryValidator(schema: TSchema): Validate {
  return queries(schema, () => newQueryValidator(schema));
}

const queries = oncePerSchema<void>();

function newQueryValidator(schema: TSchema): Validate {
  const check = validator(schema, 'query', rewriteForQuery);
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  const repeatable = Object.keys(properties).filter((name) => properties[name]!.type === 'array');
  return (value) => {
    const query = value as Record<string, unknown>;
    const unreadable = unreadableIn(query);
    if (unreadable) throw badField(unreadable.field, unreadable.problem);
    for (const name of repeatable) {
      mergeBrackets(query, name);
      if (typeof query[name] === 'string') query[name] = [query[name]];
    }
    check(query);
  };
}

/** Reads repeatable parameters from `name[]` as well, which many programs write. */
function mergeBrackets(query: Record<string, unknown>, name: string): void {
  const more = query[`${name}[]`];
  if (more === undefined) return;
  query[name] = [query[name] ?? [], more].flat();
  delete query[`${name}[]`];
}

function validator(schema: TSchema, where: string, rewrite: Rewrite): Validate {
  const check = ajv.compile(rewriteSchema(schema, rewrite));
  return (value, fixed) => {
    if (!check(value)) throw complaint(check, where, fixed);
  };
}

function complaint(check: ValidateFunction, where: string, fixed?: () => readonly string[]) {
  const error = check.errors![0]!;
  const parent = pathOf(error.instancePath);
  const inside = (name: string) => (parent ? `${parent}.${name}` : name);
  const unknown = unknownNameIn(error);
  if (unknown !== undefined) {
    const { properties, patternProperties } = error.parentSchema as Record<string, object | undefined>;
    if (patternProperties)
      return badField(`${parent} key ${quoted(unknown)}`, formProblem(error.parentSchema as object));
    const known = Object.keys(properties ?? {});
    const problem = unknownName(unknown, where, known, parent ? [] : (fixed?.() ?? []));
    return badField(inside(unknown).slice(0, 100), problem);
  }
  if (error.propertyName !== undefined)
    return badField(`${parent} key ${quoted(error.propertyName)}`, problemOf(error));
  if (error.keyword === 'required')
    return badField(inside(String(error.params.missingProperty)), 'is required');
  const given = where === 'query' && error.keyword === 'enum' ? `, not ${quoted(String(error.data))}` : '';
  return badField(parent || where, problemOf(error) + given);
}

/** A name that the schema does not have. It goes before one that is missing, which it may be, misspelt. */
function unknownNameIn({ keyword, params, parentSchema, data }: ErrorObject): string | undefined {
  if (keyword === 'additionalProperties') return String(params.additionalProperty);
  if (keyword !== 'required' || parentSchema?.additionalProperties !== false) return undefined;
  const { properties = {}, patternProperties } = parentSchema as Record<string, object | undefined>;
  if (patternProperties) return undefined;
  return Object.keys(data as object).find((name) => !Object.hasOwn(properties, name));
}

/** A JSON pointer with dots. A caller's own key may hold what a pointer escapes. */
function pathOf(pointer: string): string {
  const parts = pointer.slice(1).split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

function quoted(key: string): string {
  return JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key);
}

export const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const CONTROL_BUT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

const isText = (text: string) => !CONTROL.test(text) && text.isWellFormed();

const ajv = new Ajv2020({
  strict: false,
  allErrors: false,
  ownProperties: true,
  verbose: true,
  formats: {
    uuid: isUuid,
    email: isEmailAddress,
    text: isText,
    name: (text: string) => isText(text) && !isBlank(text),
    'text-lines': (text: string) => !CONTROL_BUT_LINES.test(text) && text.isWellFormed(),
    uri: true,
    'solana-address': true,
    int32: true,
  },
});

interface Place {
  parentData: Record<string, unknown>;
  parentDataProperty: string | number;
}

function put(place: Place | undefined, value: unknown): void {
  if (place) place.parentData[place.parentDataProperty as string] = value;
}

function isWithin({ minimum, maximum }: Bounds, value: bigint): boolean {
  return value >= (minimum ?? -MAX_INT64 - 1n) && value <= (maximum ?? MAX_INT64);
}

ajv.addKeyword({
  keyword: 'int64',
  modifying: true,
  errors: false,
  validate: (bounds: Bounds, value: unknown, _parent: unknown, place?: Place) => {
    if (value === null) return bounds.nullable;
    if (typeof value !== 'bigint' && !Number.isInteger(value)) return false;
    const exact = BigInt(value as number);
    if (!isWithin(bounds, exact)) return false;
    put(place, bounds.small ? Number(exact) : exact);
    return true;
  },
});

ajv.addKeyword({
  keyword: 'queryInteger',
  modifying: true,
  errors: false,
  validate: (bounds: Bounds, value: unknown, _parent: unknown, place?: Place) => {
    if (typeof value !== 'string' || !/^(0|-?[1-9][0-9]{0,18})$/.test(value)) return false;
    const exact = BigInt(value);
    if (!isWithin(bounds, exact)) return false;
    put(place, bounds.small ? Number(exact) : exact);
    return true;
  },
});

ajv.addKeyword({
  keyword: 'queryBoolean',
  modifying: true,
  errors: false,
  validate: (_schema: unknown, value: unknown, _parent: unknown, place?: Place) => {
    if (value !== 'true' && value !== 'false') return false;
    put(place, value === 'true');
    return true;
  },
});

const TIMESTAMP =
  /^\d{4}-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

ajv.addKeyword({
  keyword: 'timestamp',
  modifying: true,
  errors: false,
  validate: (schema: { nullable: boolean }, value: unknown, _parent: unknown, place?: Place) => {
    if (value === null) return schema.nullable;
    const date = parseTimestamp(value);
    if (!date) return false;
    put(place, date);
    return true;
  },
});

ajv.addKeyword({
  keyword: 'dayOrTime',
  modifying: true,
  errors: false,
  validate: (_schema: unknown, value: unknown, _parent: unknown, place?: Place) => {
    if (typeof value === 'string' && /^2\d{3}-\d\d-\d\d$/.test(value))
      return parseTimestamp(`${value}T00:00:00Z`) !== undefined;
    const date = parseTimestamp(value);
    if (!date) return false;
    put(place, date);
    return true;
  },
});

function parseTimestamp(value: unknown): Date | undefined {
  const match = typeof value === 'string' ? TIMESTAMP.exec(value) : null;
  if (!match) return undefined;
  const [text, month, day] = match;
  const date = new Date(text);
  // The Date constructor turns 30 February into 2 March; such a day is a mistake, not a date.
  const daysInMonth = new Date(Date.UTC(Number(text.slice(0, 4)), Number(month), 0)).getUTCDate();
  return Number.isNaN(date.getTime()) || Number(day) < 1 || Number(day) > daysInMonth ? undefined : date;
}

type Schema = Record<string, unknown>;
type Rewrite = (schema: Schema, types: string[], nullable: boolean) => Schema | undefined;

/** Plain `integer` stops at 2^53 in validators, so int64 and timestamps go to keywords of our own. */
const rewriteForJson: Rewrite = ({ format, minimum, maximum }, types, nullable) => {
  if (types.includes('integer')) return { int64: int64Bounds(format, minimum, maximum, nullable) };
  if (format === 'date-time') return { timestamp: { nullable } };
  return undefined;
};

const rewriteForQuery: Rewrite = ({ format, minimum, maximum }, types, nullable) => {
  if (types.includes('integer')) return { queryInteger: int64Bounds(format, minimum, maximum, nullable) };
  if (types.includes('boolean')) return { queryBoolean: {} };
  if (format === 'day-or-time') return { dayOrTime: {} };
  if (format === 'date-time') return { timestamp: { nullable } };
  return undefined;
};

const MAX_INT32 = 2 ** 31 - 1;

function int64Bounds(format: unknown, minimum: unknown, maximum: unknown, nullable: boolean) {
  if (format !== 'int32') return { minimum, maximum, nullable };
  return { minimum: minimum ?? -MAX_INT32 - 1, maximum: maximum ?? MAX_INT32, nullable, small: true };
}

function rewriteSchema(schema: unknown, rewrite: Rewrite): Schema {
  if (Array.isArray(schema)) return schema.map((item) => rewriteSchema(item, rewrite)) as unknown as Schema;
  if (schema === null || typeof schema !== 'object') return schema as Schema;
  const object = schema as Schema;
  if (isHandlerValidated(object)) return {};
  const types = [object.type].flat().map(String);
  const replaced = rewrite(object, types, types.includes('null'));
  if (replaced) return replaced;
  return Object.fromEntries(
    Object.entries(object)
      .filter(([key]) => key !== 'title' && key !== 'examples' && key !== 'default')
      .map(([key, value]) => [
        key,
        HOLDERS.has(key) ? rewriteEach(value, rewrite) : rewriteSchema(value, rewrite),
      ]),
  );
}

/** Keywords under which names are the caller's, and no keywords themselves: a property may be called `title`. */
const HOLDERS = new Set(['properties', 'patternProperties']);

function rewriteEach(schemas: unknown, rewrite: Rewrite): Schema {
  return Object.fromEntries(
    Object.entries(schemas as Schema).map(([name, schema]) => [name, rewriteSchema(schema, rewrite)]),
  );
}
