import { checkTaxId } from './check-tax-id.ts';
import { requireCountry } from './country.ts';
import type { Address, CustomerTaxId, Seller, TaxId } from './party.ts';

type Loose<Value> = { [Key in keyof Value]?: Value[Key] | undefined };

export type AddressInput = Loose<Address> & Pick<Address, 'line1'>;

export interface SellerInput {
  legalName: string;
  address?: AddressInput | null | undefined;
  country: string;
  taxIds?: TaxId[] | undefined;
  registrationNumber?: string | null | undefined;
}

export function readAddress(address: AddressInput): Address {
  const { line1, line2 = null, postalCode = null, city = null, state = null } = address;
  return { line1, line2, postalCode, city, state };
}

/** A seller as stored: every field there, every tax id in its one form. */
export async function readSeller(input: SellerInput): Promise<Seller> {
  const { legalName, address, registrationNumber = null } = input;
  return {
    legalName,
    address: address ? readAddress(address) : null,
    country: requireCountry('seller.country', input.country),
    taxIds: await checkTaxIds('seller.taxIds', input.taxIds ?? []),
    registrationNumber,
  };
}

export type CustomerTaxIdInput = TaxId & Loose<Pick<CustomerTaxId, 'status'>>;

export async function readCustomerTaxIds(taxIds: readonly CustomerTaxIdInput[]): Promise<CustomerTaxId[]> {
  const checked = await checkTaxIds('taxIds', taxIds);
  return checked.map((taxId, at) => ({ ...taxId, status: taxIds[at]!.status ?? 'unverified' }));
}

async function checkTaxIds(field: string, taxIds: readonly TaxId[]): Promise<TaxId[]> {
  return Promise.all(taxIds.map((taxId, at) => checkTaxId(`${field}.${at}.value`, taxId)));
}
