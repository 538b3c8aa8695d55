import { emailSourceOf } from '../../accounts/customers/email-source-of.ts';
import { customerExpansion } from '../../accounts/customers/load-customers.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { ExpandQuery, type Expansions, presentExpanded } from '../../platform/http/expand.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import { ChangedMetadata, MetadataTerms, NewMetadata } from '../../platform/http/metadata-schema.ts';
import type { App } from '../../platform/http/route.ts';
import {
  Email,
  Flag,
  Int32,
  Int64,
  List,
  Name,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Uuid,
} from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { loadPrices } from '../catalog/load-catalog.ts';
import { CURRENCIES, MAX_TRIAL_DAYS } from '../catalog/price.ts';
import { loadInvoices } from '../invoices/load-invoices.ts';
import { loadSubscriptions } from '../subscriptions/load-subscriptions.ts';
import { cancelSession } from './cancel-session.ts';
import { LineItems } from './line-items.ts';
import { patchSession } from './patch-session.ts';
import { ExpandedSessionView, presentSession, SessionView } from './present.ts';
import { findSession, listSessions } from './queries.ts';
import { MODES, PAYMENT_STATUSES, SESSION_STATUSES, type Session } from './session.ts';
import type { CreateByKey } from './session-creator.ts';
import { TipPercents } from './tip.ts';

const CreateBody = Shape(
  'CreateCheckoutSessionRequest',
  {
    projectId: Uuid(),
    mode: OneOf(MODES),
    priceId: Optional(
      Uuid('A price of the project whose billingMode is the mode. Either this, amountCents or lineItems.'),
    ),
    amountCents: Optional(Int64({ min: 1, description: 'Your own amount, for one_time.' })),
    lineItems: Optional(LineItems),
    discountId: Optional(Nullable(Uuid('A discount of the project.'))),
    promotionCode: Optional(
      Nullable(Text({ max: 50, description: 'A promotion code of the project, instead of discountId.' })),
    ),
    allowPromotionCodes: Optional(Flag('The customer can enter a promotion code on the page.')),
    tipPercents: Optional(TipPercents),
    trialDays: Optional(
      Nullable(
        Int32({
          min: 0,
          max: MAX_TRIAL_DAYS,
          description:
            'For subscription: how many days are free at first, instead of the price’s trialDays; 0: none. A customer who has had a trial of the product is refused another.',
        }),
      ),
    ),
    currency: Optional(OneOf(CURRENCIES)),
    merchantReference: Optional(Nullable(Text({ description: 'Your own name for what is bought.' }))),
    successUrl: Optional(Nullable(Text({ max: 2048, description: 'Where the customer goes after paying.' }))),
    cancelUrl: Optional(
      Nullable(Text({ max: 2048, description: 'Where the customer goes instead of paying.' })),
    ),
    customerId: Optional(
      Nullable(Uuid('A customer of the project. Either this or externalCustomerId, or neither.')),
    ),
    externalCustomerId: Optional(
      Nullable(Text({ description: 'Your own id for the customer, who is found or created.' })),
    ),
    customerEmail: Optional(Nullable(Email())),
    customerName: Optional(Nullable(Name())),
    metadata: NewMetadata,
  },
  {
    example: {
      projectId: '019b76da-a800-7000-8000-000000000001',
      mode: 'one_time',
      amountCents: 1250,
      merchantReference: 'order-1001',
    },
  },
);

const expand = ExpandQuery(['customer', 'price', 'price.product', 'invoice', 'subscription']);

const ListQuery = Shape(undefined, {
  ...pageQuery,
  expand,
  projectId: Optional(Uuid()),
  customerId: Optional(Uuid()),
  subscriptionId: Optional(Uuid()),
  externalCustomerId: Optional(Text()),
  paymentLinkId: Optional(Uuid()),
  paymentIntentId: Optional(Uuid()),
  status: Optional(List(OneOf(SESSION_STATUSES), { max: SESSION_STATUSES.length })),
  paymentStatus: Optional(List(OneOf(PAYMENT_STATUSES), { max: PAYMENT_STATUSES.length })),
  mode: Optional(List(OneOf(MODES), { max: MODES.length })),
  merchantReference: Optional(Text()),
  clientReferenceId: Optional(Text({ max: 200 })),
  metadata: MetadataTerms,
});

const PatchBody = Shape('UpdateCheckoutSessionRequest', { metadata: ChangedMetadata });

export interface SessionRoutes {
  db: Database;
  clock: Clock;
  createByKey: CreateByKey;
}

export function sessionRoutes(app: App, parts: SessionRoutes): void {
  const { db, clock, createByKey } = parts;
  const expansionsOf = (merchantId: string): Expansions<Session> => ({
    customer: customerExpansion(db, merchantId),
    price: {
      idOf: ({ priceId }) => priceId,
      load: (ids, inner) => loadPrices(db, merchantId, ids, inner),
    },
    invoice: {
      idOf: ({ invoiceId }) => invoiceId,
      load: (ids) => loadInvoices(db, merchantId, ids, clock.now()),
    },
    subscription: {
      idOf: ({ subscriptionId }) => subscriptionId,
      load: (ids) => loadSubscriptions(db, merchantId, ids, clock.now()),
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/checkout-sessions',
    id: 'createCheckoutSession',
    sdk: 'checkoutSessions.create',
    // Discounts and free trials are for a person to decide.
    assistant: {
      write: {
        refused: ['discountId', 'promotionCode', 'trialDays'],
        refusedWith: { customerEmail: ['externalCustomerId', 'customerId'] },
      },
    },
    tag: 'Checkout sessions',
    summary: 'Create a checkout session',
    description:
      'Send the customer to `checkoutUrl`. Deliver only after the webhook `checkout.session.completed`: a redirect is no proof of payment.',
    scopes: ['billing:write', 'payments:write'],
    verified: true,
    body: CreateBody,
    idempotency: 'text',
    success: { status: 201, schema: SessionView, description: 'The new session.' },
    errors: ['BAD_REQUEST', 'PROJECT_VOLUME_LIMIT_EXCEEDED', 'INVALID_STATE'],
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const emailSource = emailSourceOf(principal);
      return createByKey({ merchantId, body, emailSource, key: idempotencyKey, serialize });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/checkout-sessions',
    id: 'listCheckoutSessions',
    sdk: 'checkoutSessions.list',
    assistant: 'read',
    tag: 'Checkout sessions',
    summary: 'List checkout sessions',
    scopes: ['billing:read'],
    query: ListQuery,
    csv: true,
    success: {
      status: 200,
      schema: Page('CheckoutSessionPage', ExpandedSessionView),
      description: 'Newest first.',
    },
    errors: ['BAD_REQUEST'],
    handle(call) {
      const { principal, query } = call;
      return answerList(
        call,
        SessionView,
        (range) => listSessions(db, principal.merchantId, query, range),
        presentSession,
        expansionsOf(principal.merchantId),
      );
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/checkout-sessions/{sessionId}',
    id: 'getCheckoutSession',
    sdk: 'checkoutSessions.retrieve',
    assistant: 'read',
    tag: 'Checkout sessions',
    summary: 'Get a checkout session',
    scopes: ['billing:read'],
    query: Shape(undefined, { expand }),
    success: { status: 200, schema: ExpandedSessionView, description: 'The session as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal: { merchantId }, params, query }) {
      const session = await findSession(db, { merchantId, id: params.sessionId! });
      if (!session) throw new AppError('NOT_FOUND');
      return presentExpanded(session, presentSession, query.expand, expansionsOf(merchantId));
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/checkout-sessions/{sessionId}',
    id: 'updateCheckoutSession',
    sdk: 'checkoutSessions.update',
    assistant: 'write',
    tag: 'Checkout sessions',
    summary: 'Update a checkout session',
    description:
      'Its metadata, at any time. Its payment intent, invoice and subscription keep what was copied to them when they were created.',
    scopes: ['billing:write'],
    body: PatchBody,
    success: { status: 200, schema: SessionView, description: 'The session as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const ref = { merchantId: principal.merchantId, id: params.sessionId! };
      return presentSession(await db.transaction((tx) => patchSession(tx, ref, body)));
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/checkout-sessions/{sessionId}/cancel',
    id: 'cancelCheckoutSession',
    sdk: 'checkoutSessions.cancel',
    assistant: { write: { destructive: true } },
    tag: 'Checkout sessions',
    summary: 'Cancel a checkout session',
    description: 'Only while nothing was paid toward it. Its invoice is voided and its intent canceled.',
    scopes: ['billing:write', 'payments:write'],
    verified: true,
    idempotency: 'text',
    success: { status: 200, schema: SessionView, description: 'The canceled session.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    handle({ principal, params, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const id = params.sessionId!.toLowerCase();
      const now = clock.now();
      const operation = `cancelCheckoutSession:${id}`;
      return withIdempotency(
        db,
        { merchantId, operation, key: idempotencyKey, body: {}, now },
        async (tx) => {
          const session = await cancelSession(tx, { merchantId, id }, now);
          return { status: 200, text: serialize(presentSession(session)) };
        },
      );
    },
  });
}
