import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { findRefund } from './queries.ts';
import type { Refund } from './refund.ts';

/** The merchant's refund of this id, whatever its case. */
export async function requireRefund(db: Database, merchantId: string, id: string): Promise<Refund> {
  const refund = await findRefund(db, { merchantId, id: id.toLowerCase() });
  if (!refund) throw new AppError('NOT_FOUND');
  return refund;
}
