import { isInEu } from '../../accounts/parties/country.ts';
import type { Buyer, Seller, TaxId } from '../../accounts/parties/party.ts';
import type { TaxBehavior, TaxRate } from '../tax-rates/tax-rate.ts';

/** A rate as it is copied to what it is charged on: whatever happens to the rate, an invoice stays as it is. */
export interface LineTax {
  /** Null where a rule of law decided and not a rate of the project. */
  taxRateId: string | null;
  name: string;
  /** Millionths: 190000 is 19 %. */
  percentPpm: number;
  country: string;
  category: TaxRate['category'];
  behavior: Exclude<TaxBehavior, 'none'>;
}

/** Tax settings of a price, or of an item without one. */
export interface TaxTerms {
  taxBehavior: TaxBehavior;
  /** Null: the default of the buyer's country. */
  taxRateId: string | null;
}

export const UNTAXED: TaxTerms = { taxBehavior: 'none', taxRateId: null };

/** Seller and buyer, and the rates that the terms can mean. */
export interface TaxParties {
  seller: Pick<Seller, 'country'> | null;
  buyer: Pick<Buyer, 'country' | 'isBusiness' | 'taxIds'> | null;
  rates: readonly Pick<TaxRate, 'id' | 'name' | 'percentPpm' | 'country' | 'category' | 'isDefault'>[];
}

/**
 * The tax of one thing that is sold: its own rate, or the default of the buyer's country, or the seller's within the
 * EU. A business in another country of the EU accounts for it. Null: none is charged.
 */
export function decideTax(terms: TaxTerms, parties: TaxParties): LineTax | null {
  const { taxBehavior: behavior } = terms;
  if (behavior === 'none') return null;
  const rate = rateOf(terms, parties);
  if (isReverseCharged(parties) && (!rate || rate.category === 'S')) {
    const country = parties.buyer!.country!;
    const nothing = { percentPpm: 0, behavior: 'exclusive' } as const;
    return { taxRateId: null, name: 'Reverse charge', country, category: 'AE', ...nothing };
  }
  if (!rate) return null;
  const { id: taxRateId, name, percentPpm, country, category } = rate;
  return { taxRateId, name, percentPpm, country, category, behavior };
}

function rateOf({ taxRateId }: TaxTerms, { seller, buyer, rates }: TaxParties) {
  if (taxRateId !== null) return rates.find(({ id }) => id === taxRateId);
  const defaultOf = (country: string | null) =>
    rates.find((rate) => rate.isDefault && rate.country === country);
  const home = seller?.country ?? null;
  const country = buyer?.country ?? home;
  const isAtHome = country === home || (isInEu(country) && isInEu(home));
  return defaultOf(country) ?? (isAtHome ? defaultOf(home) : undefined);
}

function isReverseCharged({ seller, buyer }: TaxParties): boolean {
  if (!seller || !buyer?.isBusiness || buyer.country === null || buyer.country === seller.country)
    return false;
  return isInEu(seller.country) && isInEu(buyer.country) && buyer.taxIds.some(isOf(buyer.country));
}

/** Greece is EL in its VAT numbers. */
function isOf(country: string): (taxId: TaxId) => boolean {
  const prefix = country === 'GR' ? 'EL' : country;
  return ({ type, value }) => type === 'eu_vat' && value.startsWith(prefix);
}
