import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import { noteError } from '../../platform/http/server.ts';
import { plainAddress } from '../../platform/lib/client-address.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { lazy } from '../../platform/lib/lazy.ts';
import type { McpParts } from './call-service.ts';
import { cleanClientName, clientOfSession, sessionIdOf } from './client-name.ts';
import { docsSearch } from './docs-search.ts';
import { findFault } from './initialize.ts';
import { discoveryRoutes } from './server-card.ts';

export interface McpRoutes {
  db: Database;
  clock: Clock;
  isSandbox: boolean;
  version: string;
  /** openapi.json. */
  document(): object;
  publicUrl(): string;
}

/** Limit of a body: as much as the API's own routes take, and room for what wraps it. */
const BODY_LIMIT_BYTES = 128 * 1024;

/**
 * MCP over HTTP, for AI assistants. Each message is answered on its own and nothing is kept between two, so any process
 * can answer. The library is loaded with the first message.
 */
export function mcpRoutes(app: App, routes: McpRoutes): void {
  const { db, clock, isSandbox, version, publicUrl } = routes;
  const server = lazy(() => import('./mcp-server.ts'));
  const parts: McpParts = { app, db, clock, isSandbox, publicUrl, searchDocs: docsSearch(routes) };

  app.post('/mcp', {
    bodyLimit: BODY_LIMIT_BYTES,
    errorHandler: answerRpcError,
    onRequest: async (request, reply) => {
      refuseOtherOrigins(request, publicUrl());
      await admit(app, request, reply);
    },
    handler: async (request, reply) => {
      const message = request.body;
      refuseUnserved(message);
      const { answerMcp } = await server();
      const client = clientOf(request, message);
      const context = {
        ...parts,
        principal: request.principal!,
        agent: { client },
        authorization: request.headers.authorization!,
        address: request.ip,
      };
      const asked = webRequest(request, publicUrl());
      const { status, text } = await answerMcp({ context, version, message, request: asked });
      if (methodOf(message) === 'initialize' && status === 200)
        reply.header('Mcp-Session-Id', sessionIdOf(client));
      if (text !== '') reply.header('content-type', 'application/json; charset=utf-8');
      return reply.code(status).send(text);
    },
  });
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/mcp',
    exposeHeadRoute: false,
    errorHandler: answerRpcError,
    onRequest: (_request, reply) => {
      reply.header('Allow', 'POST');
      throw new AppError('METHOD_NOT_ALLOWED', { message: 'Send JSON-RPC messages with POST.' });
    },
    handler: () => undefined,
  });
  discoveryRoutes(app, { version, publicUrl });
}

/** A web page of somebody else must not talk to a server on its reader's machine (DNS rebinding). */
function refuseOtherOrigins({ headers }: FastifyRequest, publicUrl: string): void {
  if (headers.origin === undefined || headers.origin === new URL(publicUrl).origin) return;
  throw new AppError('FORBIDDEN', { message: 'Requests from this origin are not accepted.' });
}

/** Only a key counts here: a cookie would let any page of the dashboard's origin act as an assistant. */
async function admit(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    const principal = await app.authenticator.authenticate(request.headers.authorization);
    if (principal.allowedAddresses?.allows(request.ip) === false)
      await app.refuseAddress(principal, plainAddress(request.ip) ?? 'an unknown address');
    request.principal = principal;
  } catch (error) {
    const isWrongKey = error instanceof AppError && error.code === 'UNAUTHORIZED';
    const refusal =
      isWrongKey && request.headers.authorization !== undefined
        ? app.countFailedAuth?.(request, reply)
        : undefined;
    throw refusal ?? error;
  }
}

const OBJECT = 'must be one JSON-RPC message';

/** Batches ended with revision 2025-06-18. A stream of changes would stay open, and nothing here changes. */
function refuseUnserved(message: unknown): void {
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    throw badField('body', OBJECT);
  if (methodOf(message) === 'subscriptions/listen')
    throw new RpcError(404, -32601, 'This server sends no notifications.', (message as { id?: unknown }).id);
  const wrong = methodOf(message) === 'initialize' ? findFault(message) : undefined;
  if (wrong) throw new RpcError(400, -32602, wrong, (message as { id?: unknown }).id);
}

class RpcError extends Error {
  readonly status: number;
  readonly code: number;
  readonly id: unknown;

  constructor(status: number, code: number, message: string, id: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.id = id;
  }
}

function methodOf(message: unknown): unknown {
  return (message as { method?: unknown } | undefined)?.method;
}

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/**
 * Returns the client's name: since 2026-07-28 it comes with the message; before, when it connected, and then with the
 * session's id.
 */
function clientOf({ headers }: FastifyRequest, message: unknown): string {
  const { params } = message as { params?: { clientInfo?: unknown; _meta?: Record<string, unknown> } };
  const given =
    params?._meta?.[CLIENT_INFO] ?? (methodOf(message) === 'initialize' ? params?.clientInfo : undefined);
  const { name, version } = (given ?? {}) as { name?: unknown; version?: unknown };
  if (name !== undefined) return cleanClientName(name, version);
  const session = headers['mcp-session-id'];
  return clientOfSession([session].flat()[0]) ?? cleanClientName(headers['user-agent']);
}

/** The library speaks in the web's own requests; the body is handed over as it was read. */
function webRequest({ headers, url }: FastifyRequest, publicUrl: string): Request {
  const kept = Object.entries(headers).filter(([name]) => PASSED_ON.test(name));
  return new Request(new URL(url, publicUrl), {
    method: 'POST',
    headers: [
      // The answer is always JSON, which every client takes; many that are typed by hand do not say so.
      ['accept', 'application/json, text/event-stream'],
      ...kept.map(([name, value]): [string, string] => [name, [value].flat().join(', ')]),
    ],
    body: '{}',
  });
}

const PASSED_ON = /^(content-type|mcp-.*)$/;

/** Errors of HTTP, in the form that JSON-RPC gives them: with our code and traceId as its data. */
function answerRpcError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof RpcError) {
    const id = ['string', 'number'].includes(typeof error.id) ? error.id : null;
    return void reply
      .code(error.status)
      .send({ jsonrpc: '2.0', id, error: { code: error.code, message: error.message } });
  }
  const known = noteError(error, request, reply);
  const code = known.status >= 500 ? -32603 : /^body /.test(known.message) ? rpcCodeOf(known) : -32000;
  const data = { code: known.code, traceId: request.id };
  reply
    .code(known.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: known.message, data } }));
}

/** -32700 for what is no JSON, -32600 for what is no message. */
function rpcCodeOf({ message }: AppError): number {
  return message === `body ${OBJECT}` ? -32600 : -32700;
}
