import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import { type Intent, isWaiting } from '../../intents/intent.ts';
import { paymentUrlOf } from '../../intents/payment-url.ts';
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
  publicUrl(): string;
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
export async function saleReader(parts: ReadSaleParts, { merchantId, projectId }: PairedTill) {
  const { db, clock } = parts;
  const { name: label } = await readProjectBrand(db, { merchantId, id: projectId });
  const urlOf = (intent: Intent) => paymentUrlOf(intent, parts, label);
  return (row: SaleRow, intent: Intent) => presentSale(row, intent, { now: clock.now(), urlOf });
}
