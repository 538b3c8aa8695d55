import { isUuid } from '../../platform/lib/ids.ts';
import { type Json, JsonError, parseJson } from '../../platform/lib/json.ts';
import { readNamed } from './files.ts';
import { UsageError } from './io.ts';
import { type Field, type FieldSchema, type Operation, typesOf } from './operations.ts';

/** Values from the command line, by commander's names of the flags. */
export type Given = Record<string, unknown>;

export interface Request {
  query: [string, string][];
  body: Json | undefined;
}

/** The request that the flags ask for. Flags win over what --data says, and what is missing is named. */
export function readRequest(operation: Operation, given: Given, readStdin: () => string): Request {
  const query: [string, string][] = [];
  const body = wholeBody(operation, given, readStdin);
  for (const field of operation.fields) {
    const text = given[optionName(field.flag)];
    if (text === undefined) continue;
    const value = readValue(field, String(text));
    if (field.place === 'body') body[field.name] = value;
    else for (const item of [value].flat()) query.push([field.name, String(item)]);
  }
  complain(operation, given, body);
  const isEmpty = Object.keys(body).length === 0 && given.data === undefined;
  return { query, body: operation.hasBody && !isEmpty ? body : undefined };
}

/** Converts a flag to commander's name of the option: `--project-id` → `projectId`. */
export function optionName(flag: string): string {
  return flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function wholeBody({ hasBody }: Operation, given: Given, readStdin: () => string): Record<string, Json> {
  if (!hasBody || given.data === undefined) return {};
  const data = String(given.data);
  const text =
    data === '-' || data === '@-'
      ? readStdin()
      : data.startsWith('@')
        ? readNamed('--data', data.slice(1)).toString('utf8')
        : data;
  let body: Json;
  try {
    body = parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new UsageError(`--data ${error.message}`);
    throw error;
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new UsageError('--data must be a JSON object');
  return body;
}

function complain(operation: Operation, given: Given, body: Record<string, Json>): void {
  const missing = [
    ...operation.fields
      .filter(({ isRequired }) => isRequired)
      .filter(({ name, flag, place }) =>
        place === 'body' ? !(name in body) : given[optionName(flag)] === undefined,
      )
      .map(({ flag }) => `--${flag}`),
    ...operation.nested
      .filter(({ name, isRequired }) => isRequired && !(name in body))
      .map(({ name }) => `--data '{"${name}": …}'`),
  ];
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(', ')}`);
}

function readValue({ flag, schema }: Field, text: string): Json {
  const problem = (what: string) => new UsageError(`--${flag} must be ${what}, not "${text}"`);
  if (text === 'null' && typesOf(schema).includes('null')) return null;
  if (schema.items) {
    const { items } = schema;
    return text.split(',').map((item) => readOne(items, item.trim(), problem));
  }
  return readOne(schema, text, problem);
}

function readOne(schema: FieldSchema, text: string, problem: (what: string) => UsageError): Json {
  const types = typesOf(schema);
  if (types.includes('integer')) {
    if (!/^-?\d{1,19}$/.test(text)) throw problem('a whole number');
    const exact = BigInt(text);
    return Number.isSafeInteger(Number(text)) ? Number(text) : exact;
  }
  if (types.includes('boolean')) {
    if (text !== 'true' && text !== 'false') throw problem('true or false');
    return text === 'true';
  }
  if (schema.enum && !schema.enum.includes(text)) throw problem(`one of ${schema.enum.join(', ')}`);
  if (schema.format === 'uuid' && !isUuid(text)) throw problem('an id (a UUID)');
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(text)))
    throw problem('a time such as 2026-01-31T12:00:00Z');
  return text;
}
