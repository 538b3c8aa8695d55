import { lockIntentsById } from '../../intents/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { applyMoney } from './apply-money.ts';
import { deletePendingAllocations, deleteTransfer, listAllocationsOf, lockTransfer } from './queries.ts';

/** A confirmed transaction that the chain dropped: its credits go, and each intent is what it was before. */
export async function revertDroppedTransfer(
  tx: Tx,
  signature: string,
  destination: string,
  now: Date,
): Promise<void> {
  if (!(await lockTransfer(tx, signature, destination))) return;
  const credits = await listAllocationsOf(tx, signature, destination);
  const intents = await lockIntentsById(
    tx,
    credits.map(({ merchantId, intentId }) => ({ merchantId, id: intentId })),
  );
  await deletePendingAllocations(tx, signature, destination);
  await deleteTransfer(tx, signature, destination);
  for (const intent of intents) await applyMoney(tx, intent, { signature, paidAt: now, now });
}
