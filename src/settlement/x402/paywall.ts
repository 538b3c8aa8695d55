import type { SettleAt } from './parts.ts';

export const SETTLE_AT = ['confirmed', 'finalized'] as const satisfies readonly SettleAt[];

/** A hosted URL that sells one price to programs. */
export interface Paywall {
  id: string;
  merchantId: string;
  projectId: string;
  priceId: string;
  token: string;
  /** URL of what is sold, if that is not the paywall itself. */
  resourceUrl: string | null;
  description: string;
  mimeType: string;
  /** Null: decided by the amount. */
  settleAt: SettleAt | null;
  createdAt: Date;
}
