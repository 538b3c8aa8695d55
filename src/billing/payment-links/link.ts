import type { CatalogPrice } from '../../accounts/catalog/price.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { OpenAmount } from './open-amount.ts';

export const LINK_STATUSES = ['active', 'inactive'] as const;

/** A reusable public way to start a checkout at one price. */
export interface PaymentLink {
  id: string;
  merchantId: string;
  projectId: string;
  productId: string;
  priceId: string;
  name: string | null;
  status: (typeof LINK_STATUSES)[number];
  publicToken: string;
  requireClientReferenceId: boolean;
  collectCustomerEmail: boolean;
  /** True if buyers can enter a promotion code on the checkout page. */
  allowPromotionCodes: boolean;
  /** Tips that the checkout page offers; empty if none can be added. */
  tipPercents: number[];
  successUrl: string | null;
  cancelUrl: string | null;
  /** Copied to every session of the link. */
  metadata: Metadata;
  expiresAt: Date | null;
  maxPayments: number | null;
  /** Limits of the amount that buyers choose; null means the price is fixed. */
  openAmount: OpenAmount | null;
  /** Sessions of this link that were paid. */
  paymentsCount: number;
  createdAt: Date;
  /** Time at which it closed automatically: it expired, or reached its maximum number of payments. */
  endedAt: Date | null;
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
