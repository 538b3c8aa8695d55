import type { Tx } from '../../platform/db/database.ts';
import { type LinkRef, updatePaymentsCount } from './queries.ts';

/** Counts a paid session of a link; the last one it may sell closes it. */
export async function countLinkPayment(tx: Tx, ref: LinkRef, now: Date): Promise<void> {
  await updatePaymentsCount(tx, ref, now);
}
