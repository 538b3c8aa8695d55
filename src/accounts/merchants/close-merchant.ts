import { recordAudit } from '../../platform/audit/record.ts';
import { tryAlone } from '../../platform/db/advisory-locks.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Change } from './change-merchant.ts';
import { type Closing, lockClosing, prepareMove, updateClosing } from './closing-queries.ts';

export interface Closed {
  merchant: Closing;
  /** Since when. */
  closedAt: Date;
  /** False when it was closed before. */
  isNew: boolean;
}

/** Runs `work` unless an export of the merchant is under way, and lets none begin until then; false if one is. */
export function tryBetweenExports(
  db: Database,
  merchantId: string,
  work: () => Promise<void>,
): Promise<boolean> {
  return tryAlone(db, `export of merchant ${merchantId}`, work);
}

/** From its commit on, nothing new begins to be written of the merchant here; what reads it still works. */
export async function closeMerchant(tx: Tx, change: Change): Promise<Closed> {
  const before = await lockExisting(tx, change.merchantId);
  if (before.movedTo !== null)
    throw new AppError('MERCHANT_MOVED', {
      message: `the merchant has moved to ${before.movedTo}: export it there`,
    });
  const isNew = before.closedAt === null;
  if (isNew) {
    await recordAudit(tx, { ...change, action: 'merchant.closed' });
    await updateClosing(tx, { ...before, closedAt: change.now });
  }
  return { merchant: before, closedAt: before.closedAt ?? change.now, isNew };
}

/** Until the transaction ends, the merchant stays as closed as it has been since then; what was open meanwhile has changed. */
export async function requireStillClosed(tx: Tx, merchantId: string, since: Date): Promise<void> {
  if (!isClosedSince(await lockExisting(tx, merchantId), since))
    throw new AppError('INVALID_STATE', {
      message: 'the merchant did not stay closed while it was exported: nothing was exported',
    });
}

/** Undoes a closing. Whether others have opened, closed or moved the merchant since is theirs: it then stays as it is. */
export async function undoClosing(tx: Tx, change: Change, since: Date): Promise<boolean> {
  const before = await lockExisting(tx, change.merchantId);
  const isOurs = isClosedSince(before, since);
  if (isOurs) await reopen(tx, change, before);
  return isOurs;
}

const isClosedSince = ({ closedAt, movedTo }: Closing, since: Date) =>
  closedAt?.getTime() === since.getTime() && movedTo === null;

/**
 * The way back, for a merchant whose export was never imported anywhere: otherwise it would be open at two places. Of one
 * whose callers are sent elsewhere, somebody has said that it is open there.
 */
export async function reopenMerchant(tx: Tx, change: Change, isForced = false): Promise<void> {
  const before = await lockExisting(tx, change.merchantId);
  if (before.closedAt === null)
    throw new AppError('INVALID_STATE', { message: 'the merchant is open already' });
  if (before.movedTo !== null && !isForced)
    throw new AppError('MERCHANT_MOVED', {
      message: `the merchant has moved to ${before.movedTo}: open here as well, each payment would be counted twice and invoice numbers given out twice. If it is not open there, repeat with --force`,
    });
  await reopen(tx, change, before);
}

async function reopen(tx: Tx, change: Change, before: Closing): Promise<void> {
  await updateClosing(tx, { ...before, closedAt: null, movedTo: null });
  const detail = before.movedTo === null ? {} : { movedTo: before.movedTo };
  await recordAudit(tx, { ...change, action: 'merchant.reopened', detail });
}

/** From now on callers are sent to the new address. */
export async function forwardMerchant(tx: Tx, change: Change, movedTo: string): Promise<void> {
  const before = await lockExisting(tx, change.merchantId);
  if (before.closedAt === null)
    throw new AppError('INVALID_STATE', {
      message: 'the merchant is open here: export it first, and import it at the new address',
    });
  await prepareMove(tx);
  await updateClosing(tx, { ...before, movedTo });
  await recordAudit(tx, { ...change, action: 'merchant.moved', detail: { movedTo } });
}

async function lockExisting(tx: Tx, merchantId: string): Promise<Closing> {
  const found = await lockClosing(tx, merchantId);
  if (!found) throw new AppError('NOT_FOUND');
  return found;
}

export { prepareMove };
