import type { Metadata } from '../../platform/lib/metadata.ts';
import type { Address, CustomerTaxId } from '../parties/party.ts';

/**
 * How an address is known: the merchant set it, a link that was mailed to it was opened, or somebody typed it. Only the
 * first two say whose it is.
 */
export const EMAIL_SOURCES = ['merchant', 'mailbox', 'typed'] as const;
export type EmailSource = (typeof EMAIL_SOURCES)[number];

export interface Customer {
  id: string;
  merchantId: string;
  projectId: string;
  externalCustomerId: string | null;
  email: string | null;
  /** Null where there is no address. */
  emailSource: EmailSource | null;
  name: string | null;
  /** Their language, as in BCP 47; null: not known. */
  language: string | null;
  address: Address | null;
  country: string | null;
  isBusiness: boolean;
  taxIds: CustomerTaxId[];
  metadata: Metadata;
  /** The customer that they were merged into: this one has their balance, and their details are that one's. */
  mergedIntoId: string | null;
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

/** Facts that decide how a customer is taxed. */
export type TaxedAs = Pick<Customer, 'address' | 'country' | 'isBusiness' | 'taxIds'>;

export const UNKNOWN: TaxedAs = { address: null, country: null, isBusiness: false, taxIds: [] };
