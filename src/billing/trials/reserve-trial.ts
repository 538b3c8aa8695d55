import type { Tx } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { deleteTrial, insertTrial, updateCustomer, updateMergedCustomer } from './queries.ts';
import type { TrialOf } from './trial.ts';

/**
 * A customer, known by id or by e-mail address, has one trial of a product: true for the first checkout that asks, also when
 * it asks again after it was closed. Concurrent ones wait for its commit, and get none. What a stranger typed uses up
 * nobody's trial but that of others who type the same.
 */
export async function reserveTrial(tx: Tx, trial: TrialOf, productId: string): Promise<boolean> {
  return insertTrial(tx, trial, productId);
}

/** Gives a trial back when its session closes unpaid. */
export async function releaseTrial(tx: Tx, session: Ref): Promise<void> {
  await deleteTrial(tx, session);
}

/** The customer of an anonymous checkout is known from now on. */
export async function nameTrialCustomer(
  tx: Tx,
  session: { merchantId: string; id: string; customerId: string | null },
): Promise<void> {
  await updateCustomer(tx, session);
}

/** The trials of a customer who is merged into another are that one's. */
export async function mergeTrials(
  tx: Tx,
  merge: { merchantId: string; id: string; intoId: string },
): Promise<void> {
  await updateMergedCustomer(tx, merge);
}
