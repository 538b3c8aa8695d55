import { keyedRoute } from '../access/keyed-route.ts';
import type { Database } from '../db/database.ts';
import { answerList, Page, pageQuery } from '../http/list.ts';
import type { App } from '../http/route.ts';
import { Flag, Int32, OneOf, Optional, Shape, Text, Uuid } from '../http/schema.ts';
import { AppError } from '../lib/errors.ts';
import { requestLogs } from './logged-request.ts';
import { presentRequest, RequestLogView } from './present.ts';
import { listRequests } from './queries.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const ListQuery = Shape(undefined, {
  ...pageQuery,
  status: Optional(Int32({ min: 100, max: 599, description: 'Only requests with this status.' })),
  isFailed: Optional(Flag('`true`: only requests with a status of 400 or more. `false`: only the others.')),
  method: Optional(OneOf(METHODS, 'Only requests with this method.')),
  path: Optional(
    Text({ max: 500, description: 'Only paths that begin with this, such as `/api/v2/customers`.' }),
  ),
  keyId: Optional(Uuid('Only requests of this API key.')),
});

export function requestLogRoutes(app: App, { db }: { db: Database }): void {
  const tag = 'Request log';

  keyedRoute(app, {
    method: 'GET',
    path: '/api/v2/request-logs',
    id: 'listRequestLogs',
    sdk: 'requestLogs.list',
    assistant: 'read',
    tag,
    summary: 'List requests',
    description:
      'What your API keys requested, and what was answered. A request appears within about a second and is kept for 7 days by default; the operator can change this. Under heavy load some are left out.',
    scopes: ['billing:read', 'payments:read'],
    query: ListQuery,
    success: { status: 200, schema: Page('RequestLogPage', RequestLogView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: ({ principal, query, request, reply }) =>
      answerList(
        { query, request, reply },
        RequestLogView,
        (range) => listRequests(db, principal.merchantId, query, range),
        presentRequest,
      ),
  });

  keyedRoute(app, {
    method: 'GET',
    path: '/api/v2/request-logs/{requestId}',
    id: 'getRequestLog',
    sdk: 'requestLogs.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a request',
    description: 'By the `traceId` of an error, or the X-Request-Id of any response.',
    scopes: ['billing:read', 'payments:read'],
    success: { status: 200, schema: RequestLogView, description: 'The request.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const found = await requestLogs.find(db, { merchantId: principal.merchantId, id: params.requestId! });
      if (!found) throw new AppError('NOT_FOUND');
      return presentRequest(found);
    },
  });
}
