/** Kinds of things a search can find, in the order in which a person most often means them. */
export const HIT_TYPES = [
  'payment_intent',
  'customer',
  'invoice',
  'subscription',
  'refund',
  'checkout_session',
  'exception',
  'payment_link',
  'product',
  'terminal',
  'project',
  'webhook_delivery',
] as const;
export type HitType = (typeof HIT_TYPES)[number];

export interface Found {
  type: HitType;
  id: string;
  title: string | null;
  detail: string | null;
  status: string | null;
  amountCents: bigint | null;
  createdAt: Date;
}
