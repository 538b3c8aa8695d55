import { requireCountry } from '../parties/country.ts';
import {
  type AddressInput,
  type CustomerTaxIdInput,
  readAddress,
  readCustomerTaxIds,
} from '../parties/read-party.ts';
import type { TaxedAs } from './customer.ts';

export interface TaxedAsInput {
  address?: AddressInput | null | undefined;
  country?: string | null | undefined;
  isBusiness?: boolean | undefined;
  taxIds?: CustomerTaxIdInput[] | undefined;
}

/** Replaces what was known with what is given; the rest stays. A wrong country or tax id is refused. */
export async function readTaxedAs(before: TaxedAs, input: TaxedAsInput): Promise<TaxedAs> {
  const { address, country, isBusiness, taxIds } = input;
  return {
    address: address ? readAddress(address) : address === null ? null : before.address,
    country: country ? requireCountry('country', country) : country === null ? null : before.country,
    isBusiness: isBusiness ?? before.isBusiness,
    taxIds: taxIds ? await readCustomerTaxIds(taxIds) : before.taxIds,
  };
}
