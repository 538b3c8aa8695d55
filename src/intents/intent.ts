import { PAYABLE_DAYS_AFTER_EXPIRY } from '../chain/solana/watched-account.ts';
import {
  as,
  boolean,
  cents,
  integer,
  json,
  nullable,
  numeric,
  oneOf,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../platform/db/columns.ts';
import { type RowOf, table } from '../platform/db/table.ts';
import { DAY_MS } from '../platform/lib/clock.ts';
import type { Metadata } from '../platform/lib/metadata.ts';
import { type BaseUnits, baseUnitsToCents, type Cents, centsToBaseUnits } from '../platform/lib/money.ts';
import { isSeen } from './seen.ts';

export const STATUSES = [
  'pending',
  'processing',
  'underpaid',
  'succeeded',
  'failed',
  'expired',
  'canceled',
] as const;
export type IntentStatus = (typeof STATUSES)[number];

/** Statuses that an intent has while no payment is in sight. */
const WITHOUT_PAYMENT = ['pending', 'failed', 'expired'] as const;

/** How a payment came: signed on our page, sent from anywhere, or by a program. */
export const PAID_VIAS = ['wallet', 'transfer', 'x402', 'mpp'] as const;
export type PaidVia = (typeof PAID_VIAS)[number];

/** The longest order reference an intent carries, in characters. */
export const MAX_ORDER_ID_LENGTH = 128;

/** The order id of an intent: null for a reference that is too long. Session and invoice still have that one. */
export function orderIdOf(merchantReference: string | null): string | null {
  const isTooLong = merchantReference !== null && [...merchantReference].length > MAX_ORDER_ID_LENGTH;
  return isTooLong ? null : merchantReference;
}

/**
 * Requests for money: what is expected, where it should arrive, and what has. When their references are checked is known
 * only to the statements that claim those checks.
 */
export const paymentIntents = table(
  'payment_intents',
  {
    merchantId: uuid,
    id: uuid,
    orderId: nullable(text),
    terminalId: nullable(uuid),
    /** The ordering key of its session, whose events its own follow. Null: it has no session. */
    sessionOrderingKey: nullable(uuid),
    metadata: withDefault(json<Metadata>()),
    expectedAmountCents: cents,
    receivedBaseUnits: withDefault(as<BaseUnits>(numeric)),
    /** The amount the merchant has waived: an intent counts as paid with that much less. */
    waivedBaseUnits: withDefault(as<BaseUnits>(numeric)),
    referenceAddress: text,
    destinationAddress: text,
    status: withDefault(oneOf(STATUSES)),
    /** Status when no payment is in sight, to which it falls back when a confirmed one vanishes. */
    statusWithoutPayment: withDefault(oneOf(WITHOUT_PAYMENT)),
    /** A part payment is promised back, or was sent back: nothing more is due, and nothing more can complete it. */
    isRefunding: withDefault(boolean),
    /** Its order was canceled when money had come or was on its way: what else arrives is treated as for a canceled one. */
    isWithdrawn: withDefault(boolean),
    txSignature: nullable(text),
    /** How the transaction that it names came, and from which wallet if from one. */
    paidVia: nullable(oneOf(PAID_VIAS)),
    payerAddress: nullable(text),
    /** How many changes it has been through; each has one event. */
    sequence: withDefault(integer),
    createdAt: timestamp,
    expiresAt: timestamp,
    succeededAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type Intent = RowOf<typeof paymentIntents>;

/** Every legal transition. `succeeded` and `canceled` are final. */
export const TRANSITIONS: Record<IntentStatus, readonly IntentStatus[]> = {
  pending: ['processing', 'succeeded', 'underpaid', 'failed', 'expired', 'canceled'],
  failed: ['processing', 'succeeded', 'underpaid', 'expired', 'canceled'],
  processing: ['processing', 'succeeded', 'underpaid', 'pending', 'failed', 'expired'],
  underpaid: ['processing', 'succeeded', 'underpaid'],
  expired: ['processing', 'succeeded', 'underpaid', 'canceled'],
  succeeded: [],
  canceled: [],
};

/** Only an intent that nobody has paid a cent toward can be ended: money that was seen is never turned away. */
export function isUnseen(intent: Intent): boolean {
  return intent.status === 'pending' || intent.status === 'failed';
}

/** Decides what a new intent on the same terminal does to the newest one there. */
export function whenReplaced(current: Intent, now: Date): 'cancel' | 'busy' | 'leave' {
  if (isUnseen(current)) return 'cancel';
  if (current.status === 'processing') return 'busy';
  if (current.status === 'underpaid' && now < current.expiresAt) return 'busy';
  return 'leave';
}

/**
 * The money decides the status: final money first, then confirmed money, then what the intent was before any arrived.
 * A late transfer still counts, because the customer's money has moved.
 */
export function statusFromMoney(intent: Intent, seenBaseUnits: BaseUnits): IntentStatus {
  if (intent.status === 'succeeded' || intent.status === 'canceled') return intent.status;
  const expected = centsToBaseUnits(intent.expectedAmountCents);
  if (intent.receivedBaseUnits >= expected) return 'succeeded';
  if (seenBaseUnits > 0n && intent.receivedBaseUnits + seenBaseUnits >= expected) return 'processing';
  return isSeen(intent.receivedBaseUnits) ? 'underpaid' : intent.statusWithoutPayment;
}

/** Its order was canceled, whether or not money had come. */
export function isCanceled({ status, isWithdrawn }: Intent): boolean {
  return status === 'canceled' || (isWithdrawn && status !== 'succeeded');
}

/** Every intent that was not canceled, or whose part payment goes back, stays payable for 30 days after it expired. */
export function isPayableAt(intent: Intent, blockTime: Date): boolean {
  const untilMs = intent.expiresAt.getTime() + PAYABLE_DAYS_AFTER_EXPIRY * DAY_MS;
  const isClosed = intent.isRefunding && intent.status !== 'succeeded';
  return !isCanceled(intent) && !isClosed && blockTime.getTime() <= untilMs;
}

/** Block times are whole seconds and may lag: only what is clearly older than the intent is not for it. */
export function isOlderThan(intent: Intent, blockTime: Date): boolean {
  return blockTime.getTime() < intent.createdAt.getTime() - BLOCK_TIME_SLACK_MS;
}

const BLOCK_TIME_SLACK_MS = 2 * 60_000;

/** Something is still to be paid, and can be: whatever offers a payment asks this first. */
export function isWaiting(intent: Intent, now: Date): boolean {
  const { status } = intent;
  return status !== 'processing' && status !== 'succeeded' && isPayableAt(intent, now);
}

/** It is waiting, and its deadline has not passed without any money. */
export function isOffered(intent: Intent, now: Date): boolean {
  return intent.status !== 'expired' && isWaiting(intent, now);
}

/** Why nothing can be paid, in a sentence. */
export function whyNotPayable(intent: Intent): string {
  if (isCanceled(intent)) return 'This payment is canceled.';
  if (intent.isRefunding) return 'What was paid here is being refunded.';
  const isTooLate = isUnseen(intent) || intent.status === 'underpaid';
  return isTooLate ? 'It is too late to pay this.' : `This payment ${stateOf(intent)}.`;
}

/** `is processing`, `has succeeded`. */
export function stateOf({ status }: Pick<Intent, 'status'>): string {
  return `${['succeeded', 'failed', 'expired'].includes(status) ? 'has' : 'is'} ${status}`;
}

/** The amount that must arrive for it to be paid: the expected amount minus what was waived. */
export function requiredBaseUnits(intent: Intent): BaseUnits {
  return centsToBaseUnits(intent.expectedAmountCents) - intent.waivedBaseUnits;
}

export function dueBaseUnits(intent: Intent): BaseUnits {
  return requiredBaseUnits(intent) - intent.receivedBaseUnits;
}

/** Rounded up, as what was received is rounded down: together they are the expected amount. */
export function waivedCents({ expectedAmountCents, waivedBaseUnits }: Intent): Cents {
  if (waivedBaseUnits === 0n) return 0n;
  return expectedAmountCents - baseUnitsToCents(centsToBaseUnits(expectedAmountCents) - waivedBaseUnits);
}

export function receivedCents(intent: Intent): Cents {
  return baseUnitsToCents(intent.receivedBaseUnits);
}

/** The event's name for a move to `status`. */
export function eventFor(status: IntentStatus): string {
  switch (status) {
    case 'succeeded':
    case 'underpaid':
    case 'failed':
    case 'expired':
      return `payment_intent.${status}`;
    default:
      return 'payment_intent.updated';
  }
}
