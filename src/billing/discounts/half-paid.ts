import { addDays } from '../../platform/lib/clock.ts';

/** Since when a checkout must have begun that keeps what it holds because at least half was paid for it. */
export const halfPaidSince = (now: Date) => addDays(now, -1);

/**
 * True if a checkout keeps the place and the redemption that it holds, open or expired: for a day if at least half was paid for
 * it, and not unapplied. Less, as a cent that anybody can send, keeps nothing from others.
 */
export const isHalfPaid = (session: string, intent: string, since: string) => `
  (${session}.payment_status = 'underpaid' and ${session}.created_at > ${since} and ${session}.unapplied_at is null
   and ${intent}.received_base_units * 2 >= ${intent}.expected_amount_cents::numeric * 10000)`;
