import { billingRoute } from '../accounts/projects/billing-route.ts';
import type { Database } from '../platform/db/database.ts';
import { Page, pageQuery, readPage, sendCsv, toRange, wantsCsv } from '../platform/http/list.ts';
import type { App } from '../platform/http/route.ts';
import { List, OneOf, Optional, Shape, Text, Uuid } from '../platform/http/schema.ts';
import { withIdempotency } from '../platform/idempotency/with-idempotency.ts';
import { type Clock, realNow } from '../platform/lib/clock.ts';
import { AppError } from '../platform/lib/errors.ts';
import { STATUSES } from './delivery.ts';
import { DeliveryView, presentDelivery } from './present.ts';
import { findDelivery, listDeliveries } from './queries.ts';
import { resendDelivery } from './resend-delivery.ts';

const ListDeliveriesQuery = Shape(undefined, {
  ...pageQuery,
  status: Optional({
    ...List(OneOf(STATUSES), { max: STATUSES.length }),
    description: 'May be given several times.',
  }),
  event: Optional(
    Text({ description: 'Only deliveries of this event, such as `payment_intent.succeeded`.' }),
  ),
  endpointId: Optional(Uuid('Only deliveries to this webhook endpoint.')),
});

export interface WebhookRoutes {
  db: Database;
  clock: Clock;
}

export function webhookRoutes(app: App, { db, clock }: WebhookRoutes): void {
  const tag = 'Webhook deliveries';

  billingRoute(app, {
    method: 'GET',
    path: '/webhook-deliveries',
    id: 'listWebhookDeliveries',
    sdk: 'webhookDeliveries.list',
    assistant: 'read',
    tag,
    summary: 'List webhook deliveries',
    description: 'Finished deliveries are kept for 30 days by default; the operator can change this.',
    scopes: ['billing:read'],
    query: ListDeliveriesQuery,
    csv: true,
    success: { status: 200, schema: Page('WebhookDeliveryPage', DeliveryView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    async handle(call) {
      const { principal, query, request } = call;
      const read = (range: ReturnType<typeof toRange>) =>
        listDeliveries(db, principal.merchantId, query, range);
      const range = toRange(query);
      if (wantsCsv(request)) return sendCsv(call, DeliveryView, range, read, presentDelivery);
      const page = await readPage(range, read);
      return { ...page, data: page.data.map(presentDelivery) };
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/webhook-deliveries/{deliveryId}',
    id: 'getWebhookDelivery',
    sdk: 'webhookDeliveries.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a webhook delivery',
    scopes: ['billing:read'],
    success: { status: 200, schema: DeliveryView, description: 'The delivery and its attempts so far.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const delivery = await findDelivery(db, principal.merchantId, params.deliveryId!);
      if (!delivery) throw new AppError('NOT_FOUND');
      return presentDelivery(delivery);
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/webhook-deliveries/{deliveryId}/resend',
    id: 'resendWebhookDelivery',
    sdk: 'webhookDeliveries.resend',
    assistant: 'write',
    tag,
    summary: 'Resend a webhook delivery',
    description:
      'Sends the same event, with the same id and the same bytes, to the current URL of its endpoint. It is safe for receivers that handle each event id once.',
    scopes: ['billing:write'],
    verified: true,
    idempotency: 'text',
    success: { status: 202, schema: DeliveryView, description: 'The new delivery, about to be sent.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'WEBHOOK_NOT_CONFIGURED', 'DELIVERY_PRUNED'],
    handle({ principal, params, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const deliveryId = params.deliveryId!.toLowerCase();
      const request = {
        merchantId,
        operation: `resendWebhookDelivery:${deliveryId}`,
        key: idempotencyKey,
        body: body ?? {},
        now: clock.now(),
      };
      return withIdempotency(db, request, async (tx) => {
        const resend = await resendDelivery(tx, { merchantId, deliveryId, now: realNow() });
        return { status: 202, text: serialize(presentDelivery(resend)) };
      });
    },
  });
}
