import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, badField, type ErrorCode } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import type { Assistant } from './assistant.ts';
import { oncePerSchema } from './once-per-schema.ts';
import type { Static, TSchema } from './schema.ts';
import { bodyValidator, queryValidator } from './validate.ts';
import { asServed } from './version-1.ts';

export type App = FastifyInstance;

/** An answer whose bytes already exist: a stored one, or one that must be stored. */
export interface Answer {
  status: number;
  text: string;
  replayed?: boolean;
}

type BodyOf<S> = S extends TSchema ? Static<S> : undefined;
type Empty = Record<string, never>;
type QueryOf<S> = S extends TSchema ? Static<S> : Empty;

export interface Call<Body, Query> {
  body: Body;
  query: Query;
  /** Path ids. One that is not a UUID never reaches the handler: it cannot exist, so it is a 404. */
  params: Record<string, string>;
  idempotencyKey: string | undefined;
  /** The body as it came, of a route that takes a file; empty elsewhere. */
  upload: Buffer;
  /** The bytes that `value` is answered with, for operations that store their answer. */
  serialize(value: unknown): string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Rate limits that some routes have to themselves. */
export type Rate = 'usage' | 'checkout' | 'sign-in';

export interface RouteSpec<Body extends TSchema | undefined, Query extends TSchema | undefined> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** The operation's name in openapi.json and in the SDK: `createTerminal`. */
  id: string;
  /** Name in the client: `refunds.create`. Null: called by our own pages and commands alone, no part of openapi.json, and free to change with them. */
  sdk: `${string}.${string}` | null;
  /** Harmless to send twice without a key: it changes nothing, or what it writes has a key of its own. */
  repeatable?: true;
  tag: string;
  summary: string;
  description?: string;
  body?: Body;
  /** The body is a file of one of these types instead of JSON. */
  upload?: { types: readonly string[]; limitBytes: number };
  /** A body that may be left out counts as `{}`. */
  bodyOptional?: boolean;
  query?: Query;
  /** Path parameters that are not UUIDs; the handler decides what they mean. */
  params?: Record<string, TSchema>;
  /** For a path that keys and the public share: whether this call is the public's. */
  keyless?(params: Record<string, string>): boolean;
  success: { status: number; schema?: TSchema; description: string };
  /** Also answered as text/csv, for lists. */
  csv?: boolean;
  /** Answered as a PDF instead of JSON. */
  pdf?: boolean;
  /** Answered as XML instead of JSON. */
  xml?: boolean;
  errors: readonly ErrorCode[];
  /**
   * Takes an Idempotency-Key header of this form, and refuses one that is in use or was used for something else. `own`:
   * any text, and the operation itself says what a repeat is answered.
   */
  idempotency?: 'uuid' | 'text' | 'own';
  /** The largest body it takes, where that is not what every other route takes. */
  bodyLimitBytes?: number;
  /** Counted against its own limit instead of the key's. */
  rate?: Rate;
  /** An answer that needs no waiting is given at once. */
  handle(call: Call<BodyOf<Body>, QueryOf<Query>>): Promise<unknown> | Answer;
}

/** Additions of a route for the hooks that run before the handler, such as the key check. */
export interface RouteGuard {
  onRequest(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void;
  /** Scopes the key must have; absent if no key is required. */
  scopes?: readonly string[];
  /** Roles of members who may call it by cookie, and whether they must have proved just now who they are. */
  members?: { roles: readonly string[]; stepUp: boolean };
  /** For the customer in their portal, authenticated by a cookie. */
  portal?: boolean;
  /** For members signed in to the dashboard only, authenticated by a cookie. */
  dashboard?: boolean;
  /** Rights of AI assistants to it. */
  assistant?: Assistant;
}

/** Everything that is known of one route: openapi.json and src/routes.txt are printed from it. */
export type RouteDescription = Omit<RouteSpec<TSchema | undefined, TSchema | undefined>, 'handle'> & {
  scopes: readonly string[] | undefined;
  members: RouteGuard['members'];
  portal: boolean;
  dashboard: boolean;
  assistant: Assistant | undefined;
};

declare module 'fastify' {
  interface FastifyInstance {
    routeDescriptions: RouteDescription[];
    /** Counts a wrong key or token; the answer is the refusal once there were too many. Absent: no limit. */
    countFailedAuth?(request: FastifyRequest, reply: FastifyReply): AppError | undefined;
  }
  interface FastifyContextConfig {
    rate?: Rate;
    keyless?(params: Record<string, string>): boolean;
    /** Content types that may be sent instead of JSON. */
    uploadTypes?: readonly string[];
  }
}

/** Registers one route: the schema checks what comes in, writes what goes out, and describes both. */
export function route<
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(app: App, declared: RouteSpec<Body, Query>, guard?: RouteGuard): void {
  const spec = asServed(app, declared);
  const { handle, ...description } = spec;
  if (spec.sdk !== null)
    app.routeDescriptions.push({
      ...description,
      errors: errorsOf(spec),
      scopes: guard?.scopes,
      members: guard?.members,
      portal: guard?.portal ?? false,
      dashboard: guard?.dashboard ?? false,
      assistant: guard?.assistant,
    } as RouteDescription);

  const checkBody = bodyCheck(spec, () => fixedNames(app, spec));
  const checkQuery = queryValidator(spec.query ?? NO_QUERY);
  const ids = [...spec.path.matchAll(/\{(\w+)\}/g)]
    .map((match) => match[1]!)
    .filter((name) => !spec.params?.[name]);
  const serialize = serializer(spec.success.schema);
  const { status } = spec.success;
  const bodyLimit = spec.upload?.limitBytes ?? spec.bodyLimitBytes;

  app.route({
    method: spec.method,
    url: spec.path.replace(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: spec.method === 'GET',
    ...(guard && { onRequest: guard.onRequest }),
    ...(bodyLimit && { bodyLimit }),
    config: {
      ...(spec.rate && { rate: spec.rate }),
      ...(spec.keyless && { keyless: spec.keyless }),
      ...(spec.upload && { uploadTypes: spec.upload.types }),
    },
    handler(request, reply) {
      const params = request.params as Record<string, string>;
      for (const id of ids) if (!isUuid(params[id]!)) throw new AppError('NOT_FOUND');
      checkQuery(request.query);
      const upload = spec.upload ? uploadOf(request.body) : NO_BYTES;
      const body = spec.upload ? undefined : checkBody(request.body);
      const idempotencyKey = spec.idempotency && readIdempotencyKey(request, spec.idempotency);
      const result = handle({
        body: body as BodyOf<Body>,
        query: request.query as QueryOf<Query>,
        params,
        idempotencyKey,
        upload,
        serialize,
        request,
        reply,
      });
      if (!(result instanceof Promise)) return send(reply, result);
      return result.then((value) => {
        if (!reply.sent) send(reply, toAnswer(value, status, serialize));
      });
    },
  });
}

function errorsOf({ errors, idempotency }: Pick<RouteDescription, 'errors' | 'idempotency'>): ErrorCode[] {
  const takesKey = idempotency !== undefined && idempotency !== 'own';
  return [...new Set([...errors, ...(takesKey ? ONCE : [])])];
}

const ONCE = ['IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_IN_PROGRESS'] as const;

const NO_QUERY = { type: 'object', properties: {}, additionalProperties: false } as TSchema;
const NO_BODY = { type: 'object', properties: {}, additionalProperties: false } as TSchema;

const NO_BYTES = Buffer.alloc(0);

function uploadOf(body: unknown): Buffer {
  if (!Buffer.isBuffer(body) || body.length === 0) throw badField('body', 'is required');
  return body;
}

/** Fields an object has from its creation, or from us: a change may not name them unless it takes them. */
function fixedNames({ routeDescriptions }: App, { method, path, success }: AnySpec): string[] {
  if (method !== 'PATCH') return [];
  const collection = path.replace(/\/\{\w+\}$/, '');
  const read = routeDescriptions.find((other) => other.method === 'GET' && other.path === path);
  const create = routeDescriptions.find((other) => other.method === 'POST' && other.path === collection);
  return [success.schema, read?.success.schema, create?.body].flatMap(propertiesOf);
}

function propertiesOf(schema: TSchema | undefined): string[] {
  return Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
}

type AnySpec = Pick<RouteDescription, 'method' | 'path' | 'success'>;

function bodyCheck(
  spec: { method: string; body?: TSchema | undefined; bodyOptional?: boolean },
  fixed: () => readonly string[],
) {
  if (spec.method === 'GET') return () => undefined;
  const check = bodyValidator(spec.body ?? NO_BODY);
  const optional = spec.bodyOptional || !spec.body;
  return (given: unknown) => {
    if (given === undefined && !optional) throw badField('body', 'is required');
    const body = given === undefined ? {} : given;
    check(body, fixed);
    return body;
  };
}

export function serializer(schema: TSchema | undefined): (value: unknown) => string {
  if (!schema) return () => '';
  return serializers(schema, () => {
    const readable = integersForSerializer(schema) as object;
    return fastJsonStringify(readable, { ajv: { strict: false, formats: OUR_FORMATS } as object });
  });
}

const serializers = oncePerSchema<string>();

/** Checked on the way in; on the way out they only need to be known, or each is warned about. */
const OUR_FORMATS = { int64: true, name: true, text: true, 'text-lines': true };

/** The serializer takes a bigint only where the type is one word, and bounds only as plain numbers. */
function integersForSerializer(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(integersForSerializer);
  if (schema === null || typeof schema !== 'object') return schema;
  const { type } = schema as { type?: unknown };
  if ([type].flat().includes('integer')) return { type: 'integer', nullable: Array.isArray(type) };
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, integersForSerializer(value)]),
  );
}

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

function readIdempotencyKey(request: FastifyRequest, form: 'uuid' | 'text' | 'own'): string | undefined {
  const key = request.headers['idempotency-key'] as string | undefined;
  if (key === undefined) return undefined;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw badField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters');
  }
  if (form !== 'uuid') return key;
  if (!isUuid(key)) throw badField('Idempotency-Key', 'must be a UUID');
  return key.toLowerCase();
}

function toAnswer(result: unknown, status: number, serialize: (value: unknown) => string): Answer {
  return isAnswer(result) ? result : { status, text: result === undefined ? '' : serialize(result) };
}

function isAnswer(result: unknown): result is Answer {
  return (
    typeof result === 'object' &&
    result !== null &&
    'text' in result &&
    'status' in result &&
    typeof result.text === 'string'
  );
}

function send(reply: FastifyReply, answer: Answer): void {
  reply.code(answer.status);
  if (answer.replayed) reply.header('Idempotent-Replayed', 'true');
  if (answer.text === '') reply.send();
  else reply.header('content-type', 'application/json; charset=utf-8').send(answer.text);
}
