import { findPrice } from '../../accounts/catalog/queries.ts';
import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import { createCheckout } from '../../billing/checkout-sessions/create-checkout.ts';
import { requireDestination, withDestination } from '../../billing/checkout-sessions/destination.ts';
import { linesForAnyone } from '../../billing/checkout-sessions/lines-for-anyone.ts';
import { lineOfAmount, requireOnSale } from '../../billing/checkout-sessions/price-line.ts';
import { SESSION_LIFE_MS } from '../../billing/checkout-sessions/session.ts';
import { checkOut } from '../../billing/payment-links/create-link-session.ts';
import type { EnsureWatched } from '../../chain/solana/watched-account.ts';
import type { Intent } from '../../money/intents/intent.ts';
import { listIntentsByRef } from '../../money/intents/queries.ts';
import { amountOfLines } from '../../money/invoices/invoice.ts';
import { type Database, isUniqueViolation, type Queryable, type Tx } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { findOrderKey, insertOrderKey, lockPaywall, type OrderKey } from './queries.ts';
import { customerIdOf, type PromisedIds, type Sale } from './sale.ts';

export interface OrderParts {
  db: Database;
  clock: Clock;
  ensureWatched: EnsureWatched;
  publicUrl(): string;
}

export interface Order extends PromisedIds {
  sale: Sale;
  /** Another order under the same key is this one. */
  key: string;
  /** Who has signed the payment. */
  payer: string;
  /** When it was paid, where that was before it could be written: the payment must not be older than the order. */
  at?: Date;
}

/**
 * Writes an order that somebody has signed a payment for: session, invoice and intent, as the same sale would on its
 * page. Under one key there is one order, however often it is accepted; the intent that comes back may be an earlier one.
 */
export async function acceptOrder(parts: OrderParts, order: Order): Promise<Intent> {
  const { db, clock, ensureWatched } = parts;
  const { sale } = order;
  const now = order.at ?? clock.now();
  const expiresAt = new Date(now.getTime() + SESSION_LIFE_MS);
  const accept = (destination: string | undefined) =>
    db.transaction(async (tx) => {
      const key: OrderKey = { merchantId: sale.merchantId, route: sale.route, key: order.key };
      if (await insertOrderKey(tx, key, { intentId: order.intentId, createdAt: now })) {
        const known = await findIntent(tx, sale.merchantId, order.intentId);
        if (known) return known;
        await create(tx, { ...order, destination, publicUrl: parts.publicUrl(), expiresAt, now });
        return (await findIntent(tx, sale.merchantId, order.intentId))!;
      }
      const held = await findOrderKey(tx, key);
      const first = held && (await findIntent(tx, sale.merchantId, held.intentId));
      if (!first) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
      return first;
    });
  const run = () =>
    withDestination(db, ensureWatched, sale, expiresAt, (destination) => accept(destination), 'payer');
  try {
    return await run();
  } catch (error) {
    // The same offer under another key was faster.
    if (isUniqueViolation(error)) return run();
    throw error;
  }
}

export async function findIntent(db: Queryable, merchantId: string, id: string): Promise<Intent | undefined> {
  return (await listIntentsByRef(db, [{ merchantId, id }]))[0];
}

interface Creation extends Order {
  destination: string | undefined;
  publicUrl: string;
  expiresAt: Date;
  now: Date;
}

async function create(tx: Tx, order: Creation): Promise<void> {
  const { sale, destination, publicUrl, expiresAt, now } = order;
  const { merchantId, projectId, what, labels, amountCents } = sale;
  const buyer = {
    externalCustomerId: customerIdOf(order.payer),
    promised: { paymentIntentId: order.intentId, referenceAddress: order.reference },
  };
  if (destination !== sale.payTo) throw changed();
  if (what.kind === 'link') {
    const ref = { merchantId, id: what.linkId };
    const session = await checkOut(tx, {
      ...buyer,
      ...labels,
      ref,
      customerName: null,
      destination,
      publicUrl,
      now,
    });
    if (session.amountCents !== amountCents) throw changed();
    return;
  }
  const project = await requireActiveProject(tx, { merchantId, id: projectId });
  const price = what.kind === 'paywall' ? await findPrice(tx, { merchantId, id: what.priceId }) : undefined;
  if (price) requireOnSale(price);
  // What was read before may be a moment old.
  if (what.kind === 'paywall' && !(await lockPaywall(tx, { merchantId, id: what.paywallId })))
    throw new AppError('PAYMENT_LINK_INACTIVE', { message: 'This is no longer sold.' });
  const lines = price ? await linesForAnyone(tx, project, price) : [lineOfAmount(amountCents, null)];
  if (amountOfLines(lines) !== amountCents) throw changed();
  await createCheckout(tx, {
    ...buyer,
    project,
    destination: await requireDestination(tx, { merchantId, projectId }, destination),
    mode: price?.billingMode ?? 'one_time',
    origin: 'link',
    priceId: price?.id ?? null,
    creditAmount: price?.creditAmount ?? null,
    lines,
    customer: undefined,
    ...labels,
    customerName: null,
    merchantReference: null,
    paymentLinkId: null,
    successUrl: null,
    cancelUrl: null,
    publicUrl,
    expiresAt,
    now,
  });
}

function changed(): AppError {
  const message =
    'The price or the seller’s address has changed since this was offered; ask for a new offer.';
  return new AppError('INVALID_STATE', { message });
}
