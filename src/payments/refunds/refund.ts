import {
  as,
  bigint,
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
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { addDays, addSeconds } from '../../platform/lib/clock.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import { type BaseUnits, baseUnitsToCents, type Cents, centsToBaseUnits } from '../../platform/lib/money.ts';

export const REFUND_STATUSES = [
  'awaiting_address',
  'ready',
  'processing',
  'succeeded',
  'canceled',
  'expired',
] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export const REFUND_REASONS = [
  'requested_by_customer',
  'duplicate',
  'fraudulent',
  'overpaid',
  'other',
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** Person who named the address: the merchant, the customer, or the customer by signing with the wallet that paid. */
export const ADDRESS_SOURCES = ['merchant', 'customer', 'payer'] as const;
export type AddressSource = (typeof ADDRESS_SOURCES)[number];

/** Outcome of the e-mail that asks the customer for an address. */
export const CLAIM_EMAILS = ['queued', 'sent', 'failed'] as const;
export type ClaimEmail = (typeof CLAIM_EMAILS)[number];

/** Money to be sent back, from whichever wallet the merchant signs with, to one address. */
export const refunds = table(
  'refunds',
  {
    merchantId: uuid,
    id: uuid,
    number: bigint,
    projectId: nullable(uuid),
    customerId: nullable(uuid),
    /** The payment whose received money it is; null for money that no payment was credited with. */
    paymentIntentId: nullable(uuid),
    invoiceId: nullable(uuid),
    exceptionId: nullable(uuid),
    status: oneOf(REFUND_STATUSES),
    amountCents: cents,
    /** Base units that have finally arrived at the address. */
    sentBaseUnits: withDefault(as<BaseUnits>(numeric)),
    reason: oneOf(REFUND_REASONS),
    note: nullable(text),
    metadata: withDefault(json<Metadata>()),
    address: nullable(text),
    addressSource: nullable(oneOf(ADDRESS_SOURCES)),
    /** Time of approval, from which on the address is frozen. */
    addressApprovedAt: nullable(timestamp),
    /** The wallet the payment came from, as far as it is known. */
    payerAddress: nullable(text),
    referenceAddress: text,
    notifyCustomer: boolean,
    revokeCredits: boolean,
    cancelSubscription: boolean,
    effectsDueAt: nullable(timestamp),
    txSignature: nullable(text),
    /** The next look-up of its reference. */
    checkAt: nullable(timestamp),
    sequence: withDefault(integer),
    preparedAt: nullable(timestamp),
    /** A transaction that was handed out should have landed by then; null once the chain shows that it no longer can. */
    preparedUntil: nullable(timestamp),
    /** The last transaction that was handed to the network. */
    sentSignature: nullable(text),
    /** Block past which it can no longer land; null until the chain was looked at after it was handed out. */
    lapsesAtHeight: nullable(bigint),
    /** The newest transaction under its reference that needs no second look. */
    checkedSignature: nullable(text),
    createdAt: timestamp,
    expiresAt: timestamp,
    succeededAt: nullable(timestamp),
    canceledAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);

export interface Refund extends RowOf<typeof refunds> {
  /** Null: nobody was asked by e-mail. */
  claimEmail: ClaimEmail | null;
  creditNoteId: string | null;
  creditNoteNumber: bigint | null;
}

/** Every move a refund can make. Money that arrives after all brings a canceled one back. */
export const TRANSITIONS: Record<RefundStatus, readonly RefundStatus[]> = {
  awaiting_address: ['ready', 'canceled', 'expired'],
  ready: ['processing', 'succeeded', 'canceled', 'expired'],
  processing: ['ready', 'succeeded'],
  canceled: ['succeeded'],
  expired: ['succeeded'],
  succeeded: [],
};

const LIFE_DAYS = 90;

export function expiryOf(createdAt: Date): Date {
  return addDays(createdAt, LIFE_DAYS);
}

/** Number as printed and as written into the memo of the transfer. */
export function refundNumber(number: bigint): string {
  return `RF-${number.toString().padStart(6, '0')}`;
}

/** Returns the base units still to be sent. */
export function dueBaseUnits({ amountCents, sentBaseUnits }: Refund): BaseUnits {
  const amount = centsToBaseUnits(amountCents);
  return sentBaseUnits >= amount ? 0n : amount - sentBaseUnits;
}

/** Nothing more is requested, though a transfer may still arrive. */
export function isOver({ status }: Refund): boolean {
  return status === 'succeeded' || status === 'canceled' || status === 'expired';
}

/** Returns the cents that a canceled refund had already sent; one or more become a separate refund. */
export function sentCents({ sentBaseUnits }: Refund): Cents {
  return baseUnitsToCents(sentBaseUnits);
}

/** Returns the part of the refundable money that the refund takes. */
export function reservedCents(refund: Refund): Cents {
  return refund.status === 'canceled' || refund.status === 'expired' ? 0n : refund.amountCents;
}

/** Time within which a transaction usually has landed or lapsed: 150 blocks take a minute. What counts are the blocks. */
const LANDS_SECONDS = 120;

export function landsUntil(preparedAt: Date): Date {
  return addSeconds(preparedAt, LANDS_SECONDS);
}

const SOONEST_SECONDS = 2;
const LATEST_SECONDS = 6 * 3600;
const LATEST_AFTER_END_SECONDS = 86_400;
/** Days after its end for which a refund is checked for money that was sent all the same. */
const WATCHED_DAYS_AFTER_END = 90;

/**
 * Returns the time of the next lookup of its reference: soon after something happened, ever more rarely later. A
 * merchant's own payout account is read all the time, and whatever it sends with the reference of a refund brings the
 * next lookup forward.
 */
export function nextCheckAt(refund: Refund, now: Date): Date | null {
  if (refund.address === null || refund.addressApprovedAt === null) return null;
  if (refund.status === 'processing') return addSeconds(now, 1);
  const began = refund.preparedAt ?? refund.addressApprovedAt;
  const lastChange = endOf(refund) ?? began;
  const ageSeconds = Math.max(0, (now.getTime() - Math.max(began.getTime(), lastChange.getTime())) / 1000);
  if (!isOver(refund)) return addSeconds(now, within(ageSeconds / 10, SOONEST_SECONDS, LATEST_SECONDS));
  if (ageSeconds > WATCHED_DAYS_AFTER_END * 86_400) return null;
  // Nothing is waited for: once when nothing that was signed before can land, then after as long again each time.
  return addSeconds(now, within(ageSeconds, LANDS_SECONDS, LATEST_AFTER_END_SECONDS));
}

const READ_AFTER_END_SECONDS = 3600;

/**
 * True if reading a refund triggers a lookup: the next scheduled one may be far off, and the reader may have sent the
 * money a moment ago.
 */
export function isLookedUpWhenRead(refund: Refund, now: Date): boolean {
  if (refund.status === 'ready') return true;
  const endedAt = endOf(refund);
  return (
    refund.addressApprovedAt !== null && endedAt !== null && addSeconds(endedAt, READ_AFTER_END_SECONDS) > now
  );
}

function within(seconds: number, least: number, most: number): number {
  return Math.min(Math.max(Math.round(seconds), least), most);
}

function endOf({ status, succeededAt, canceledAt, expiresAt }: Refund): Date | null {
  return status === 'expired' ? expiresAt : (succeededAt ?? canceledAt);
}

/** Reason that the ledger shows for account credit taken back for a refund. */
export function creditReasonOf({ number }: Pick<Refund, 'number'>): string {
  return `refund ${refundNumber(number)}`;
}
