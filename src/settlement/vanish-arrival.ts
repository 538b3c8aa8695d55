import type { Tx } from '../db/database.ts';
import { lockIntents } from '../intents/lock-intents.ts';
import { applyMoney } from './apply-money.ts';
import { deleteArrival, deletePendingCredits, listCreditsOf, lockArrival } from './queries.ts';

/** A confirmed transaction that the chain dropped: its credits go, and each intent is what it was before. */
export async function vanishArrival(
  tx: Tx,
  signature: string,
  destination: string,
  now: Date,
): Promise<void> {
  if (!(await lockArrival(tx, signature, destination))) return;
  const credits = await listCreditsOf(tx, signature, destination);
  const intents = await lockIntents(
    tx,
    credits.map(({ merchantId, intentId }) => ({ merchantId, id: intentId })),
  );
  await deletePendingCredits(tx, signature, destination);
  await deleteArrival(tx, signature, destination);
  for (const intent of intents) await applyMoney(tx, intent, { signature, paidAt: now, now });
}
