import type { Rpc } from '../../chain/solana/rpc.ts';
import { findPayerOf } from '../../payments/refunds/find-payer-of.ts';
import { SCOPES } from '../../platform/access/key.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { REFUNDS } from '../../platform/http/assistant.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { OneOf, Optional, Shape, Uuid } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { approveRequest, declineRequest } from './decide-request.ts';
import { presentRequest, RequestView } from './present-request.ts';
import { REQUEST_STATUSES } from './refund-request.ts';
import { findRequest, listRequests } from './request-queries.ts';

const PATH = '/api/b2b/merchants/refund-requests';
const TAG = 'Tills';

const ListRequestsQuery = Shape(undefined, {
  ...pageQuery,
  status: Optional(OneOf(REQUEST_STATUSES)),
  terminalId: Optional(Uuid()),
});

export interface RequestRoutes {
  db: Database;
  clock: Clock;
  rpc: Rpc;
  mint: string;
  secrets: SecretBox;
  publicUrl(): string;
}

/** Refunds that staff request, and what an owner decides. */
export function refundRequestRoutes(app: App, parts: RequestRoutes): void {
  const { db, clock, mint, secrets } = parts;

  keyedRoute(app, {
    method: 'GET',
    path: PATH,
    id: 'listRefundRequests',
    sdk: 'refundRequests.list',
    assistant: 'read',
    tag: TAG,
    summary: 'List refund requests',
    scopes: ['payments:read'],
    query: ListRequestsQuery,
    success: { status: 200, schema: Page('RefundRequestPage', RequestView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        RequestView,
        (range) => listRequests(db, call.principal.merchantId, call.query, range),
        presentRequest,
      ),
  });

  keyedRoute(app, {
    method: 'POST',
    path: `${PATH}/{refundRequestId}/approve`,
    id: 'approveRefundRequest',
    sdk: 'refundRequests.approve',
    assistant: { withheld: REFUNDS },
    tag: TAG,
    summary: 'Approve a refund request',
    description: 'Creates a refund of all that is left of the sale. Nothing is sent by it: see the refund.',
    scopes: SCOPES,
    ownerOnly: true,
    stepUp: true,
    success: { status: 200, schema: RequestView, description: 'The request, with its refund.' },
    errors: ['NOT_FOUND', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, params }) {
      const { merchantId, actor } = principal;
      const id = params.refundRequestId!.toLowerCase();
      const request = await findRequest(db, merchantId, id);
      if (!request) throw new AppError('NOT_FOUND');
      const source = { paymentIntentId: request.intentId, exceptionId: null };
      const payerAddress = await findPayerOf(parts, merchantId, source);
      const terms = { payerAddress, mint, secrets, publicUrl: parts.publicUrl() };
      const input = { merchantId, id, actor, now: clock.now() };
      return presentRequest(await db.transaction((tx) => approveRequest(tx, input, terms)));
    },
  });

  keyedRoute(app, {
    method: 'POST',
    path: `${PATH}/{refundRequestId}/decline`,
    id: 'declineRefundRequest',
    sdk: 'refundRequests.decline',
    assistant: { withheld: REFUNDS },
    tag: TAG,
    summary: 'Decline a refund request',
    description: 'Staff see it at the till, and can ask again.',
    scopes: SCOPES,
    ownerOnly: true,
    success: { status: 200, schema: RequestView, description: 'The declined request.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params }) {
      const { merchantId, actor } = principal;
      const input = { merchantId, id: params.refundRequestId!.toLowerCase(), actor, now: clock.now() };
      return presentRequest(await db.transaction((tx) => declineRequest(tx, input)));
    },
  });
}
