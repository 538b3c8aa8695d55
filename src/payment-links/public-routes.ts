import type { Mount } from '../http/mount.ts';
import { type App, route } from '../http/route.ts';
import { Text } from '../http/schema.ts';
import { CheckOutBody, CheckOutView } from './bodies.ts';
import { type StartCheckout, startCheckout } from './start-checkout.ts';

export function publicLinkRoutes(app: App, mount: Mount, parts: StartCheckout): void {
  route(app, {
    method: 'POST',
    path: `${mount.path}/payment-links/{publicToken}/checkout`,
    id: `checkOutPaymentLink${mount.idSuffix}`,
    tag: 'Payment links',
    summary: 'Start a checkout from a public link',
    description:
      'Without a key. The buyer confirms, and only now is a session made; project, price, amount and where the money goes are the link’s.',
    params: { publicToken: Text({ max: 64 }) },
    body: CheckOutBody,
    bodyOptional: true,
    rate: 'checkout',
    success: { status: 201, schema: CheckOutView, description: 'Where to pay.' },
    errors: [
      'BAD_REQUEST',
      'NOT_FOUND',
      'PAYMENT_LINK_INACTIVE',
      'PROJECT_VOLUME_LIMIT_EXCEEDED',
      'INVALID_STATE',
      'IDEMPOTENCY_CONFLICT',
      'IDEMPOTENCY_IN_PROGRESS',
    ],
    handle: ({ params, body }) => startCheckout(parts, params.publicToken!, body),
  });
}
