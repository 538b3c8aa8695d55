import { isSolanaAddress } from '../../platform/lib/base58.ts';
import type { BaseUnits, Cents } from '../../platform/lib/money.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';

/** Something that can be bought right now, as our own rows say it. Nothing of an order exists before it is paid. */
export interface Sale {
  merchantId: string;
  projectId: string;
  /** Where it is sold: `link:<token>`, `paywall:<token>`. Seals and keys are valid at one of them only. */
  route: string;
  what:
    | { kind: 'link'; linkId: string }
    | { kind: 'paywall'; paywallId: string; priceId: string }
    | { kind: 'amount' };
  amountCents: Cents;
  /** Whose token account receives. */
  payTo: string;
  labels: SaleLabels;
}

/** What a buyer may say about themselves where a link asks for it. */
export interface SaleLabels {
  clientReferenceId: string | null;
  customerEmail: string | null;
}

export const NO_LABELS: SaleLabels = { clientReferenceId: null, customerEmail: null };

export function amountOf({ amountCents }: Pick<Sale, 'amountCents'>): BaseUnits {
  return centsToBaseUnits(amountCents);
}

/** What an offer promises to the order that it becomes. */
export interface PromisedIds {
  intentId: string;
  /** Public: the payment's memo names it. */
  reference: string;
}

const PREFIX = 'solana:';

/** The buyer of an order that an address signed for, or that a transaction of several has paid. */
export function customerIdOf(payer: string): string {
  return `${PREFIX}${payer}`;
}

/** The address that signed for an order, if its buyer is known by one. */
export function payerOfCustomer(customerId: string | null): string | undefined {
  const payer = customerId?.startsWith(PREFIX) ? customerId.slice(PREFIX.length) : '';
  return isSolanaAddress(payer) ? payer : undefined;
}
