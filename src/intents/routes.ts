import type { EnsureWatched } from '../chain/solana/watched-account.ts';
import { keyedRoute } from '../platform/access/keyed-route.ts';
import type { Database } from '../platform/db/database.ts';
import { answerList, Page, pageQuery } from '../platform/http/list.ts';
import { ChangedMetadata, MetadataTerms } from '../platform/http/metadata-schema.ts';
import type { App } from '../platform/http/route.ts';
import {
  Int32,
  Int64,
  List,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../platform/http/schema.ts';
import { withIdempotency } from '../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../platform/lib/clock.ts';
import { cancelIntent } from './cancel-intent.ts';
import { intentCreator } from './create-intent.ts';
import { type Intent, MAX_ORDER_ID_LENGTH, PAID_VIAS, STATUSES } from './intent.ts';
import { listIntents } from './list-queries.ts';
import { patchIntent } from './patch-intent.ts';
import { IntentView, presentIntent } from './present.ts';
import { ExpandedIntentView, expand, intentExpansions } from './purchase-expansion.ts';
import { intentReader } from './read-intent.ts';
import { readStats } from './read-stats.ts';

const CreateIntentBody = Shape(
  'CreatePaymentIntentRequest',
  {
    amountCents: Int64({ min: 1, description: 'In cents, greater than 0.' }),
    orderId: Text({ max: MAX_ORDER_ID_LENGTH, description: 'Your name for what is being paid.' }),
    terminalId: Optional(Nullable(Uuid('Shows the intent on this terminal.'))),
  },
  { example: { amountCents: 1250, orderId: 'order-1001' } },
);

const ListIntentsQuery = Shape(undefined, {
  ...pageQuery,
  expand,
  status: Optional({
    ...List(OneOf(STATUSES), { max: STATUSES.length }),
    description: 'May be given several times.',
  }),
  orderId: Optional(Text({ max: MAX_ORDER_ID_LENGTH })),
  terminalId: Optional(Uuid()),
  amountCents: Optional(Int64({ min: 1, description: 'Only intents for exactly this amount.' })),
  referenceAddress: Optional(Text({ max: 44 })),
  txSignature: Optional(Text({ max: 88, description: 'Only intents that this transaction paid toward.' })),
  paidVia: Optional(OneOf(PAID_VIAS)),
  customerEmail: Optional(
    Text({ max: 254, description: 'Only intents of checkouts with this e-mail address, case-insensitive.' }),
  ),
  projectId: Optional(Uuid('Only intents of checkouts of this project.')),
  succeededFrom: Optional(Timestamp('Only intents that succeeded at this time or later.')),
  succeededTo: Optional(Timestamp('Only intents that succeeded before this time.')),
  metadata: MetadataTerms,
});

const PatchIntentBody = Shape('UpdatePaymentIntentRequest', { metadata: ChangedMetadata });

const Stats = Shape('MerchantStats', {
  totalVolumeCents: Int64({ description: 'What succeeded in these 31 days, before refunds.' }),
  totalRefundedCents: Int64({
    description: 'What was sent back in these 31 days, of payments that succeeded then or before.',
  }),
  netVolumeCents: Int64({
    description: 'The volume without what was sent back; negative where more went back than came in.',
  }),
  totalTransactions: Int32({ description: 'Intents created in these 31 days.' }),
  successfulTransactions: Int32({ description: 'Intents that succeeded in these 31 days.' }),
  chartData: Nullable(
    List(
      Shape('DailyStats', {
        date: Nullable(
          Timestamp(
            'A day of the merchant’s calendar, written as midnight UTC of its date in any time zone.',
          ),
        ),
        volumeCents: Int64(),
        refundedCents: Int64(),
        transactions: Int32(),
      }),
    ),
  ),
});

export interface IntentRoutes {
  db: Database;
  clock: Clock;
  intentLifeMinutes: number;
  ensureWatched: EnsureWatched;
  mint: string;
  publicUrl(): string;
}

export function intentRoutes(app: App, parts: IntentRoutes): void {
  const { db, clock } = parts;
  const createIntent = intentCreator({ ...parts, lifeMinutes: parts.intentLifeMinutes });
  const present = (intent: Intent) => presentIntent(intent, parts, clock.now());
  const readIntent = intentReader(db);

  keyedRoute(app, {
    method: 'POST',
    path: '/api/merchants/intents',
    id: 'createPaymentIntent',
    sdk: 'intents.create',
    assistant: { write: { storedAs: 'createIntent' } },
    tag: 'Payment intents',
    summary: 'Create a payment intent',
    description:
      'Requests a payment for an order. An order may have several intents until one of them succeeds.',
    scopes: ['payments:write'],
    verified: true,
    body: CreateIntentBody,
    idempotency: 'uuid',
    success: { status: 200, schema: IntentView, description: 'The new intent.' },
    errors: [
      'BAD_REQUEST',
      // The contract has always said these two first.
      'IDEMPOTENCY_CONFLICT',
      'IDEMPOTENCY_IN_PROGRESS',
      'ORDER_ALREADY_PAID',
      'TERMINAL_BUSY',
      'TERMINAL_INACTIVE',
      'INVALID_STATE',
    ],
    handle: ({ principal, body, idempotencyKey, serialize }) =>
      createIntent({ principal, body, key: idempotencyKey, serialize }),
  });

  keyedRoute(app, {
    method: 'GET',
    path: '/api/merchants/intents',
    id: 'listPaymentIntents',
    sdk: 'intents.list',
    assistant: 'read',
    tag: 'Payment intents',
    summary: 'List payment intents',
    scopes: ['payments:read'],
    query: ListIntentsQuery,
    csv: true,
    success: {
      status: 200,
      schema: Page('PaymentIntentPage', ExpandedIntentView),
      description: 'Newest first.',
    },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        IntentView,
        (range) => listIntents(db, call.principal.merchantId, call.query, range),
        present,
        intentExpansions(db, call.principal, call.query.expand),
      ),
  });

  keyedRoute(app, {
    method: 'GET',
    path: '/api/merchants/intents/{intentId}',
    id: 'getPaymentIntent',
    sdk: 'intents.retrieve',
    assistant: 'read',
    tag: 'Payment intents',
    summary: 'Get a payment intent',
    scopes: ['payments:read'],
    success: { status: 200, schema: IntentView, description: 'The intent as it is now.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      return present(await readIntent({ merchantId: principal.merchantId, id: params.intentId! }));
    },
  });

  keyedRoute(app, {
    method: 'PATCH',
    path: '/api/merchants/intents/{intentId}',
    id: 'updatePaymentIntent',
    sdk: 'intents.update',
    assistant: 'write',
    tag: 'Payment intents',
    summary: 'Update a payment intent',
    description: 'Its metadata, at any time. Nothing else about an intent changes by hand.',
    scopes: ['payments:write'],
    verified: true,
    body: PatchIntentBody,
    success: { status: 200, schema: IntentView, description: 'The intent as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const ref = { merchantId: principal.merchantId, id: params.intentId! };
      return present(await db.transaction((tx) => patchIntent(tx, ref, body)));
    },
  });

  keyedRoute(app, {
    method: 'POST',
    path: '/api/merchants/intents/{intentId}/cancel',
    id: 'cancelPaymentIntent',
    sdk: 'intents.cancel',
    assistant: { write: { storedAs: 'cancelIntent', destructive: true } },
    tag: 'Payment intents',
    summary: 'Cancel a payment intent',
    description: 'Only before anything was paid toward it.',
    scopes: ['payments:write'],
    verified: true,
    idempotency: 'text',
    success: { status: 200, schema: IntentView, description: 'The canceled intent.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    handle({ principal, body, params, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const id = params.intentId!.toLowerCase();
      const now = clock.now();
      const request = {
        merchantId,
        operation: `cancelIntent:${id}`,
        key: idempotencyKey,
        body: body ?? {},
        now,
      };
      return withIdempotency(db, request, async (tx) => {
        const intent = await cancelIntent(tx, { merchantId, id }, now);
        return { status: 200, text: serialize(present(intent)) };
      });
    },
  });

  keyedRoute(app, {
    method: 'GET',
    path: '/api/b2b/merchants/stats',
    id: 'getStats',
    sdk: 'merchant.stats',
    assistant: 'read',
    tag: 'Merchant',
    summary: 'Get aggregate stats',
    scopes: ['payments:read'],
    verified: true,
    success: {
      status: 200,
      schema: Stats,
      description: 'Today and the 30 days before, in the merchant’s time zone.',
    },
    errors: [],
    handle: ({ principal }) => readStats(db, principal, clock.now()),
  });
}
