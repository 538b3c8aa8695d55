import type { Tx } from '../../platform/db/database.ts';
import { deleteTrial, insertTrial, insertTrialOfSession, updateCustomer } from './queries.ts';
import type { NewTrial, SessionOfTrial } from './trial.ts';

/**
 * A customer, known by id or by e-mail address, has one trial of a product: true for the first checkout that asks.
 * Concurrent ones wait for its commit, and get none.
 */
export async function reserveTrial(tx: Tx, trial: NewTrial): Promise<boolean> {
  return insertTrial(tx, trial);
}

/** What closes unpaid gives its trial back. */
export async function releaseTrial(tx: Tx, session: { merchantId: string; id: string }): Promise<void> {
  await deleteTrial(tx, session);
}

/** For a session paid late, whose trial had been released: true unless the customer has started another one since. */
export async function reserveTrialAgain(tx: Tx, session: SessionOfTrial): Promise<boolean> {
  return insertTrialOfSession(tx, session);
}

/** The customer of an anonymous checkout is known from now on. */
export async function nameTrialCustomer(tx: Tx, session: SessionOfTrial): Promise<void> {
  await updateCustomer(tx, session);
}
