import type { WatchedAccount } from '../../chain/solana/queries.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { findFinalBefore, findFinalBeforeTime, findTransferTime } from '../transfers/queries.ts';

/** A node may index late: what is not older than this is read again, and deduplicated by signature. */
export const OVERLAP_MS = 2 * 60_000;
/** Slots that take as long where they are shortest, for what has no time. */
const OVERLAP_SLOTS = 800n;

/** The beginning of what is read again: a time, because slots become shorter with the network's releases. */
export interface Overlap {
  /** Absent where the time of the cursor is not known. */
  time: Date | undefined;
  slot: bigint;
}

/** Undefined where nothing has been read. */
export async function findOverlap(
  db: Queryable,
  { destination, cursorSignature, cursorSlot }: WatchedAccount,
): Promise<Overlap | undefined> {
  if (cursorSlot === null) return undefined;
  const cursorTime =
    cursorSignature === null ? undefined : await findTransferTime(db, destination, cursorSignature);
  const time = cursorTime && new Date(cursorTime.getTime() - OVERLAP_MS);
  return { time, slot: cursorSlot - OVERLAP_SLOTS };
}

/** The transaction at which a list may end: before the overlap, or before the cursor where there is to be none. */
export async function findListEnd(
  db: Queryable,
  { destination, cursorSlot }: WatchedAccount,
  overlap: Overlap | undefined,
): Promise<string | undefined> {
  if (cursorSlot === null) return undefined;
  const found = overlap?.time
    ? await findFinalBeforeTime(db, destination, overlap.time)
    : await findFinalBefore(db, destination, overlap?.slot ?? cursorSlot);
  return found?.signature;
}

export function isBefore({ slot, blockTime }: SignatureInfo, overlap: Overlap | undefined): boolean {
  if (!overlap) return false;
  const { time } = overlap;
  return time && blockTime !== null ? blockTime * 1000 < time.getTime() : BigInt(slot) < overlap.slot;
}
