/** Kinds of things a search can find, in the order in which a person most often means them. */
export const FOUND_TYPES = [
  'payment_intent',
  'customer',
  'invoice',
  'subscription',
  'checkout_session',
  'exception',
  'payment_link',
  'product',
  'terminal',
  'project',
  'webhook_delivery',
] as const;
export type FoundType = (typeof FOUND_TYPES)[number];

export interface Found {
  type: FoundType;
  id: string;
  title: string | null;
  detail: string | null;
  status: string | null;
  amountCents: bigint | null;
  createdAt: Date;
}
