import type { Tx } from '../db/database.ts';
import { AppError } from '../lib/errors.ts';
import { takeProject } from '../projects/take-project.ts';
import type { Customer } from './customer.ts';
import { insertCustomer } from './queries.ts';
import { newCustomer, type TakeCustomer } from './take-customer.ts';

/** A new customer. The index decides who is first to use an externalCustomerId. */
export async function createCustomer(tx: Tx, input: TakeCustomer): Promise<Customer> {
  const project = await takeProject(tx, { merchantId: input.merchantId, id: input.projectId });
  const customer = newCustomer({ ...input, projectId: project.id });
  if (!(await insertCustomer(tx, customer))) throw new AppError('CUSTOMER_EXISTS');
  return customer;
}
