import { strict as assert } from 'node:assert';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/lib/ids.ts';
import { type Metadata, NO_METADATA } from '../../platform/lib/metadata.ts';
import type { Customer } from './customer.ts';
import { findCustomerByExternalId, insertCustomers } from './queries.ts';

export interface FindOrCreateCustomer {
  merchantId: string;
  projectId: string;
  externalCustomerId: string | null;
  email: string | null;
  name: string | null;
  language?: string | null;
  metadata?: Metadata;
  /** Creates a customer even without any details. */
  isNeeded?: boolean;
  now: Date;
}

/**
 * The customer of a checkout. An externalCustomerId finds or creates one, never overwrites known details, and is safe
 * under concurrency; an e-mail address or a name, which anyone can type, always creates a new one.
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
      : findCustomerByExternalId(tx, merchantId, projectId, externalCustomerId);
  const known = await find();
  if (known) return known;
  const customer = newCustomer(input);
  if ((await insertCustomers(tx, [customer])) > 0) return customer;
  const rival = await find();
  assert(rival, 'a customer found in the index exists, because customers are never deleted');
  return rival;
}

export function newCustomer(input: FindOrCreateCustomer): Customer {
  return {
    id: newId(input.now),
    merchantId: input.merchantId,
    projectId: input.projectId,
    externalCustomerId: input.externalCustomerId,
    email: input.email,
    name: input.name,
    language: input.language ?? null,
    metadata: input.metadata ?? NO_METADATA,
    creditBalance: 0n,
    accountCreditCents: 0n,
    createdAt: input.now,
  };
}
