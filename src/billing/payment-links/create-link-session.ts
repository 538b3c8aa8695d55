import { lockProjectsForUse } from '../../accounts/projects/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { Visitor } from '../../platform/limits/visitor-places.ts';
import { findPrice } from '../catalog/queries.ts';
import { BILLING_REASONS, createCheckout } from '../checkout-sessions/create-checkout.ts';
import type { OpenSession, PromisedIntent } from '../checkout-sessions/create-session-with-invoice.ts';
import { requireDestination } from '../checkout-sessions/destination.ts';
import { linesForAnyone, linesPaid } from '../checkout-sessions/lines-for-anyone.ts';
import { SESSION_LIFE_MS, type Session } from '../checkout-sessions/session.ts';
import { withTrial } from '../checkout-sessions/session-trial.ts';
import { HOLD_MS, type PaymentLink, requireLeft, whyClosed } from './link.ts';
import { amountOf } from './open-amount.ts';
import { countHeld, listUnpaidAmong } from './place-queries.ts';
import { lockCount, lockLinkForSale } from './queries.ts';

export interface CheckOut {
  ref: Ref;
  clientReferenceId: string | null;
  customerEmail: string | null;
  customerName: string | null;
  /** Amount the buyer chose, if the link leaves it to them. */
  amountCents?: Cents | null;
  /** True if it may complete without a payment, in the same transaction. */
  hasTrial?: boolean;
  /** The buyer has had the trial. */
  isTrialOver?: boolean;
  /** Identity that the buyer has proved. */
  externalCustomerId?: string;
  /** Ids promised for the intent before it existed. */
  promised?: PromisedIntent;
  /** The payment for an offer of this amount is on chain: the order is sold as offered, whatever has changed since. */
  paidCents?: Cents;
  /** Anyone who opens it, unless its payment has arrived. */
  visitor?: Visitor;
  /** Payout address as looked up before; it is watched. */
  destination: string | undefined;
  publicUrl: string;
  now: Date;
}

/**
 * An anonymous buyer confirms: the session takes everything but four labels from the link and its price. Nothing
 * lasting is created until they pay: no invoice number, no customer, no subscription. A link that may sell so many has at
 * most as many checkouts, open or paid.
 */
export async function checkOut(tx: Tx, input: CheckOut): Promise<Session> {
  const { ref, now, clientReferenceId, customerEmail, customerName, paidCents } = input;
  const { merchantId } = ref;
  const isPaid = paidCents !== undefined;
  const link = await lockLinkForSale(tx, ref, { isCounted: input.hasTrial ?? false, isDeletedFound: isPaid });
  if (!link) throw new AppError('NOT_FOUND');
  const { projectId } = link;
  const project = (await lockProjectsForUse(tx, [{ merchantId, id: projectId }]))[0]!;
  const price = (await findPrice(tx, { merchantId, id: link.priceId }))!;
  const isArchived = project.archivedAt !== null;
  const closed = whyClosed(link, { isArchived, price, now });
  // Nothing is sold in an archived project, not even what was paid before.
  if (closed && (!isPaid || isArchived)) throw new AppError('PAYMENT_LINK_INACTIVE', { message: closed });
  if (!isPaid) requireLabels(link, input);
  const sold = { ...price, unitAmountCents: amountOf(link.openAmount, price, input.amountCents ?? null) };
  // A program that pays for what it was offered has no trial.
  const hasTrial = price.trialDays !== null && input.promised === undefined && !input.isTrialOver;
  if (hasTrial && customerEmail === null) {
    throw badField('customerEmail', 'is required to start a trial');
  }
  const destination =
    paidCents === undefined
      ? await requireDestination(tx, { merchantId, projectId }, input.destination)
      : input.destination!;
  const isLimited = link.maxPayments !== null;
  if (isLimited && paidCents === undefined) await holdOne(tx, link, input);
  const lifeMs = isLimited ? HOLD_MS : SESSION_LIFE_MS;
  const open: OpenSession = {
    project,
    destination,
    mode: price.billingMode,
    billingReason: BILLING_REASONS[price.billingMode],
    origin: 'link',
    priceId: price.id,
    creditAmount: price.creditAmount,
    lines: await (paidCents === undefined
      ? linesForAnyone(tx, project, sold)
      : linesPaid(tx, project, sold, paidCents)),
    allowPromotionCodes: link.allowPromotionCodes,
    tipPercents: link.tipPercents,
    // Known when their money arrives.
    customer: undefined,
    ...(input.externalCustomerId && { externalCustomerId: input.externalCustomerId }),
    ...(input.promised && { promised: input.promised }),
    customerEmail,
    customerName,
    merchantReference: null,
    clientReferenceId,
    metadata: link.metadata,
    paymentLinkId: link.id,
    successUrl: link.successUrl,
    cancelUrl: link.cancelUrl,
    publicUrl: input.publicUrl,
    expiresAt: new Date(now.getTime() + lifeMs),
    now,
  };
  const session = await createCheckout(tx, hasTrial ? await withTrial(tx, open, price, null) : open);
  // One that is rolled back is found nowhere, and so counts for nothing.
  if (isLimited && input.visitor) input.visitor.places.add(link, input.visitor.ip, session.id);
  return session;
}

function requireLabels(link: PaymentLink, { clientReferenceId, customerEmail }: CheckOut): void {
  if (link.requireClientReferenceId && clientReferenceId === null)
    throw badField('clientReferenceId', 'is required by this payment link');
  if (link.collectCustomerEmail && customerEmail === null)
    throw badField('customerEmail', 'is required by this payment link');
}

/** Holds one of a link's limited number for an open checkout; it is given back if the checkout closes unpaid. */
async function holdOne(tx: Tx, link: PaymentLink, { visitor, now }: CheckOut): Promise<void> {
  await lockCount(tx, link);
  requireLeft(link, await countHeld(tx, link, now));
  const limited = { ...link, total: link.maxPayments!, listUnpaid: listUnpaidAmong };
  await visitor?.places.require(tx, limited, visitor);
}

/**
 * True if more are being bought than the limit allows, or would be besides one that has given its place back. Nobody can
 * add another until the transaction ends.
 */
export async function isOversold(
  tx: Tx,
  ref: Ref,
  { now, besides }: { now: Date; besides?: { sessionId: string } },
): Promise<boolean> {
  const link = await lockLinkForSale(tx, ref, { isCounted: besides !== undefined, isDeletedFound: true });
  if (!link || link.maxPayments === null) return false;
  await lockCount(tx, link);
  const held = link.paymentsCount + (await countHeld(tx, link, now, besides));
  return besides ? held >= link.maxPayments : held > link.maxPayments;
}
