import { type ErrorCode, errorCodes, statusOf, textOf } from '../lib/errors.ts';
import { stringifyJson } from '../lib/json.ts';
import { Components } from './components.ts';
import { RATE_LIMIT_HEADERS, RETRY_AFTER } from './rate-limit-headers.ts';
import type { RouteDescription } from './route.ts';
import { Nullable, Shape, Text, type TSchema } from './schema.ts';

export interface WebhookDescription {
  event: string;
  summary: string;
  body: TSchema;
}

type Json = Record<string, unknown>;

const ErrorEnvelope = Shape('Error', {
  error: Shape(undefined, {
    code: Nullable({ ...Text(), enum: errorCodes }),
    message: Nullable(
      Text({ max: 2_000, description: 'For people. Names the field first if one field is the cause.' }),
    ),
    traceId: Nullable(Text({ description: 'The same as in the X-Request-Id header and in our log.' })),
  }),
});

/** Any route can meet these, so they are not repeated in each route's list. */
const MOVING: readonly ErrorCode[] = ['MERCHANT_MOVED', 'MERCHANT_MOVING'];
const EVERYWHERE: readonly ErrorCode[] = [...MOVING, 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
const WITH_BODY: readonly ErrorCode[] = ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** The OpenAPI 3.1 document, generated only from the registered routes. */
export function openApiDocument(
  routes: readonly RouteDescription[],
  webhooks: readonly WebhookDescription[],
  { contractVersion, version }: { contractVersion: string; version: string },
): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = operation(route, components);
  }
  const webhookItems = Object.fromEntries(
    webhooks.map((webhook) => [webhook.event, webhookItem(webhook, components)]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Florin',
      version: contractVersion,
      'x-service-version': version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    webhooks: webhookItems,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      examples: Object.fromEntries(errorCodes.map((code) => [code, { value: exampleError(code) }])),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A merchant API key: fl_live_… or fl_dev_….' },
        portalCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-florin_portal',
          description: 'Set by the portal login. Without https it is named florin_portal.',
        },
        dashboardCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-florin_dashboard',
          description:
            'Set by signing in to the dashboard; the member’s role decides what it may do. Without https it is named florin_dashboard. Every change must carry the csrfToken of the session as X-CSRF-Token. If an API key is sent too, the key counts.',
        },
      },
    },
  };
}

export function openApiText(document: Json): string {
  return `${stringifyJson(document, 2)}\n`;
}

const INTRODUCTION = [
  'Accept USDC on Solana straight into your own wallet, and run billing on top.',
  'Amounts are integer cents (int64, exact). Ids are UUIDs. Times are ISO 8601 in UTC.',
  'Every error, on every path, is `{"error": {"code", "message", "traceId"}}`.',
].join('\n\n');

function operation(route: RouteDescription, components: Components): Json {
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route, components),
    ...headerParameters(route),
  ];
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(describe(route) && { description: describe(route) }),
    ...(route.scopes && {
      security: [{ apiKey: [] }, { dashboardCookie: [] }, ...(route.keyless ? [{}] : [])],
      'x-scopes': route.scopes,
      'x-roles': route.members?.roles,
      'x-step-up': route.members?.stepUp,
    }),
    ...(route.portal && { security: [{ portalCookie: [] }] }),
    ...(route.dashboard && { security: [{ dashboardCookie: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.upload && { requestBody: { required: true, content: uploadContent(route.upload.types) } }),
    ...(route.body && {
      requestBody: {
        required: !route.bodyOptional,
        content: { 'application/json': { schema: components.use(route.body) } },
      },
    }),
    responses: { ...success(route, components), ...failures(route, components) },
  };
}

function uploadContent(types: readonly string[]): Json {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

function describe({ description, scopes }: RouteDescription): string {
  const needs =
    scopes &&
    (scopes.length > 0 ? `Scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.` : 'Any valid key.');
  return [description, needs].filter(Boolean).join('\n\n');
}

function pathParameters({ path, params }: RouteDescription): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: params?.[name!] ? plainText(params[name!]!) : { type: 'string', format: 'uuid' },
  }));
}

/** Our own formats mean nothing to other readers of the document. */
function plainText({ format: _ours, ...schema }: TSchema & { format?: string }): Json {
  return schema as Json;
}

function queryParameters({ query }: RouteDescription, components: Components): Json[] {
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = components.use(schema);
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema: rest,
    };
  });
}

function headerParameters({ idempotency, portal, dashboard, method }: RouteDescription): Json[] {
  if (portal && method !== 'GET') return [csrfParameter('the portal login')];
  if (dashboard && method !== 'GET') return [csrfParameter('GET /api/dashboard/session')];
  if (!idempotency) return [];
  const schema =
    idempotency === 'uuid'
      ? { type: 'string', format: 'uuid' }
      : { type: 'string', minLength: 1, maxLength: 255 };
  const description =
    'The same key and body get the same response for 7 days; the request takes effect once.';
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }];
}

function csrfParameter(where: string): Json {
  return {
    name: 'X-CSRF-Token',
    in: 'header',
    required: true,
    description: `The csrfToken from ${where}.`,
    schema: { type: 'string' },
  };
}

const HEADERS = {
  'X-Request-Id': { description: 'The traceId of this request.', schema: { type: 'string', format: 'uuid' } },
};

function success(
  { success: { status, schema, description }, csv, pdf, xml, idempotency }: RouteDescription,
  components: Components,
): Json {
  const content = {
    ...(schema && { 'application/json': { schema: components.use(schema) } }),
    ...(pdf && { 'application/pdf': { schema: { type: 'string', format: 'binary' } } }),
    ...(xml && { 'application/xml': { schema: { type: 'string' } } }),
    ...(csv && { 'text/csv': { schema: { type: 'string' } } }),
  };
  const replayed = {
    'Idempotent-Replayed': { description: '`true` on a stored response.', schema: { type: 'string' } },
  };
  return {
    [status]: {
      description,
      headers: { ...HEADERS, ...(idempotency && replayed) },
      ...(Object.keys(content).length > 0 && { content }),
    },
  };
}

function failures(route: RouteDescription, components: Components): Json {
  const codes = new Set([...route.errors, ...EVERYWHERE]);
  if (route.method !== 'GET') for (const code of WITH_BODY) codes.add(code);
  if (route.query || route.method === 'GET') codes.add('BAD_REQUEST');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [status, failure(status, list, components)]),
  );
}

/** Operations share most of their failures: each set of codes is described once. */
function failure(status: number, codes: ErrorCode[], components: Components): Json {
  const name = [...codes].sort().join('_or_');
  components.responses[name] ??= describeFailure(status, codes, components);
  return { $ref: `#/components/responses/${name}` };
}

function describeFailure(status: number, codes: ErrorCode[], components: Components): Json {
  const waiting = status === 429 ? RATE_LIMIT_HEADERS : status === 503 || status === 409 ? RETRY_AFTER : {};
  return {
    description: codes.map((code) => `\`${code}\`: ${textOf(code)}`).join('\n\n'),
    headers: { ...HEADERS, ...waiting },
    content: {
      'application/json': {
        schema: components.use(ErrorEnvelope),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function exampleError(code: ErrorCode) {
  return { error: { code, message: textOf(code), traceId: '019b76da-a800-7000-8000-000000000001' } };
}

function webhookItem({ event, summary, body }: WebhookDescription, components: Components): Json {
  return {
    post: {
      operationId: event,
      summary,
      parameters: [
        webhookHeader(
          'X-Service-Signature',
          't=<unix time>,v1=<hex HMAC-SHA256 of the time followed by the raw body>.',
        ),
        webhookHeader('X-Service-Idempotency-Key', 'A UUID, new for each attempt.'),
        webhookHeader('webhook-id', 'The event’s id (Standard Webhooks).'),
        webhookHeader('webhook-timestamp', 'The unix time of the attempt (Standard Webhooks).'),
        webhookHeader(
          'webhook-signature',
          'v1,<base64 HMAC-SHA256 of id, time and raw body joined by dots>, one for each secret (Standard Webhooks).',
        ),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: components.use(body) } } },
      responses: { '2XX': { description: 'Any 2xx accepts the event.' } },
    },
  };
}

function webhookHeader(name: string, description: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
