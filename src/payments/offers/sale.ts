import { isSolanaAddress } from '../../platform/lib/base58.ts';
import type { BaseUnits, Cents } from '../../platform/lib/money.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';

/** Something that can be bought right now, as our own rows say it. Nothing of an order exists before it is paid. */
export interface Sale {
  merchantId: string;
  projectId: string;
  /** Place of the sale: `link:<token>` or `paywall:<token>`. Seals and keys are valid only there. */
  route: string;
  what:
    | { kind: 'link'; linkId: string }
    | { kind: 'paywall'; paywallId: string; priceId: string }
    | { kind: 'amount' };
  amountCents: Cents;
  /** Owner of the token account that receives. */
  payTo: string;
  labels: SaleLabels;
}

/** Details that buyers may add about themselves if a link asks for them. */
export interface SaleLabels {
  clientReferenceId: string | null;
  customerEmail: string | null;
}

export const NO_LABELS: SaleLabels = { clientReferenceId: null, customerEmail: null };

export function amountOf({ amountCents }: Pick<Sale, 'amountCents'>): BaseUnits {
  return centsToBaseUnits(amountCents);
}

/** Ids that an offer promises to the order that it becomes. */
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
