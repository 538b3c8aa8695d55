import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import { transferRequestUrl } from '../../chain/solana/pay-url.ts';
import { dueBaseUnits, type Intent, isWaiting } from '../../intents/intent.ts';
import { listIntentsByRef } from '../../intents/queries.ts';
import { requestReferenceCheck } from '../../intents/reference-checks.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { PairedTill } from '../tills/till.ts';
import { presentSale } from './present.ts';
import { findSale, type SaleRow } from './queries.ts';

export interface ReadSaleParts {
  db: Database;
  clock: Clock;
  mint: string;
}

/** One of the till's own sales. Reading one that is not paid also requests a closer look at the chain. */
export async function readSale(parts: ReadSaleParts, till: PairedTill, id: string) {
  const { db, clock } = parts;
  const row = await findSale(db, till, id);
  if (!row) throw new AppError('NOT_FOUND');
  const [intent] = await listIntentsByRef(db, [{ merchantId: till.merchantId, id }]);
  const now = clock.now();
  if (isWaiting(intent!, now)) await requestReferenceCheck(db, intent!, now);
  return (await saleReader(parts, till))(row, intent!);
}

/** Returns a function that reads a sale as a till shows it. */
export async function saleReader({ db, clock, mint }: ReadSaleParts, { merchantId, projectId }: PairedTill) {
  const { name: label } = await readProjectBrand(db, { merchantId, id: projectId });
  const urlOf = (intent: Intent) =>
    transferRequestUrl({
      destination: intent.destinationAddress,
      amountBaseUnits: dueBaseUnits(intent),
      mint,
      reference: intent.referenceAddress,
      label,
      message: intent.orderId,
      memo: intent.referenceAddress,
    });
  return (row: SaleRow, intent: Intent) => presentSale(row, intent, { now: clock.now(), urlOf });
}
