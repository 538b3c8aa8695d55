import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { findCustomer } from './queries.ts';

/**
 * Refuses to note anything on what belongs to a customer who was deleted: it would stay after the erasure. Called with the
 * object locked, so that an erasure that begins now overwrites what is written here.
 */
export async function requireNotErased(tx: Tx, merchantId: string, customerId: string | null): Promise<void> {
  if (customerId === null || (await findCustomer(tx, { merchantId, id: customerId }))) return;
  throw new AppError('INVALID_STATE', {
    message: 'Its customer was deleted, so it can no longer be changed.',
  });
}
