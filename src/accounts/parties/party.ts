/** Postal address as it is printed on an invoice. The country is stored beside it. */
export interface Address {
  line1: string;
  line2: string | null;
  postalCode: string | null;
  city: string | null;
  state: string | null;
}

export const TAX_ID_TYPES = [
  'eu_vat',
  'gb_vat',
  'ch_vat',
  'no_vat',
  'us_ein',
  'au_abn',
  'ca_gst',
  'in_gst',
  'other',
] as const;
export type TaxIdType = (typeof TAX_ID_TYPES)[number];

export interface TaxId {
  type: TaxIdType;
  value: string;
}

export const TAX_ID_STATUSES = ['unverified', 'verified'] as const;

/** Tax id of a customer, and if the merchant has verified that it is theirs. */
export interface CustomerTaxId extends TaxId {
  status: (typeof TAX_ID_STATUSES)[number];
}

/** Issuer of invoices. */
export interface Seller {
  legalName: string;
  address: Address | null;
  country: string;
  taxIds: TaxId[];
  registrationNumber: string | null;
}

/** Recipient of an invoice. */
export interface Buyer {
  name: string | null;
  email: string | null;
  address: Address | null;
  country: string | null;
  isBusiness: boolean;
  taxIds: TaxId[];
}
