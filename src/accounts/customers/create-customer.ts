import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { requireActiveProject } from '../projects/require-active-project.ts';
import { customersCreated } from './announce-customers.ts';
import type { Customer } from './customer.ts';
import { type FindOrCreateCustomer, newCustomer } from './find-or-create-customer.ts';
import { insertCustomers } from './queries.ts';

/** A new customer. The unique index decides which of two concurrent requests gets an externalCustomerId. */
export async function createCustomer(tx: Tx, input: FindOrCreateCustomer): Promise<Customer> {
  const project = await requireActiveProject(tx, { merchantId: input.merchantId, id: input.projectId });
  const customer = newCustomer({ ...input, projectId: project.id });
  if ((await insertCustomers(tx, [customer])) === 0) throw new AppError('CUSTOMER_EXISTS');
  await appendEvents(tx, customersCreated([customer]), input.now);
  return customer;
}
