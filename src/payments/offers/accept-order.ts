import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import { findPrice } from '../../billing/catalog/queries.ts';
import { cancelSession } from '../../billing/checkout-sessions/cancel-session.ts';
import { createCheckout } from '../../billing/checkout-sessions/create-checkout.ts';
import { requireDestination, withDestination } from '../../billing/checkout-sessions/destination.ts';
import { linesForAnyone, linesPaid } from '../../billing/checkout-sessions/lines-for-anyone.ts';
import { lineOfAmount, requireOnSale } from '../../billing/checkout-sessions/price-line.ts';
import { SESSION_LIFE_MS, type Session } from '../../billing/checkout-sessions/session.ts';
import { amountOfLines } from '../../billing/invoices/invoice.ts';
import { checkOut, isOversold } from '../../billing/payment-links/create-link-session.ts';
import type { EnsureWatched } from '../../chain/solana/watched-account.ts';
import type { Intent } from '../../intents/intent.ts';
import { listIntentsByRef } from '../../intents/queries.ts';
import type { Database, Queryable, Tx } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { placesOf, type VisitorPlaces } from '../../platform/limits/visitor-places.ts';
import { findOrderKey, lockPaywall, type OrderKey, orderKeys } from './queries.ts';
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
  /** The wallet that signed the payment, or the transaction where no single one did. */
  payer: string;
  /** Network address that a payment comes from which was signed and has not arrived. */
  ip?: string | undefined;
  /** Time of the payment, if it was paid before it could be written: the payment must not be older than the order. */
  at?: Date;
  /** The payment is on chain: the order is sold as offered, whatever has changed since. */
  isPaid?: boolean;
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
      const held = { ...key, intentId: order.intentId, createdAt: now };
      // Waits for a transaction that holds the key at this moment.
      const taken = await orderKeys.insert(tx, held, 'on conflict do nothing returning intent_id');
      if (taken.length > 0) {
        const known = await findIntent(tx, sale.merchantId, order.intentId);
        if (known) return known;
        const places = placesOf(db);
        await create(tx, { ...order, places, destination, publicUrl: parts.publicUrl(), expiresAt, now });
        return (await findIntent(tx, sale.merchantId, order.intentId))!;
      }
      const other = await findOrderKey(tx, key);
      const first = other && (await findIntent(tx, sale.merchantId, other.intentId));
      if (!first) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
      return first;
    });
  const acceptPaid = async () => {
    await ensureWatched(sale.payTo, sale.merchantId, expiresAt, order.at);
    return accept(sale.payTo);
  };
  const run = () =>
    order.isPaid
      ? acceptPaid()
      : withDestination(db, ensureWatched, sale, expiresAt, (destination) => accept(destination), 'payer');
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
  places: VisitorPlaces;
  destination: string | undefined;
  publicUrl: string;
  expiresAt: Date;
  now: Date;
}

async function create(tx: Tx, order: Creation): Promise<void> {
  const { sale, destination, isPaid = false } = order;
  if (destination !== sale.payTo) throw changed();
  const session = await (sale.what.kind === 'link'
    ? createFromLink(tx, order, sale.what.linkId)
    : createFromProject(tx, order));
  if (session.amountCents !== sale.amountCents) throw changed();
  if (isPaid && sale.what.kind === 'link') await cancelIfSoldOut(tx, order, sale.what.linkId, session);
}

function buyerOf({ payer, intentId, reference }: Order) {
  return {
    externalCustomerId: customerIdOf(payer),
    promised: { paymentIntentId: intentId, referenceAddress: reference },
  };
}

/** Most payments land within seconds, and make room for the next of the same buyer. */
const RETRY_SECONDS = 10;

function createFromLink(tx: Tx, order: Creation, linkId: string): Promise<Session> {
  const { sale, destination, publicUrl, now, isPaid, ip, places } = order;
  const { merchantId, labels, amountCents } = sale;
  return checkOut(tx, {
    ...buyerOf(order),
    ...labels,
    ref: { merchantId, id: linkId },
    customerName: null,
    ...{ destination, publicUrl, now },
    ...(isPaid && { paidCents: amountCents }),
    ...(ip !== undefined && { visitor: { ip, places, retrySeconds: RETRY_SECONDS } }),
  });
}

async function createFromProject(tx: Tx, order: Creation): Promise<Session> {
  const { sale, publicUrl, expiresAt, now, isPaid } = order;
  const { merchantId, projectId, what, labels, amountCents } = sale;
  const project = await requireActiveProject(tx, { merchantId, id: projectId });
  const price = what.kind === 'paywall' ? await findPrice(tx, { merchantId, id: what.priceId }) : undefined;
  if (price && !isPaid) requireOnSale(price);
  // The lines read before may be outdated.
  if (what.kind === 'paywall' && !isPaid && !(await lockPaywall(tx, { merchantId, id: what.paywallId })))
    throw new AppError('PAYMENT_LINK_INACTIVE', { message: 'This is no longer sold.' });
  const lines = price ? await linesForAnyone(tx, project, price) : [lineOfAmount(amountCents, null)];
  if (!isPaid && amountOfLines(lines) !== amountCents) throw changed();
  return createCheckout(tx, {
    ...buyerOf(order),
    project,
    destination: isPaid
      ? sale.payTo
      : await requireDestination(tx, { merchantId, projectId }, order.destination),
    mode: price?.billingMode ?? 'one_time',
    origin: 'link',
    priceId: price?.id ?? null,
    creditAmount: price?.creditAmount ?? null,
    lines: price && isPaid ? await linesPaid(tx, project, price, amountCents) : lines,
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

/** If a limited offer is sold out, the order is created as canceled, and its money is listed with it. */
async function cancelIfSoldOut(
  tx: Tx,
  { sale, now }: Creation,
  linkId: string,
  session: Session,
): Promise<void> {
  const { merchantId } = sale;
  if (await isOversold(tx, { merchantId, id: linkId }, { now }))
    await cancelSession(tx, { merchantId, id: session.id }, now);
}

function changed(): AppError {
  const message =
    'The price or the seller’s address has changed since this was offered; ask for a new offer.';
  return new AppError('INVALID_STATE', { message, reason: OFFER_CHANGED });
}

const OFFER_CHANGED = 'offer_changed';

/** True if an order was refused because the offer has changed. */
export function isOfferChanged(error: unknown): error is AppError {
  return error instanceof AppError && error.reason === OFFER_CHANGED;
}
