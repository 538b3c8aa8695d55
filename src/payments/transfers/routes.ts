import type { Rpc } from '../../chain/solana/rpc.ts';
import { buyerExpansions } from '../../intents/buyer-expansion.ts';
import { intentReader } from '../../intents/read-intent.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { List, OneOf, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { EXCEPTION_KINDS, EXCEPTION_STATUSES } from './exception.ts';
import { findException, listExceptions } from './exception-queries.ts';
import {
  ExceptionView,
  HistoryView,
  presentHistory,
  presentListed,
  presentSuggestions,
  SuggestionsView,
} from './present.ts';
import { readHistory } from './read-history.ts';
import { resolveRoutes } from './resolve-routes.ts';
import { suggestMatches } from './suggest-matches.ts';

const ListQuery = Shape(undefined, {
  ...pageQuery,
  status: Optional(List(OneOf(EXCEPTION_STATUSES), { max: EXCEPTION_STATUSES.length })),
  kind: Optional(List(OneOf(EXCEPTION_KINDS), { max: EXCEPTION_KINDS.length })),
  txSignature: Optional(Text({ max: 88 })),
  exceptionId: Optional(Uuid('The one with this id.')),
  refundId: Optional(Uuid('Those that this refund returns, or that it was sent too much for.')),
});

export function settlementRoutes(app: App, parts: { db: Database; rpc: Rpc; clock: Clock }): void {
  const { db, rpc } = parts;
  resolveRoutes(app, parts);
  const readIntent = intentReader(db);

  keyedRoute(app, {
    method: 'GET',
    path: '/api/v2/exceptions',
    id: 'listExceptions',
    sdk: 'exceptions.list',
    assistant: 'read',
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
        presentListed,
        buyerExpansions(db, call.principal, (row) => row.linkedIntentId ?? row.intentId),
      ),
  });

  keyedRoute(app, {
    method: 'GET',
    path: '/api/merchants/intents/{intentId}/history',
    id: 'getPaymentIntentHistory',
    sdk: 'intents.history',
    assistant: 'read',
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
    method: 'GET',
    path: '/api/v2/exceptions/{exceptionId}/suggestions',
    id: 'listExceptionSuggestions',
    sdk: 'exceptions.suggestions',
    assistant: 'read',
    tag: 'Exceptions',
    summary: 'Suggest what an exception was for',
    description:
      'The wallet the money came from, and the payment intents it may have been meant for: one that a payer claims it for, that it names, or that lacks exactly this amount. Nothing is decided by it.',
    scopes: ['billing:read', 'payments:read'],
    success: { status: 200, schema: SuggestionsView, description: 'The likeliest first, ten at most.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const id = params.exceptionId!.toLowerCase();
      const exception = await findException(db, principal.merchantId, id);
      if (!exception) throw new AppError('NOT_FOUND');
      return presentSuggestions(await suggestMatches({ db, rpc }, exception));
    },
  });
}
