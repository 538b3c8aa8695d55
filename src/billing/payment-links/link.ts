import {
  arrayOf,
  boolean,
  cents,
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
import { AppError } from '../../platform/lib/errors.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import type { OpenAmount } from './open-amount.ts';

export const LINK_STATUSES = ['active', 'inactive'] as const;

/** Reusable public ways to start a checkout at one price. */
export const paymentLinks = table(
  'payment_links',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    priceId: uuid,
    name: nullable(text),
    status: withDefault(oneOf(LINK_STATUSES)),
    publicToken: text,
    minCents: nullable(cents),
    maxCents: nullable(cents),
    suggestedCents: withDefault(arrayOf(cents)),
    /** Tips that the checkout page offers; empty if none can be added. */
    tipPercents: withDefault(arrayOf(integer)),
    /** True if buyers can enter a promotion code on the checkout page. */
    allowPromotionCodes: withDefault(boolean),
    requireClientReferenceId: boolean,
    collectCustomerEmail: boolean,
    successUrl: nullable(text),
    cancelUrl: nullable(text),
    expiresAt: nullable(timestamp),
    maxPayments: nullable(integer),
    /** Sessions of this link that were paid. */
    paymentsCount: withDefault(integer),
    /** Copied to every session of the link. */
    metadata: withDefault(json<Metadata>()),
    createdAt: timestamp,
    /** Time at which it closed automatically: it expired, or reached its maximum number of payments. */
    endedAt: nullable(timestamp),
    /** A deleted link is found only for payments that were made before. */
    deletedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type LinkRow = RowOf<typeof paymentLinks>;

export interface PaymentLink extends Omit<LinkRow, keyof OpenAmount> {
  productId: string;
  /** Limits of the amount that buyers choose; null means the price is fixed. */
  openAmount: OpenAmount | null;
}

/** The columns of an open amount. */
export function amountColumns(openAmount: OpenAmount | null): Pick<LinkRow, keyof OpenAmount> {
  return openAmount ?? { minCents: null, maxCents: null, suggestedCents: [] };
}

/** Returns the reason why a link does not sell, if there is one. */
export function whyClosed(
  link: PaymentLink,
  { isArchived, price, now }: { isArchived: boolean; price: CatalogPrice; now: Date },
): string | undefined {
  if (link.status === 'inactive') return 'This payment link is not active.';
  if (isOver(link, now)) return 'This payment link has ended.';
  if (isArchived || !price.isActive || !price.productIsActive) return 'This is no longer sold.';
  return undefined;
}

/** It has expired, or reached its maximum number of payments. */
export function isOver({ expiresAt, maxPayments, paymentsCount }: PaymentLink, now: Date): boolean {
  return (expiresAt !== null && expiresAt <= now) || (maxPayments !== null && paymentsCount >= maxPayments);
}

/** A checkout of a limited link keeps one of its payments from everybody else, so it may not take a day. */
export const HOLD_MS = 3_600_000;

/** Refuses one more checkout of a link whose remaining payments are all being made. */
export function requireLeft({ maxPayments, paymentsCount }: PaymentLink, openCount: number): void {
  if (maxPayments === null || paymentsCount + openCount < maxPayments) return;
  throw new AppError('INVALID_STATE', {
    message:
      'All that is left of this is being bought right now. What is not paid for is offered again, usually within the hour.',
    reason: 'link_held',
  });
}
