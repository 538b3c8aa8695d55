import type { BaseUnits } from '../lib/money.ts';

export const EXCEPTION_KINDS = [
  'unmatched',
  'ambiguous',
  'wrong_mint',
  'canceled',
  'late',
  'surplus',
  'duplicate_order',
  'stray',
] as const;
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

export const EXCEPTION_STATUSES = ['open', 'linked', 'returned'] as const;

/** Money that needs a person to look at it. No dollar that arrives stays unexplained. */
export interface PaymentException {
  id: string;
  merchantId: string;
  kind: ExceptionKind;
  status: (typeof EXCEPTION_STATUSES)[number];
  signature: string;
  destination: string;
  mint: string;
  baseUnits: BaseUnits;
  /** The intent it was meant for, or is too much for. */
  intentId: string | null;
  /** The intent a person gave it to. */
  linkedIntentId: string | null;
  /** The account credit it became, until a person decides otherwise. */
  postingId: string | null;
  note: string | null;
  createdAt: Date;
  resolvedAt: Date | null;
}

/** Money of the right kind that no intent has been credited with. A surplus or a part payment has been: it can only go back. */
export function isLinkable({ kind }: PaymentException): boolean {
  return kind === 'unmatched' || kind === 'ambiguous' || kind === 'canceled' || kind === 'late';
}
