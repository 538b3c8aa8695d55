import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { customersCreated } from './announce-customers.ts';
import type { Customer } from './customer.ts';
import { type FindOrCreateCustomer, newCustomer } from './find-or-create-customer.ts';
import { type ExternalRef, insertCustomers, lockByExternalId } from './queries.ts';

/**
 * The customers of many checkouts, by the same rules as for one. Known ones are read now; new ones are drafted, and
 * written by `write` for the checkouts that take place.
 */
export async function findOrCreateCustomers(
  tx: Tx,
  inputs: readonly FindOrCreateCustomer[],
): Promise<CustomerBatch> {
  const refs = new Map<string, ExternalRef>();
  for (const input of inputs) {
    if (input.externalCustomerId !== null) refs.set(nameOf(input), input as ExternalRef);
  }
  const known = refs.size === 0 ? [] : await lockByExternalId(tx, [...refs.values()]);
  return new CustomerBatch(known);
}

export class CustomerBatch {
  readonly #known: Map<string, Customer>;
  readonly #drafted = new Set<string>();

  constructor(known: readonly Customer[]) {
    this.#known = new Map(known.map((customer) => [nameOf(customer), customer]));
  }

  /**
   * Null: no customer is given. Undefined: another checkout is creating this one right now, so this one must be
   * retried later.
   */
  take(input: FindOrCreateCustomer): { customer: Customer; isNew: boolean } | null | undefined {
    const { externalCustomerId, email, name } = input;
    if (externalCustomerId === null) {
      return email === null && name === null ? null : { customer: newCustomer(input), isNew: true };
    }
    const known = this.#known.get(nameOf(input));
    if (known) return { customer: known, isNew: false };
    if (this.#drafted.has(nameOf(input))) return undefined;
    this.#drafted.add(nameOf(input));
    return { customer: newCustomer(input), isNew: true };
  }

  /** Returns what there is to say of them, for the caller to write together with the rest. */
  async write(tx: Tx, customers: readonly Customer[]): Promise<NewEvent[]> {
    if (customers.length === 0) return [];
    if ((await insertCustomers(tx, customers)) < customers.length) throw new Overtaken();
    return customersCreated(customers);
  }
}

function nameOf(of: { merchantId: string; projectId: string; externalCustomerId: string | null }): string {
  return `${of.merchantId} ${of.projectId} ${of.externalCustomerId}`;
}

/**
 * A concurrent transaction created one of them in between, so the decision is stale and the transaction is retried.
 */
class Overtaken extends Error {
  readonly code = '40001';
}
