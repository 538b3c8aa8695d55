import { names, repeatable } from './names.ts';
import { nameOf, type OpenApi, type Operation, type Parameter, type Schema } from './openapi.ts';
import { twoFaced } from './special-operations.ts';

/** One method of the client: an operation under its name. */
export interface Method {
  resource: string;
  name: string;
  operation: Operation;
  httpMethod: string;
  path: string;
  pathParameters: Parameter[];
  query: Parameter[];
  body: { schema: Schema; isRequired: boolean } | undefined;
  /** The body is a file. */
  isUpload: boolean;
  /** Place of the key that makes a repeat harmless. */
  key: 'header' | 'body' | undefined;
  isRepeatable: boolean;
  /** Credentials that go along: a key (or the dashboard's cookie), the portal's cookie, none at all. */
  access: 'key' | 'cookie' | 'none';
  answer: Answer;
}

export type Answer =
  | { kind: 'json'; schema: Schema }
  | { kind: 'list'; item: Schema; isFollowed: boolean }
  | { kind: 'csv' | 'bytes' | 'text' | 'nothing' };

/** Every method of the client, resource by resource in the order of the names. */
export function methodsOf(api: OpenApi): Method[] {
  const operations = new Map(
    Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([httpMethod, operation]) => {
        return [operation.operationId, { path, httpMethod: httpMethod.toUpperCase(), operation }] as const;
      }),
    ),
  );
  for (const id of operations.keys()) {
    if (id in names) continue;
    if (id.endsWith('V1') && operations.has(id.slice(0, -2))) continue;
    throw new Error(`${id} has no name in the client: run npm run openapi, which writes src/routes.txt`);
  }
  return Object.entries(names).flatMap(([id, name]) => {
    const found = operations.get(id);
    if (!found) throw new Error(`${id} is named in src/routes.txt, but openapi.json does not have it`);
    return facesOf(api, name, found);
  });
}

type Found = { path: string; httpMethod: string; operation: Operation };

/** One operation may be several methods: for its owner and for a buyer, as JSON and as CSV. */
function facesOf(api: OpenApi, name: string, found: Found): Method[] {
  const method = methodOf(api, name, found);
  const faces = twoFaced[found.operation.operationId];
  if (faces) {
    const schemaOf = (answer: string): Answer => ({ kind: 'json', schema: { $ref: answer } });
    const buyer = methodOf(api, faces.buyer.name, found);
    return [
      { ...method, answer: schemaOf(faces.owner) },
      { ...buyer, access: 'none', query: [], answer: schemaOf(faces.buyer.answer) },
    ];
  }
  const { content } = success(found.operation);
  if (!content?.['text/csv']) return [method];
  if (!content['application/json']) return [{ ...method, answer: { kind: 'csv' } }];
  const without = (names: readonly string[]) => method.query.filter(({ name }) => !names.includes(name));
  return [
    { ...method, query: without(['rows']) },
    {
      ...method,
      name: `${method.name}Csv`,
      query: without(['limit', 'cursor', 'expand']),
      answer: { kind: 'csv' },
    },
  ];
}

function methodOf(api: OpenApi, name: string, { path, httpMethod, operation }: Found): Method {
  const [resource, method] = name.split('.') as [string, string];
  const parameters = operation.parameters ?? [];
  const body = operation.requestBody?.content['application/json'];
  // The body wins if both would do: a key given there must not meet another one in the header.
  const key = hasOptionalKey(api, body?.schema)
    ? 'body'
    : parameters.some((parameter) => parameter.name === 'Idempotency-Key')
      ? 'header'
      : undefined;
  const isSafe = ['GET', 'PUT', 'DELETE'].includes(httpMethod) || repeatable.has(operation.operationId);
  return {
    resource,
    name: method,
    operation,
    httpMethod,
    path,
    pathParameters: parameters.filter((parameter) => parameter.in === 'path'),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    body: body && { schema: body.schema, isRequired: operation.requestBody!.required },
    isUpload: operation.requestBody?.content['application/octet-stream'] !== undefined,
    key,
    isRepeatable: isSafe || key !== undefined,
    access: accessOf(operation),
    answer: answerOf(api, operation, parameters),
  };
}

function hasOptionalKey(api: OpenApi, schema: Schema | undefined): boolean {
  if (!schema?.$ref) return false;
  const { properties, required } = api.components.schemas[nameOf(schema.$ref)]!;
  return properties?.idempotencyKey !== undefined && !required?.includes('idempotencyKey');
}

function accessOf({ security = [] }: Operation): Method['access'] {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.includes('apiKey')) return 'key';
  return schemes.length > 0 ? 'cookie' : 'none';
}

function success(operation: Operation): Operation['responses'][string] {
  return Object.entries(operation.responses).find(([status]) => status.startsWith('2'))![1];
}

function answerOf(api: OpenApi, operation: Operation, parameters: Parameter[]): Answer {
  const { content } = success(operation);
  if (operation.responses['204']) return { kind: 'nothing' };
  if (content?.['application/pdf']) return { kind: 'bytes' };
  const schema = content?.['application/json']?.schema;
  if (!schema) return { kind: 'text' };
  const page = schema.$ref ? api.components.schemas[nameOf(schema.$ref)]!.properties : undefined;
  if (!page?.nextCursor) return { kind: 'json', schema };
  const isFollowed = parameters.some(({ name }) => name === 'after');
  return { kind: 'list', item: page.data!.items!, isFollowed };
}
