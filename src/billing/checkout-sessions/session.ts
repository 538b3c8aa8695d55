import { monthOf } from '../../accounts/projects/volume.ts';
import type { IntentStatus } from '../../intents/intent.ts';
import {
  arrayOf,
  bigint,
  boolean,
  cents,
  date,
  integer,
  json,
  nullable,
  oneOf,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { Redemption } from '../discounts/discount.ts';
import type { AppliedDiscount, InvoiceLine } from '../invoices/invoice.ts';

export const MODES = ['one_time', 'balance_top_up', 'subscription'] as const;
export type Mode = (typeof MODES)[number];

export const SESSION_STATUSES = ['open', 'complete', 'expired', 'canceled'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const PAYMENT_STATUSES = ['unpaid', 'processing', 'underpaid', 'paid'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Requests for payment, each with its own page: one intent, one invoice, one deadline. */
export const checkoutSessions = table(
  'checkout_sessions',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    mode: oneOf(MODES),
    /** Creator of the session: a key, an anonymous buyer with a link, or the renewal schedule. */
    origin: oneOf(['key', 'link', 'renewal']),
    status: withDefault(oneOf(SESSION_STATUSES)),
    paymentStatus: withDefault(oneOf(PAYMENT_STATUSES)),
    priceId: nullable(uuid),
    amountCents: cents,
    /** Tips that the page offers; empty if none can be added. */
    tipPercents: withDefault(arrayOf(integer)),
    /** The tip, which is the last line. */
    tipCents: withDefault(cents),
    /** Credits of a top-up, as its price said when it was bought. */
    creditAmount: nullable(bigint),
    /** Days for which the subscription is free at first. */
    trialDays: nullable(integer),
    /** True if the customer can enter a promotion code on its page. */
    allowPromotionCodes: withDefault(boolean),
    customerId: nullable(uuid),
    externalCustomerId: nullable(text),
    customerEmail: nullable(text),
    customerName: nullable(text),
    merchantReference: nullable(text),
    clientReferenceId: nullable(text),
    metadata: withDefault(json<Metadata>()),
    paymentLinkId: nullable(uuid),
    paymentIntentId: uuid,
    subscriptionId: nullable(uuid),
    token: text,
    checkoutUrl: text,
    successUrl: nullable(text),
    cancelUrl: nullable(text),
    /** The month whose volume it counts toward. */
    volumeMonth: nullable(date),
    /** Amount it counts there, if not its whole amount. */
    volumeCents: nullable(cents),
    sequence: withDefault(integer),
    createdAt: timestamp,
    expiresAt: timestamp,
    completedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);

/** Session with what its invoice and its intent know of it. */
export interface Session extends RowOf<typeof checkoutSessions> {
  /** Lines of its invoice. */
  lines: InvoiceLine[];
  discount: AppliedDiscount | null;
  discountCents: Cents;
  /** All tax, contained or added. */
  taxCents: Cents;
  amountReceivedCents: Cents;
  invoiceId: string;
  /** Ordering key of its events: its subscription's, or its own. */
  orderingKey: string;
}

/** Returns the quantity of the plan that a session starts or renews: that line is always the first. */
export function seatsOf(lines: readonly InvoiceLine[]): number {
  return Number(lines[0]!.quantity);
}

/** The customer whose discount it is. */
export function redemptionOf(session: Session): Redemption {
  return {
    merchantId: session.merchantId,
    discountId: session.discount!.id,
    sessionId: session.id,
    customerId: session.customerId,
    email: session.customerEmail,
    isTyped: session.origin === 'link',
    createdAt: session.createdAt,
  };
}

/** Time that a buyer has to pay. */
export const SESSION_LIFE_MS = DAY_MS;

/** Every legal transition. An expired session is still completed by a late payment. */
export const TRANSITIONS: Record<SessionStatus, readonly SessionStatus[]> = {
  open: ['complete', 'expired', 'canceled'],
  expired: ['complete', 'canceled'],
  complete: [],
  canceled: [],
};

/** The payment status, derived from the intent behind the session. */
export function paymentStatusOf(intent: IntentStatus): PaymentStatus {
  switch (intent) {
    case 'succeeded':
      return 'paid';
    case 'processing':
    case 'underpaid':
      return intent;
    default:
      return 'unpaid';
  }
}

/** A session follows its intent: paid in full it is complete, even when its deadline has passed. */
export function followPayment(session: Session, intent: IntentStatus, now: Date): Session {
  const paymentStatus = paymentStatusOf(intent);
  const isPaid = paymentStatus === 'paid';
  return withVolume(
    {
      ...session,
      paymentStatus,
      status: isPaid ? 'complete' : session.status,
      completedAt: isPaid ? (session.completedAt ?? now) : null,
    },
    now,
  );
}

/**
 * The month it counts toward: when paid, that of the payment; while open, that of its creation if a key created it.
 * An anonymous session counts once money is seen, and only as much as has arrived, so that neither opening pages nor
 * paying a cent can use up a merchant's limit.
 */
export function withVolume(session: Session, now: Date): Session {
  const isPart =
    session.status === 'open' && session.origin !== 'key' && session.paymentStatus === 'underpaid';
  return {
    ...session,
    volumeMonth: volumeMonth(session, now),
    volumeCents: isPart ? session.amountReceivedCents : null,
  };
}

/** Returns the amount it counts toward its month. */
export function countedCents({ volumeCents, amountCents }: Session): Cents {
  return volumeCents ?? amountCents;
}

function volumeMonth(session: Session, now: Date): string | null {
  switch (session.status) {
    case 'complete':
      return monthOf(session.completedAt!);
    case 'open':
      if (session.origin === 'key') return monthOf(session.createdAt);
      return session.paymentStatus === 'unpaid' ? null : (session.volumeMonth ?? monthOf(now));
    default:
      return null;
  }
}
