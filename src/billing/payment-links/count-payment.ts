import type { Tx } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { updatePaymentsCount } from './queries.ts';

/** Counts a paid session of a link; the last one it may sell closes it. */
export async function countLinkPayment(tx: Tx, ref: Ref, now: Date): Promise<void> {
  await updatePaymentsCount(tx, ref, now);
}
