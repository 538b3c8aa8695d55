import { createHash } from 'node:crypto';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { findLastSequence } from '../../platform/events/queries.ts';
import type { Customer } from './customer.ts';
import { presentCustomer } from './present.ts';

export const CUSTOMER_STATUSES = ['active', 'deleted'] as const;
export type CustomerEvent = 'customer.created' | 'customer.updated' | 'customer.deleted';

/** Events for new customers, for the caller to write together with its own. */
export function customersCreated(customers: readonly Customer[]): NewEvent[] {
  return customers.map((customer) => eventOf('customer.created', customer, 1));
}

/** Announces a change of a locked customer. */
export async function announceCustomer(
  tx: Tx,
  event: Exclude<CustomerEvent, 'customer.created'>,
  customer: Customer,
  now: Date,
): Promise<void> {
  // One that was created by an earlier release has no event yet.
  const sequence = (await findLastSequence(tx, customer.merchantId, recordIdOf(customer.id))) + 1;
  await appendEvents(tx, [eventOf(event, customer, sequence)], now);
}

function eventOf(event: CustomerEvent, customer: Customer, sequence: number): NewEvent {
  const { merchantId, projectId, id, externalCustomerId } = customer;
  const status = event === 'customer.deleted' ? 'deleted' : 'active';
  const previousStatus = event === 'customer.created' ? null : 'active';
  // For a deleted customer the event carries the ID and nothing else.
  const said =
    event === 'customer.deleted' ? {} : { externalCustomerId, customer: presentCustomer(customer) };
  return {
    merchantId,
    event,
    objectType: 'customer',
    objectId: recordIdOf(id),
    sequence,
    status,
    previousStatus,
    orderingKey: id,
    data: { projectId, status, previousStatus, customerId: id, ...said },
  };
}

/** A customer's balance counts its own changes under the customer's id, so the record counts under another. */
export function recordIdOf(customerId: string): string {
  const bytes = createHash('sha256').update(`customer ${customerId}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
