import { PAYABLE_DAYS_AFTER_EXPIRY } from '../../chain/solana/watched-account.ts';
import { addDays } from '../../platform/lib/clock.ts';
import type { Invoice } from './invoice.ts';

/** The parts of a checkout session that decide it. */
export interface PayableSession {
  status: string;
  paymentStatus: string;
  expiresAt: Date;
}

/**
 * True if a customer should be asked to pay a session now. A renewal stays payable for 30 days after its deadline,
 * because paying it restores the subscription; so does the rest of a partial payment. A plan change must be paid in
 * time, and anything else is not offered after its deadline, though a late payment still counts.
 */
export function isPayable(
  session: PayableSession,
  { billingReason }: Pick<Invoice, 'billingReason'>,
  now: Date,
): boolean {
  const { status, paymentStatus, expiresAt } = session;
  if (status !== 'open' && status !== 'expired') return false;
  if (paymentStatus !== 'unpaid' && paymentStatus !== 'underpaid') return false;
  if (now < expiresAt) return status === 'open';
  if (billingReason === 'subscription_change') return false;
  return (isRenewal({ billingReason }) || paymentStatus === 'underpaid') && now <= payableUntil(session);
}

export function isRenewal({ billingReason }: Pick<Invoice, 'billingReason'>): boolean {
  return billingReason === 'subscription_cycle';
}

/** The last moment at which a late payment counts. */
export function payableUntil({ expiresAt }: Pick<PayableSession, 'expiresAt'>): Date {
  return addDays(expiresAt, PAYABLE_DAYS_AFTER_EXPIRY);
}
