import { withDestination } from '../checkout-sessions/destination.ts';
import { SESSION_LIFE_MS } from '../checkout-sessions/session.ts';
import type { Database } from '../db/database.ts';
import type { Mount } from '../http/mount.ts';
import { type App, route } from '../http/route.ts';
import { Email, Nullable, Optional, Shape, Text, Timestamp, Uuid } from '../http/schema.ts';
import { once } from '../idempotency/once.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { EnsureWatched } from '../solana/watched-account.ts';
import { checkOut } from './check-out.ts';
import { findByToken } from './queries.ts';

const CheckOutBody = Shape(
  'PublicCheckoutRequest',
  {
    clientReferenceId: Optional(
      Nullable({
        ...Text({ max: 200, description: 'A label for your own records: letters, digits and _ . : -' }),
        pattern: '^[A-Za-z0-9_.:-]+$',
      }),
    ),
    customerEmail: Optional(Nullable(Email())),
    customerName: Optional(Nullable(Text())),
    idempotencyKey: Optional(
      Nullable(
        Text({
          description: 'The same key and fields get the same session: a second click is no second order.',
        }),
      ),
    ),
  },
  { example: { clientReferenceId: 'cart-17', customerEmail: 'buyer@example.com' } },
);

const CheckOutView = Shape('PublicCheckout', {
  sessionId: Uuid(),
  checkoutUrl: Text({ max: 2048 }),
  expiresAt: Timestamp(),
});

export interface PublicLinkRoutes {
  db: Database;
  clock: Clock;
  ensureWatched: EnsureWatched;
  publicUrl(): string;
}

export function publicLinkRoutes(app: App, mount: Mount, parts: PublicLinkRoutes): void {
  const { db, clock, ensureWatched, publicUrl } = parts;

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
    async handle({ params, body, serialize }) {
      const found = await findByToken(db, params.publicToken!);
      if (!found) throw new AppError('NOT_FOUND');
      const { merchantId, id, projectId } = found.link;
      const { idempotencyKey, ...labels } = body;
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + SESSION_LIFE_MS);
      const request = {
        merchantId,
        operation: `checkOutPaymentLink:${id}`,
        key: idempotencyKey ?? undefined,
        body: labels,
        now,
      };
      return withDestination(db, ensureWatched, { merchantId, projectId }, expiresAt, (destination) =>
        once(db, request, async (tx) => {
          const session = await checkOut(tx, {
            ref: { merchantId, id },
            clientReferenceId: labels.clientReferenceId ?? null,
            customerEmail: labels.customerEmail ?? null,
            customerName: labels.customerName ?? null,
            destination,
            publicUrl: publicUrl(),
            now,
          });
          const { checkoutUrl } = session;
          return { status: 201, text: serialize({ sessionId: session.id, checkoutUrl, expiresAt }) };
        }),
      );
    },
  });
}
