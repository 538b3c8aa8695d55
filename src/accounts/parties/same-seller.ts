import { INVISIBLE } from '../../platform/lib/visible-text.ts';
import type { Seller } from './party.ts';

export type SellerIdentity = Pick<Seller, 'legalName' | 'country'>;

/** True if two names are of one legal seller: its country, and its name as a reader sees it. */
export function isSameSeller(one: SellerIdentity, two: SellerIdentity): boolean {
  return one.country === two.country && seenAs(one.legalName) === seenAs(two.legalName);
}

/** A name without what nobody tells apart: spaces, what is invisible, upper and lower case, and forms of one letter. */
function seenAs(name: string): string {
  const seen = name.normalize('NFKC').replace(/\s+/gu, '').replace(INVISIBLE, '');
  // In this order, because both forms of ß have one upper case only by way of the lower.
  return seen.toLowerCase().toUpperCase().normalize('NFKC');
}
