import type { Metadata } from '../../platform/lib/metadata.ts';
import type { Address, CustomerTaxId } from '../parties/party.ts';

export interface Customer {
  id: string;
  merchantId: string;
  projectId: string;
  externalCustomerId: string | null;
  email: string | null;
  name: string | null;
  /** Their language, as in BCP 47; null: not known. */
  language: string | null;
  address: Address | null;
  country: string | null;
  isBusiness: boolean;
  taxIds: CustomerTaxId[];
  metadata: Metadata;
  /** Prepaid units. */
  creditBalance: bigint;
  accountCreditCents: bigint;
  createdAt: Date;
}

export interface CustomerRef {
  merchantId: string;
  id: string;
  /** If set, a customer of another project counts as missing. */
  projectId?: string;
}

/** Where and as what a customer is taxed. */
export type TaxedAs = Pick<Customer, 'address' | 'country' | 'isBusiness' | 'taxIds'>;

export const UNKNOWN: TaxedAs = { address: null, country: null, isBusiness: false, taxIds: [] };
