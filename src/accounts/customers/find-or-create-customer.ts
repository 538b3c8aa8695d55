import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { newId } from '../../platform/lib/ids.ts';
import { type Metadata, NO_METADATA } from '../../platform/lib/metadata.ts';
import { customersCreated } from './announce-customers.ts';
import { type Customer, type EmailSource, type TaxedAs, UNKNOWN } from './customer.ts';
import { insertCustomers, lockCustomerByExternalId } from './queries.ts';

export interface FindOrCreateCustomer {
  merchantId: string;
  projectId: string;
  externalCustomerId: string | null;
  email: string | null;
  /** How the address is known. */
  emailSource: EmailSource;
  name: string | null;
  language?: string | null;
  metadata?: Metadata;
  /** Facts that decide how they are taxed. */
  taxed?: TaxedAs;
  /** Creates a customer even without any details. */
  isNeeded?: boolean;
  now: Date;
}

/**
 * The customer of a checkout. An externalCustomerId finds or creates one, never overwrites known details, and is safe
 * under concurrency; an e-mail address or a name, which anyone can type, finds nobody and creates a new one.
 */
export async function findOrCreateCustomer(
  tx: Tx,
  input: FindOrCreateCustomer,
): Promise<Customer | undefined> {
  const { merchantId, projectId, externalCustomerId, email, name } = input;
  const isAnonymous = externalCustomerId === null && email === null && name === null;
  if (isAnonymous && !input.isNeeded) return undefined;
  const find = () =>
    externalCustomerId === null
      ? undefined
      : lockCustomerByExternalId(tx, merchantId, projectId, externalCustomerId);
  for (;;) {
    const known = await find();
    if (known) return known;
    const customer = newCustomer(input);
    if ((await insertCustomers(tx, [customer])) > 0) {
      await appendEvents(tx, customersCreated([customer]), input.now);
      return customer;
    }
    // A concurrent request created them; they are found now unless they have been erased since.
  }
}

export function newCustomer(input: FindOrCreateCustomer): Customer {
  return {
    id: newId(input.now),
    merchantId: input.merchantId,
    projectId: input.projectId,
    externalCustomerId: input.externalCustomerId,
    email: input.email,
    emailSource: input.email === null ? null : input.emailSource,
    name: input.name,
    language: input.language ?? null,
    metadata: input.metadata ?? NO_METADATA,
    ...(input.taxed ?? UNKNOWN),
    mergedIntoId: null,
    creditBalance: 0n,
    accountCreditCents: 0n,
    createdAt: input.now,
    erasedAt: null,
  };
}
