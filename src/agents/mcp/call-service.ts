import { asAgent } from '../../platform/access/agent.ts';
import type { Agent, Principal } from '../../platform/access/principal.ts';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { type Json, parseJson, stringifyJson } from '../../platform/lib/json.ts';

/** Dependencies of the tools. */
export interface McpParts {
  app: App;
  db: Database;
  clock: Clock;
  isSandbox: boolean;
  publicUrl(): string;
  /** Sections of the documentation, best first. */
  searchDocs(query: string, limit: number): Promise<DocsFinding[]>;
}

export interface DocsFinding {
  title: string;
  url: string;
  text: string;
}

/** One request of an assistant, and the key it came with. */
export interface ToolContext extends McpParts {
  principal: Principal;
  agent: Agent;
  authorization: string;
  /** IP address of the request: a key may be limited to some addresses. */
  address: string;
}

export interface ServiceCall {
  method: string;
  path: string;
  query?: readonly (readonly [name: string, value: string])[];
  body?: unknown;
  idempotencyKey?: string | undefined;
}

export interface ServiceAnswer {
  status: number;
  /** Body without losing a digit; undefined if there is none. */
  body: Json | undefined;
  /** The first answer again, because the call was made before. */
  isReplayed: boolean;
  chars: number;
}

/** Removes secrets that the key could see: an assistant may repeat to anyone what it has read. */
function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      /secret$/i.test(name) ? null : withoutSecrets(inner),
    ]),
  );
}

/**
 * Calls the service's own route, as if the key had called it over HTTP: its scopes, limits, validation and idempotency
 * apply, and what is recorded says that an assistant called.
 */
export async function callService(context: ToolContext, call: ServiceCall): Promise<ServiceAnswer> {
  const { app, agent, authorization, address } = context;
  const { method, path, query = [], body, idempotencyKey } = call;
  const search = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, value]),
  ).toString();
  const response = await asAgent(agent, async () =>
    app.inject({
      method: method as 'GET',
      url: search === '' ? path : `${path}?${search}`,
      remoteAddress: address,
      headers: {
        authorization,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { payload: stringifyJson(body) }),
    }),
  );
  return {
    status: response.statusCode,
    body: response.body === '' ? undefined : withoutSecrets(parseJson(response.body)),
    isReplayed: response.headers['idempotent-replayed'] === 'true',
    chars: response.body.length,
  };
}
