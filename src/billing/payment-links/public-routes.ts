import { type App, route } from '../../platform/http/route.ts';
import { type Static, Text } from '../../platform/http/schema.ts';
import { badField } from '../../platform/lib/errors.ts';
import { CheckOutBody, CheckOutView } from './bodies.ts';
import { type StartCheckout, startCheckout } from './start-checkout.ts';

export function publicLinkRoutes(app: App, parts: StartCheckout): void {
  route(app, {
    method: 'POST',
    path: '/api/v2/payment-links/{publicToken}/checkout',
    id: 'checkOutPaymentLink',
    sdk: 'publicLinks.checkOut',
    tag: 'Payment links',
    summary: 'Start a checkout from a public link',
    description:
      'Without a key. The session is created when the buyer confirms; project, price, amount and payout address come from the link.',
    params: { publicToken: Text({ max: 64 }) },
    body: CheckOutBody,
    bodyOptional: true,
    idempotency: 'text',
    rate: 'checkout',
    success: { status: 201, schema: CheckOutView, description: 'Where to pay.' },
    errors: [
      'BAD_REQUEST',
      'NOT_FOUND',
      'PAYMENT_LINK_INACTIVE',
      'MERCHANT_NOT_VERIFIED',
      'PROJECT_VOLUME_LIMIT_EXCEEDED',
      'INVALID_STATE',
    ],
    handle: ({ params, body, idempotencyKey, request }) => {
      const once = { ...body, idempotencyKey: oneKey(idempotencyKey, body) };
      return startCheckout(parts, params.publicToken!, once, request.ip);
    },
  });
}

/** The key may come in the header or in the body; two that differ would leave open which of them counts. */
function oneKey(header: string | undefined, { idempotencyKey }: Static<typeof CheckOutBody>): string | null {
  const isTwo = header !== undefined && idempotencyKey != null && header !== idempotencyKey;
  if (isTwo) throw badField('idempotencyKey', 'differs from the Idempotency-Key header; send only one');
  return header ?? idempotencyKey ?? null;
}
