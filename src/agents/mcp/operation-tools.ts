import { MapOf, OneOf, Optional, Shape, Text, type TSchema } from '../../platform/http/schema.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { Json } from '../../platform/lib/json.ts';
import { callService, type ServiceAnswer, type ToolContext } from './call-service.ts';
import { listOffered, type Operation, offerOf, plainSchema } from './operations.ts';
import { Purpose } from './purpose.ts';
import { CREATES, READS, type Tool, tool } from './tool.ts';
import {
  dataResult,
  isRefused,
  MAX_CHARS,
  plainResult,
  refusedResult,
  type ToolResult,
} from './tool-result.ts';
import { writeOnce } from './write-once.ts';

const OperationName = Text({ max: 64, description: 'A name from list_operations, e.g. getInvoice.' });
const Params = MapOf('^[A-Za-z]{1,32}$', Text({ max: 512 }), {
  max: 4,
  description: 'The ids in the path, e.g. {"invoiceId": "…"}.',
});
const Body = {
  type: 'object',
  description: 'The request body, as describe_operation shows it. Amounts are integer cents.',
} as TSchema;

/** Every operation of the API, as far as it is offered to assistants. */
export const operationTools: Tool[] = [
  tool({
    name: 'list_operations',
    title: 'List operations',
    description: 'Lists what read and write can do with this key: names and one line each.',
    input: Shape(undefined, {
      tool: Optional(OneOf(['read', 'write'], 'Only those of this tool.')),
      contains: Optional(Text({ max: 64, description: 'Only those with this text, e.g. "invoice".' })),
    }),
    annotations: READS,
    scopes: [],
    async run({ app, principal }, { tool: wanted, contains = '' }) {
      const text = contains.toLowerCase();
      const operations = listOffered(app, principal)
        .map(({ route, offer }) => ({ operation: route.id, tool: offer.tool, summary: route.summary }))
        .filter((each) => (wanted === undefined || each.tool === wanted) && linesOf(each).includes(text));
      return plainResult({ operations });
    },
  }),
  tool({
    name: 'describe_operation',
    title: 'Describe an operation',
    description:
      'Shows the parameters, body and answer of one operation as JSON Schema. Call it before read or write.',
    input: Shape(undefined, { operation: OperationName }),
    annotations: READS,
    scopes: [],
    run: async (context, { operation }) => plainResult(describe(requireOperation(context, operation))),
  }),
  tool({
    name: 'read',
    title: 'Read',
    description:
      'Runs an operation that changes nothing: any object, list or report of the shop. Lists have at most 20 items unless query.limit says otherwise; pass query.cursor to go on.',
    input: Shape(undefined, {
      operation: OperationName,
      params: Optional(Params),
      query: Optional({
        type: 'object',
        maxProperties: 20,
        additionalProperties: { type: ['string', 'number', 'boolean', 'array'] },
        description: 'Filters and paging, e.g. {"status": ["open"], "limit": 10}.',
      } as TSchema),
      body: Optional(Body),
    }),
    annotations: READS,
    scopes: [],
    async run(context, { operation: name, params, query, body }) {
      const operation = requireOperation(context, name, 'read');
      const path = fillPath(operation, params ?? {});
      const { method } = operation.route;
      if (method === 'GET' && body !== undefined) throw badField('body', 'is not taken by this operation');
      return readPage(context, { method, path, body }, queryOf((query ?? {}) as Record<string, Json>));
    },
  }),
  tool({
    name: 'write',
    title: 'Write',
    description:
      'Runs an operation that creates, changes or ends something. Calls with the same operation and purpose take effect once, within 7 days: repeat a call with the same purpose and body if you are not sure whether it worked. Never invent a new purpose for a retry.',
    input: Shape(undefined, {
      operation: OperationName,
      params: Optional(Params),
      body: Optional(Body),
      purpose: Purpose,
    }),
    annotations: { ...CREATES, destructiveHint: true },
    scopes: [],
    anyScope: ['billing:write', 'payments:write'],
    async run(context, { operation: name, params, body, purpose }) {
      const operation = requireOperation(context, name, 'write');
      const path = fillPath(operation, params ?? {});
      return writeOnce(context, {
        operation,
        path,
        params: params ?? {},
        body: body as Json | undefined,
        purpose,
      });
    },
  }),
];

function linesOf({ operation, summary }: { operation: string; summary: string }): string {
  return `${operation} ${summary}`.toLowerCase();
}

/** The operation, or why there is none for this key. */
export function requireOperation({ app }: ToolContext, name: string, wanted?: 'read' | 'write'): Operation {
  const route = app.routeDescriptions.find(({ id }) => id === name);
  if (!route) throw badField('operation', `"${name}" does not exist; list_operations names those there are`);
  const offer = offerOf(route);
  if (!offer.tool)
    throw new AppError('FORBIDDEN', { message: `Assistants cannot call ${name}. ${offer.reason}` });
  if (wanted && offer.tool !== wanted) throw badField('operation', `${name} is for the tool ${offer.tool}`);
  // The route itself refuses a key that may not call it, in its own words.
  return { route, offer };
}

function describe({ route, offer }: Operation): Record<string, unknown> {
  const { id, method, path, summary, description, scopes, query, body, success } = route;
  return {
    operation: id,
    tool: offer.tool,
    http: `${method} ${path}`,
    summary,
    ...(description && { description }),
    scopes,
    params: idsOf(path),
    ...(query && { query: plainSchema(query) }),
    ...(body && { body: plainSchema(body, offer.refused) }),
    ...(offer.refused.length > 0 && { notForAssistants: offer.refused }),
    ...(Object.keys(offer.refusedWith).length > 0 && { notTogether: offer.refusedWith }),
    ...(offer.note && { note: offer.note }),
    ...(success.schema && { answer: plainSchema(success.schema) }),
  };
}

function idsOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}

function fillPath({ route: { path } }: Operation, params: Record<string, string>): string {
  const ids = idsOf(path);
  for (const name of Object.keys(params))
    if (!ids.includes(name)) throw badField(`params.${name}`, 'is not a known parameter');
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name]! : undefined;
    if (value === undefined) throw badField(`params.${name}`, 'is required');
    // A path is not resolved, but a name of dots is no id anywhere.
    if (/^\.+$/.test(value)) throw new AppError('NOT_FOUND');
    return encodeURIComponent(value);
  });
}

/** A list repeats its name. */
function queryOf(query: Record<string, Json>): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => {
      if (typeof item === 'object' || item === undefined) throw badField(`query.${name}`, 'is not valid');
      return [name, String(item)];
    }),
  );
}

const MAX_TRIES = 3;

/** A page that is too long is read again with fewer items, so that its cursor still leads to the next one. */
async function readPage(
  context: ToolContext,
  call: { method: string; path: string; body?: unknown },
  query: [string, string][],
): Promise<ToolResult> {
  let answer = await callService(context, { ...call, query });
  let isShorter = false;
  for (let tries = 0; tries < MAX_TRIES && !isRefused(answer); tries++) {
    const items = itemsOf(answer);
    if (answer.chars <= MAX_CHARS || items === undefined || items < 2) break;
    const limit = Math.max(1, Math.min(items - 1, Math.floor((items * MAX_CHARS * 0.8) / answer.chars)));
    const others = query.filter(([name]) => name !== 'limit');
    answer = await callService(context, { ...call, query: [...others, ['limit', String(limit)]] });
    isShorter = true;
  }
  if (isRefused(answer)) return refusedResult(answer);
  const next = (answer.body as { nextCursor?: string | null } | undefined)?.nextCursor;
  const shorter = isShorter ? 'There are fewer items than you requested, because they are long. ' : '';
  return dataResult(
    answer.body ?? null,
    next ? `${shorter}For more, pass query.cursor = "${next}".` : undefined,
  );
}

function itemsOf({ body }: ServiceAnswer): number | undefined {
  const page = body as { data?: unknown; nextCursor?: unknown } | undefined;
  return page?.nextCursor !== undefined && Array.isArray(page.data) ? page.data.length : undefined;
}
