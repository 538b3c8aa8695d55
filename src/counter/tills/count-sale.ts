import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { updateSaleCount } from './queries.ts';

/** The number of a till's next sale. The till stays locked, so that it is not unpaired before the sale is made. */
export async function countSale(tx: Tx, till: Ref): Promise<number> {
  const number = await updateSaleCount(tx, till.merchantId, till.id);
  if (number === undefined) throw new AppError('TILL_NOT_PAIRED');
  return number;
}
