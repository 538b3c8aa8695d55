import { customerExpansion } from '../../accounts/customers/load-customers.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { EnsureWatched } from '../../chain/solana/watched-account.ts';
import type { Database } from '../../platform/db/database.ts';
import { ExpandQuery, type Expansions, presentExpanded } from '../../platform/http/expand.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import { MetadataTerms } from '../../platform/http/metadata-schema.ts';
import type { App } from '../../platform/http/route.ts';
import { List, OneOf, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import { addDays, type Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { loadPrices } from '../catalog/load-catalog.ts';
import { findPrice } from '../catalog/queries.ts';
import { withDestination } from '../checkout-sessions/destination.ts';
import { loadInvoices } from '../invoices/load-invoices.ts';
import { ExpandedSubscriptionView, presentSubscription, SubscriptionView } from '../subscriptions/present.ts';
import { findSubscription, listSubscriptions } from '../subscriptions/queries.ts';
import { SUBSCRIPTION_STATUSES, type Subscription } from '../subscriptions/subscription.ts';
import { CancelBody, PreviewBody, UpdateBody } from './bodies.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { PreviewView, presentPreview } from './present.ts';
import { changedPriceOf, sealToken, workOut } from './preview-change.ts';
import { updateSubscription } from './update-subscription.ts';
import { withdrawChange } from './withdraw-change.ts';

const expand = ExpandQuery(['customer', 'price', 'price.product', 'latestInvoice']);

const ListQuery = Shape(undefined, {
  ...pageQuery,
  expand,
  projectId: Optional(Uuid()),
  customerId: Optional(Uuid()),
  externalCustomerId: Optional(Text()),
  priceId: Optional(Uuid()),
  status: Optional(List(OneOf(SUBSCRIPTION_STATUSES), { max: SUBSCRIPTION_STATUSES.length })),
  metadata: MetadataTerms,
});

export interface RenewalRoutes {
  db: Database;
  clock: Clock;
  secrets: SecretBox;
  ensureWatched: EnsureWatched;
  /** True in the sandbox, where buyers can be redirected to a page on the same machine. */
  allowLoopback: boolean;
  publicUrl(): string;
}

export function renewalRoutes(app: App, parts: RenewalRoutes): void {
  const { db, clock, secrets, ensureWatched, publicUrl, allowLoopback } = parts;
  const tag = 'Subscriptions';

  const expansionsOf = (merchantId: string, now: Date): Expansions<Subscription> => ({
    customer: customerExpansion(db, merchantId),
    price: {
      idOf: ({ priceId }) => priceId,
      load: (ids, inner) => loadPrices(db, merchantId, ids, inner),
    },
    latestInvoice: {
      idOf: ({ latestInvoiceId }) => latestInvoiceId,
      load: (ids) => loadInvoices(db, merchantId, ids, now),
    },
  });

  async function find(merchantId: string, id: string) {
    const subscription = await findSubscription(db, { merchantId, id });
    if (!subscription) throw new AppError('NOT_FOUND');
    return subscription;
  }

  billingRoute(app, {
    method: 'GET',
    path: '/subscriptions',
    id: 'listSubscriptions',
    sdk: 'subscriptions.list',
    assistant: 'read',
    tag,
    summary: 'List subscriptions',
    scopes: ['billing:read'],
    query: ListQuery,
    csv: true,
    success: {
      status: 200,
      schema: Page('SubscriptionPage', ExpandedSubscriptionView),
      description: 'Newest first.',
    },
    errors: ['BAD_REQUEST'],
    handle(call) {
      const { merchantId } = call.principal;
      const read = listSubscriptions.bind(undefined, db, merchantId, call.query);
      const now = clock.now();
      const present = (each: Subscription) => presentSubscription(each, now);
      return answerList(call, SubscriptionView, read, present, expansionsOf(merchantId, now));
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/subscriptions/{subscriptionId}',
    id: 'getSubscription',
    sdk: 'subscriptions.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a subscription',
    scopes: ['billing:read'],
    query: Shape(undefined, { expand }),
    success: {
      status: 200,
      schema: ExpandedSubscriptionView,
      description: 'The subscription as it is now.',
    },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal: { merchantId }, params, query }) {
      const now = clock.now();
      const present = (each: Subscription) => presentSubscription(each, now);
      const subscription = await find(merchantId, params.subscriptionId!);
      return presentExpanded(subscription, present, query.expand, expansionsOf(merchantId, now));
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/cancel',
    id: 'cancelSubscription',
    sdk: 'subscriptions.cancel',
    assistant: { write: { destructive: true } },
    tag,
    summary: 'Cancel a subscription',
    description:
      'At the end of the paid period, or immediately. An unpaid renewal is withdrawn. A plan change is kept with a cancellation at period end, which can be undone, and withdrawn with an immediate one.',
    scopes: ['billing:write'],
    verified: true,
    body: CancelBody,
    bodyOptional: true,
    idempotency: 'text',
    success: { status: 200, schema: SubscriptionView, description: 'The subscription as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    handle({ principal, params, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const id = params.subscriptionId!.toLowerCase();
      const now = clock.now();
      const operation = `cancelSubscription:${id}`;
      return withIdempotency(db, { merchantId, operation, key: idempotencyKey, body, now }, async (tx) => {
        const { atPeriodEnd = true } = body;
        const subscription = await cancelSubscription(tx, { merchantId, id }, { atPeriodEnd, now });
        return { status: 200, text: serialize(presentSubscription(subscription, now)) };
      });
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/preview-change',
    id: 'previewSubscriptionChange',
    sdk: 'subscriptions.previewChange',
    assistant: 'read',
    repeatable: true,
    tag,
    summary: 'Preview a plan change',
    description:
      '`auto`: a more expensive price is charged now for the rest of the period, a cheaper one applies from the next period, one with another interval starts a new period. Changes nothing.',
    scopes: ['billing:read'],
    body: PreviewBody,
    success: { status: 200, schema: PreviewView, description: 'What it would cost, to the cent.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const { merchantId } = principal;
      const now = clock.now();
      const subscription = await find(merchantId, params.subscriptionId!);
      const price = (await findPrice(db, { merchantId, id: subscription.priceId }))!;
      const { prorationBehavior: behavior = 'auto', prorationDate = now } = body;
      const priceId = changedPriceOf(body, subscription);
      const wanted = body.quantity ?? subscription.quantity;
      const input = { subscription, price, priceId, quantity: wanted, behavior, prorationDate, now };
      const worked = await workOut(db, input);
      const { fingerprint, plan } = worked;
      const terms = {
        priceId,
        quantity: wanted,
        behavior,
        chosen: plan.behavior,
        prorationDate,
        fingerprint,
      };
      const token = sealToken(secrets, terms, now);
      return presentPreview(subscription, worked, token);
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/subscriptions/{subscriptionId}',
    id: 'updateSubscription',
    sdk: 'subscriptions.update',
    // Changes of plan are checked when they are worked out, because auto can mean anything.
    assistant: {
      write: {
        note: 'An assistant changes a plan with prorationBehavior charge_now or next_period only. Where auto would be reset or none, as previewSubscriptionChange says, ask for next_period.',
      },
    },
    tag,
    summary: 'Change the plan, or undo a cancellation',
    description:
      'If the change costs something, it stays a `pendingChange` until the customer has paid it at its `checkoutUrl`.',
    scopes: ['billing:write'],
    verified: true,
    body: UpdateBody,
    success: { status: 200, schema: SubscriptionView, description: 'The subscription as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE', 'PREVIEW_STALE'],
    async handle({ principal, params, body }) {
      const { merchantId, agent } = principal;
      const now = clock.now();
      const { id, projectId } = await find(merchantId, params.subscriptionId!);
      const watchUntil = addDays(now, 1);
      const subscription = await withDestination(
        db,
        ensureWatched,
        { merchantId, projectId },
        watchUntil,
        (destination) =>
          db.transaction((tx) =>
            updateSubscription(tx, {
              merchantId,
              id,
              change: body,
              allowLoopback,
              isAgent: agent !== undefined,
              destination,
              publicUrl: publicUrl(),
              secrets,
              now,
            }),
          ),
      );
      return presentSubscription(subscription, now);
    },
  });

  billingRoute(app, {
    method: 'DELETE',
    path: '/subscriptions/{subscriptionId}/pending-change',
    id: 'withdrawSubscriptionChange',
    sdk: 'subscriptions.withdrawChange',
    assistant: { write: { destructive: true } },
    tag,
    summary: 'Withdraw a plan change',
    description:
      'For a change that is planned or waiting for payment: its invoice is void, and the plan stays as it is.',
    scopes: ['billing:write'],
    verified: true,
    success: { status: 204, description: 'The change is withdrawn.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params }) {
      const { merchantId } = principal;
      const id = params.subscriptionId!.toLowerCase();
      await db.transaction((tx) => withdrawChange(tx, { merchantId, id }, clock.now()));
    },
  });
}
