import { intentReader } from '../../money/intents/read-intent.ts';
import { SCOPES } from '../../platform/access/key.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Principal } from '../../platform/access/principal.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import type { App, Call } from '../../platform/http/route.ts';
import { List, Nullable, OneOf, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { EXCEPTION_KINDS, EXCEPTION_STATUSES, type PaymentException } from './exception.ts';
import { listExceptions } from './exception-queries.ts';
import { ExceptionView, HistoryView, presentException, presentHistory } from './present.ts';
import { readHistory } from './read-history.ts';
import { linkException, markReturned, type Resolve } from './resolve-exception.ts';

const ListQuery = Shape(undefined, {
  ...pageQuery,
  status: Optional(List(OneOf(EXCEPTION_STATUSES), { max: EXCEPTION_STATUSES.length })),
  kind: Optional(List(OneOf(EXCEPTION_KINDS), { max: EXCEPTION_KINDS.length })),
  txSignature: Optional(Text({ max: 88 })),
  exceptionId: Optional(Uuid('The one with this id.')),
  refundId: Optional(Uuid('Those that this refund returns, or that it was sent too much for.')),
});

const LinkBody = Shape('LinkExceptionRequest', {
  paymentIntentId: Uuid('An open or expired intent at the same address.'),
});
const ReturnBody = Shape('MarkReturnedRequest', {
  note: Optional(Nullable(Text({ max: 2000, lines: true }))),
});

const RESOLVE_ERRORS = [
  'BAD_REQUEST',
  'NOT_FOUND',
  'INVALID_STATE',
  'IDEMPOTENCY_CONFLICT',
  'IDEMPOTENCY_IN_PROGRESS',
] as const;

export function settlementRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  const readIntent = intentReader(db);

  keyedRoute(app, {
    method: 'GET',
    path: '/api/v2/exceptions',
    id: 'listExceptions',
    tag: 'Exceptions',
    summary: 'List exceptions',
    description:
      'Money that matched no intent, was too much, arrived too late, or was of the wrong kind. Less than a cent is dust: closed immediately, and listed only if you filter by its status, transaction or id.',
    scopes: ['billing:read', 'payments:read'],
    query: ListQuery,
    csv: true,
    success: {
      status: 200,
      schema: Page('PaymentExceptionPage', ExceptionView),
      description: 'Newest first.',
    },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        ExceptionView,
        (range) => listExceptions(db, call.principal.merchantId, call.query, range),
        presentException,
      ),
  });

  keyedRoute(app, {
    method: 'GET',
    path: '/api/merchants/intents/{intentId}/history',
    id: 'getPaymentIntentHistory',
    tag: 'Payment intents',
    summary: 'Get the history of a payment intent',
    description: 'Each change, the transactions that paid toward it, and its exceptions.',
    scopes: ['payments:read'],
    success: { status: 200, schema: HistoryView, description: 'All of it, oldest first.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const intent = await readIntent({ merchantId: principal.merchantId, id: params.intentId! });
      return presentHistory(await readHistory(db, intent));
    },
  });

  keyedRoute(app, {
    method: 'POST',
    path: '/api/v2/exceptions/{exceptionId}/link',
    id: 'linkException',
    tag: 'Exceptions',
    summary: 'Link an exception to an intent',
    description: 'The intent is credited as if the payment had carried its reference.',
    scopes: SCOPES,
    ownerOnly: true,
    stepUp: true,
    body: LinkBody,
    idempotency: 'text',
    success: { status: 200, schema: ExceptionView, description: 'The exception, now linked.' },
    errors: RESOLVE_ERRORS,
    handle: (call) =>
      resolveOnce('linkException', call, (tx, input) =>
        linkException(tx, input, call.body.paymentIntentId.toLowerCase()),
      ),
  });

  keyedRoute(app, {
    method: 'POST',
    path: '/api/v2/exceptions/{exceptionId}/mark-returned',
    id: 'markExceptionReturned',
    tag: 'Exceptions',
    summary: 'Mark an exception as returned',
    description: 'Florin holds no keys: you send the money back from your wallet, and record it here.',
    scopes: SCOPES,
    ownerOnly: true,
    stepUp: true,
    body: ReturnBody,
    bodyOptional: true,
    idempotency: 'text',
    success: { status: 200, schema: ExceptionView, description: 'The exception, now returned.' },
    errors: RESOLVE_ERRORS,
    handle: (call) =>
      resolveOnce('markReturned', call, (tx, input) => markReturned(tx, input, call.body.note ?? null)),
  });

  /** Both ways out take effect once per key, and answer with the exception as it is then. */
  function resolveOnce(
    name: string,
    { principal, params, body, idempotencyKey, serialize }: ResolveCall,
    resolve: (tx: Tx, input: Resolve) => Promise<PaymentException>,
  ) {
    const { merchantId, actor } = principal;
    const exceptionId = params.exceptionId!.toLowerCase();
    const now = clock.now();
    const request = { merchantId, operation: `${name}:${exceptionId}`, key: idempotencyKey, body, now };
    return withIdempotency(db, request, async (tx) => {
      const resolved = await resolve(tx, { merchantId, exceptionId, actor, now });
      return { status: 200, text: serialize(presentException(resolved)) };
    });
  }
}

type ResolveCall = Call<unknown, unknown> & { principal: Principal };
