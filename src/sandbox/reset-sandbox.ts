import { forgetUnusedImages } from '../accounts/images/store-image.ts';
import { recordAudit } from '../platform/audit/record.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { pauseDispatch } from '../platform/events/claim-events.ts';
import { addSeconds } from '../platform/lib/clock.ts';
import { AppError } from '../platform/lib/errors.ts';
import type { ClockMover } from './move-clock.ts';
import {
  CATALOG_TABLES,
  deleteRows,
  deleteWatcherRows,
  findSharedPayment,
  HISTORY_TABLES,
  listWatchedForReset,
  lockForReset,
  prepareReset,
  RESET_TIMEOUT_MS,
  updateForReset,
} from './reset-queries.ts';

export interface ResetInput {
  merchantId: string;
  actor: string;
  /** Products, prices, payment links and terminals stay. */
  keepCatalog: boolean;
}

export interface ResetReport {
  resetAt: Date;
  /** Number of deleted rows, by table. */
  deleted: Record<string, number>;
}

/**
 * Deletes everything that happened to a merchant of the sandbox. The merchant, its members, keys, webhook settings, payout
 * addresses, projects and audit log stay. First the chain is read to its end, so that no payment made before is still on
 * its way; from then on only what arrives later counts. A payment made during the reset becomes an exception.
 */
export async function resetSandbox(
  { db, mover }: { db: Database; mover: ClockMover },
  input: ResetInput,
): Promise<ResetReport> {
  let resetAt: Date | undefined;
  // Block times are whole seconds: later payments must have a later one.
  await mover.move((now) => {
    resetAt = addSeconds(new Date(Math.floor(now.getTime() / 1000) * 1000), 1);
    return resetAt;
  });
  const report = { resetAt: resetAt! };
  const patient = db.withPatience(RESET_TIMEOUT_MS);
  return {
    ...report,
    deleted: await patient.transaction((tx) => deleteEverything(tx, input, report.resetAt)),
  };
}

async function deleteEverything(
  tx: Tx,
  { merchantId, actor, keepCatalog }: ResetInput,
  resetAt: Date,
): Promise<Record<string, number>> {
  await prepareReset(tx);
  await pauseDispatch(tx);
  await lockForReset(tx, merchantId);
  const destinations = await listWatchedForReset(tx, merchantId);
  if (await findSharedPayment(tx, merchantId, destinations))
    throw new AppError('INVALID_STATE', {
      message:
        'A payout address with payments has moved from one merchant to another, so its payments belong to both and neither can be reset.',
    });
  await updateForReset(tx, merchantId, destinations, resetAt);
  const deleted: Record<string, number> = {};
  for (const table of [...HISTORY_TABLES, ...(keepCatalog ? [] : CATALOG_TABLES)])
    deleted[table] = await deleteRows(tx, table, merchantId);
  // Images of products that are gone.
  await forgetUnusedImages(tx, merchantId);
  await deleteWatcherRows(tx, destinations);
  const detail = { keepCatalog, deleted };
  await recordAudit(tx, { merchantId, actor, action: 'sandbox.reset', detail, now: resetAt });
  return deleted;
}
