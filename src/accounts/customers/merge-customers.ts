import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { announceCustomer } from './announce-customers.ts';
import type { Customer } from './customer.ts';
import { updateEmailChangesLapsed } from './email-change-queries.ts';
import { findCustomer, listMerged, lockCustomersToMerge, updateMerged } from './queries.ts';

export interface MergeCustomers {
  merchantId: string;
  /** The customer who becomes another name of `intoId`. */
  id: string;
  intoId: string;
  actor: string;
  now: Date;
}

/** The two customers, locked. Undefined: they are merged already. */
export async function lockToMerge(
  tx: Tx,
  { merchantId, id, intoId }: MergeCustomers,
): Promise<{ customer: Customer; into: Customer; merged: Customer[] } | undefined> {
  if (id === intoId) throw badField('intoCustomerId', 'must be another customer');
  const locked = await lockCustomersToMerge(tx, merchantId, [id, intoId]);
  const customer = locked.find((each) => each.id === id);
  if (!customer) throw new AppError('NOT_FOUND');
  if (customer.mergedIntoId === intoId) return undefined;
  if (customer.mergedIntoId !== null) throw alreadyMerged(customer);
  const into = locked.find((each) => each.id === intoId);
  if (into?.projectId !== customer.projectId)
    throw badField('intoCustomerId', 'must be the id of another customer of the same project');
  if (into.mergedIntoId === id)
    throw badField('intoCustomerId', 'must not be a customer merged into this one');
  if (into.mergedIntoId !== null) throw alreadyMerged(into);
  // Read only now: nobody is merged into a locked customer.
  const mergedIds = (await listMerged(tx, { merchantId, id })).map((each) => each.id);
  const merged = mergedIds.length === 0 ? [] : await lockCustomersToMerge(tx, merchantId, mergedIds);
  return { customer, into, merged };
}

/**
 * Makes a customer, and those who were merged into them before, other names of one person: found by their own ids as ever, with
 * the details of the other.
 */
export async function applyMerge(tx: Tx, input: MergeCustomers, locked: readonly Customer[]): Promise<void> {
  const { merchantId, id, intoId, actor, now } = input;
  const ids = locked.map((customer) => customer.id);
  await updateMerged(tx, merchantId, ids, intoId);
  await updateEmailChangesLapsed(tx, merchantId, ids);
  const detail = { intoCustomerId: intoId };
  await recordAudit(tx, { merchantId, actor, action: 'customer.merged', targetId: id, detail, now });
  for (const customer of locked) {
    const after = (await findCustomer(tx, { merchantId, id: customer.id }))!;
    await announceCustomer(tx, 'customer.updated', after, now);
  }
}

export function alreadyMerged({ id, mergedIntoId }: Customer): AppError {
  return new AppError('INVALID_STATE', {
    message: `Customer ${id} was merged into customer ${mergedIntoId}; use that one.`,
  });
}
