import type { Buyer, Seller } from '../../accounts/parties/party.ts';
import { taxNotes } from '../pricing/tax-notes.ts';
import type { InvoiceLine, InvoiceTax } from './invoice.ts';

/** A customer, as far as an invoice says who they are. */
export interface KnownBuyer extends Omit<Buyer, 'taxIds'> {
  taxIds: readonly Buyer['taxIds'][number][];
  language: string | null;
}

/** Facts that an invoice keeps about seller and buyer; null if neither a seller is set nor tax charged. */
export function describeParties(
  seller: Seller | null,
  buyer: KnownBuyer | null,
  lines: readonly InvoiceLine[],
): InvoiceTax | null {
  const taxes = lines.map(({ tax }) => tax);
  if (seller === null && taxes.every((tax) => tax === null)) return null;
  return {
    seller,
    buyer: buyer && {
      name: buyer.name,
      email: buyer.email,
      address: buyer.address,
      country: buyer.country,
      isBusiness: buyer.isBusiness,
      taxIds: buyer.taxIds.map(({ type, value }) => ({ type, value })),
    },
    notes: taxNotes(taxes, buyer?.language ?? null),
  };
}
