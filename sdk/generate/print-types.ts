import { nameOf, type OpenApi, reachable, type Schema } from './openapi.ts';
import { printUnion } from './print-union.ts';
import { variants } from './variants.ts';

/** Names that would hide a global of the platform are given another one. */
const renamed: Record<string, string> = { Event: 'WebhookEvent', Error: 'ErrorAnswer' };

export const typeName = (ref: string) => renamed[nameOf(ref)] ?? nameOf(ref);

/** src/generated/types.ts: every schema as a type, every webhook by its name. */
export function printTypes(api: OpenApi): string {
  const { schemas } = api.components;
  const inputs = inputsOf(api);
  const { enum: codes = [] } = schemas.Error!.properties!.error!.properties!.code!;
  const known = { type: 'string', enum: codes.filter((code) => code !== null) };
  return [
    '/** Written by `npm run sdk` from openapi.json: change that, not this. */\n',
    '/** An integer of 64 bits, exact: a number where a number holds it exactly, otherwise a bigint. Give either. */',
    'export type Int64 = number | bigint;\n',
    '/** Every code the service answers with; a newer one may know more. */',
    `export type ErrorCode = ${printType(known, 'output')};\n`,
    ...Object.entries(schemas)
      .filter(([name]) => name !== 'Event' && name !== 'Error' && !name.endsWith('Page'))
      .map(([name, schema]) => printSchema(name, schema, inputs.has(name) ? 'input' : 'output')),
    printWebhooks(api),
  ].join('\n');
}

/** The schemas that are only ever sent: they take a Date for a time, and undefined for what is left out. */
function inputsOf(api: OpenApi): Set<string> {
  const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));
  const sent = reachable(
    api,
    operations.map(({ requestBody }) => requestBody),
  );
  const answered = reachable(api, [operations.map(({ responses }) => responses), api.webhooks]);
  return sent.difference(answered);
}

type Direction = 'input' | 'output';

function printSchema(name: string, schema: Schema, direction: Direction): string {
  if (variants[name]) return printUnion(name, schema, variants[name]);
  if (!hasProperties(schema))
    return `${comment(schema)}export type ${name} = ${printType(schema, direction)};\n`;
  return `${comment(schema)}export interface ${name} ${printProperties(schema, direction)}\n`;
}

/** An object of which nothing is said may hold anything. */
const hasProperties = ({ properties = {} }: Schema) => Object.keys(properties).length > 0;

function printProperties({ properties = {}, required = [] }: Schema, direction: Direction): string {
  const lines = Object.entries(properties).map(([name, schema]) =>
    printProperty(name, schema, required.includes(name), direction),
  );
  return `{\n${lines.join('\n')}\n}`;
}

export function printProperty(
  name: string,
  schema: Schema,
  isRequired: boolean,
  direction: Direction,
): string {
  const type = printType(schema, direction);
  if (isRequired) return `${comment(schema)}${name}: ${type};`;
  return `${comment(schema)}${name}?: ${type}${direction === 'input' ? ' | undefined' : ''};`;
}

export function printType(schema: Schema, direction: Direction): string {
  if (schema.$ref) return typeName(schema.$ref);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.oneOf) return schema.oneOf.map((one) => printType(one, direction)).join(' | ');
  return [schema.type ?? []]
    .flat()
    .map((type) => printOne(type, schema, direction))
    .join(' | ');
}

/** Formats for which a Date can be given. */
const TIMES = new Set(['date-time', 'day-or-time']);

function printOne(type: string, schema: Schema, direction: Direction): string {
  if (type === 'string')
    return TIMES.has(schema.format ?? '') && direction === 'input' ? 'string | Date' : 'string';
  if (type === 'integer') return isBeyondNumber(schema) ? 'Int64' : 'number';
  if (type === 'boolean' || type === 'null' || type === 'number') return type;
  if (type === 'array') {
    const items = `(${printType(schema.items!, direction)})[]`;
    return direction === 'input' ? `readonly ${items}` : items;
  }
  if (type !== 'object') throw new Error(`the generator does not know the type ${type}`);
  if (hasProperties(schema)) return printProperties(schema, direction);
  const { patternProperties = {}, additionalProperties } = schema;
  const free = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const [values = free] = Object.values(patternProperties);
  return `Record<string, ${values ? printType(values, direction) : 'unknown'}>`;
}

/** A count has int64's format too, but a maximum that every number holds exactly. */
function isBeyondNumber({ format, maximum }: Schema): boolean {
  return format === 'int64' && (maximum === undefined || maximum > Number.MAX_SAFE_INTEGER);
}

/** `event` tells which one it is: a switch over it knows the type of `data`. */
function printWebhooks(api: OpenApi): string {
  const lines = Object.entries(api.webhooks).map(
    ([name, { post }]) =>
      `/** ${post.summary} */\n'${name}': ${typeName(post.requestBody.content['application/json']!.schema.$ref!)};`,
  );
  return [
    '/** Every event by its name. */',
    `export interface WebhookEvents {\n${lines.join('\n')}\n}\n`,
    'export type WebhookEventName = keyof WebhookEvents;\n',
    '/** An event as a webhook carries it: `event` says which, and with it what `data` holds. */',
    'export type WebhookEvent<Name extends WebhookEventName = WebhookEventName> = {',
    '  [Each in Name]: WebhookEvents[Each] & { event: Each };',
    '}[Name];\n',
  ].join('\n');
}

export function comment({ description }: { description?: string }): string {
  if (!description) return '';
  const lines = description.replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
