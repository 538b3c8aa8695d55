import { readFileSync } from 'node:fs';
import { names } from '../../../sdk/generate/names.ts';

/** Subset of a schema that a flag needs. */
export interface FieldSchema {
  type?: string | string[];
  format?: string;
  enum?: string[];
  items?: FieldSchema;
  description?: string;
  default?: unknown;
}

/** A parameter of the query or a property of the body, and the flag it is given with. */
export interface Field {
  name: string;
  flag: string;
  place: 'query' | 'body';
  schema: FieldSchema;
  isRequired: boolean;
}

/** One operation of the API, and the command it is: `florin <resource> <name>`, in the words of the TypeScript client. */
export interface Operation {
  id: string;
  resource: string;
  name: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  params: { name: string; description: string }[];
  /** Fields with a flag of their own. */
  fields: Field[];
  /** Objects within the body: given with --data. */
  nested: { name: string; isRequired: boolean }[];
  hasBody: boolean;
  /** The body is a file. */
  isUpload: boolean;
  takesIdempotencyKey: boolean;
  /** Kinds of answers beside JSON. */
  types: string[];
  example: Record<string, unknown> | undefined;
}

interface OpenApi {
  paths: Record<string, Record<string, PathItem>>;
  webhooks: Record<string, { post: { summary: string } }>;
  components: { schemas: Record<string, BodySchema> };
}

interface PathItem {
  operationId: string;
  summary: string;
  description?: string;
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: FieldSchema }[];
  requestBody?: { content: Record<string, { schema: BodySchema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

interface BodySchema {
  $ref?: string;
  properties?: Record<string, FieldSchema>;
  required?: string[];
  examples?: Record<string, unknown>[];
}

let document: OpenApi | undefined;

/** The openapi.json this program ships with: an operation added to it becomes a command automatically. */
function openApi(): OpenApi {
  document ??= JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApi;
  return document;
}

export function eventNames(): string[] {
  return Object.keys(openApi().webhooks);
}

/** Every operation that a key can ask for, once: not the twins of v1, nor what needs the cookie of a browser. */
export function listOperations(): Operation[] {
  const { paths, components } = openApi();
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, item]) => ({ path, method: method.toUpperCase(), item })),
  );
  const ids = new Set(all.map(({ item }) => item.operationId));
  const cookieFolders = new Set(
    all.filter(({ item }) => needsCookie(item)).map(({ path }) => folderOf(path)),
  );
  return all
    .filter(({ item }) => !needsCookie(item))
    .filter(({ path, item }) => item.security || !cookieFolders.has(folderOf(path)))
    .filter(({ item: { operationId: id } }) => !(id.endsWith('V1') && ids.has(id.slice(0, -2))))
    .map(({ path, method, item }) => readOperation(path, method, item, components.schemas));
}

const needsCookie = ({ security }: PathItem) =>
  security?.every((way) => Object.keys(way).some((name) => name !== 'apiKey'));

/** A browser's login and what it opens share their first folders: `/api/portal`. */
const folderOf = (path: string) => path.split('/').slice(0, 3).join('/');

function readOperation(
  path: string,
  method: string,
  item: PathItem,
  schemas: Record<string, BodySchema>,
): Operation {
  const { operationId: id, summary, description = '', parameters = [] } = item;
  const body = bodyOf(item, schemas);
  const required = new Set(body?.required);
  const properties = Object.entries(body?.properties ?? {});
  const fields: Field[] = [
    ...parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema, required: isRequired = false, description: text }): Field => {
        const described = { ...schema, ...(text && { description: text }) };
        return { name, flag: kebab(name), place: 'query', schema: described, isRequired };
      }),
    ...properties
      .filter(([, schema]) => isFlat(schema))
      .map(([name, schema]): Field => {
        return { name, flag: flagOf(name), place: 'body', schema, isRequired: required.has(name) };
      }),
  ];
  const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const answer = Object.entries(item.responses).find(([status]) => status.startsWith('2'))?.[1];
  const [resource, name] = names[id]!.split('.').map(kebab) as [string, string];
  return {
    id,
    resource,
    name,
    method,
    path,
    summary,
    description,
    params: parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, description: text = '' }) => ({ name, description: text })),
    fields,
    nested: properties
      .filter(([, schema]) => !isFlat(schema))
      .map(([name]) => ({ name, isRequired: required.has(name) })),
    hasBody: body !== undefined,
    isUpload: item.requestBody?.content['application/octet-stream'] !== undefined,
    takesIdempotencyKey: headers.includes('Idempotency-Key') && !fields.some(isIdempotencyKey),
    types: Object.keys(answer?.content ?? {}),
    example: body?.examples?.[0],
  };
}

const isIdempotencyKey = (field: Field) => field.name === 'idempotencyKey';

function bodyOf({ requestBody }: PathItem, schemas: Record<string, BodySchema>): BodySchema | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  return schema?.$ref ? schemas[schema.$ref.split('/').at(-1)!] : schema;
}

/** `--url` says which server to call, so a field of that name has another flag. */
const flagOf = (name: string) => (name === 'url' ? 'endpoint-url' : kebab(name));

/** One value, or a list of values: what fits behind a flag. */
function isFlat(schema: FieldSchema): boolean {
  if (schema.items) return isFlat(schema.items);
  return (
    schema.type !== undefined && !typesOf(schema).includes('object') && !typesOf(schema).includes('array')
  );
}

export function typesOf(schema: FieldSchema): string[] {
  return [schema.type ?? []].flat();
}

export function kebab(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}
