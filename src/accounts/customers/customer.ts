import {
  boolean,
  json,
  nullable,
  oneOf,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { Address, CustomerTaxId } from '../parties/party.ts';

/**
 * How an address is known: the merchant set it, a link that was mailed to it was opened, or somebody typed it. Only the
 * first two say whose it is.
 */
export const EMAIL_SOURCES = ['merchant', 'mailbox', 'typed'] as const;
export type EmailSource = (typeof EMAIL_SOURCES)[number];

export const customers = table(
  'customers',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    externalCustomerId: nullable(text),
    email: nullable(text),
    /** Null where there is no address. */
    emailSource: nullable(oneOf(EMAIL_SOURCES)),
    name: nullable(text),
    /** Their language, as in BCP 47; null: not known. */
    language: nullable(text),
    address: nullable(json<Address>()),
    country: nullable(text),
    isBusiness: withDefault(boolean),
    taxIds: withDefault(json<CustomerTaxId[]>()),
    metadata: withDefault(json<Metadata>()),
    /** The customer that they were merged into: this one has their balance, and their details are that one's. */
    mergedIntoId: nullable(uuid),
    createdAt: timestamp,
    erasedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);

/** Customer with their balance. */
export interface Customer extends RowOf<typeof customers> {
  /** Prepaid units. */
  creditBalance: bigint;
  accountCreditCents: bigint;
}

/** Facts that decide how a customer is taxed. */
export type TaxedAs = Pick<Customer, 'address' | 'country' | 'isBusiness' | 'taxIds'>;

export const UNKNOWN: TaxedAs = { address: null, country: null, isBusiness: false, taxIds: [] };
