import { recordAudit } from '../../platform/audit/record.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { findPairedTill, updatePaired } from './queries.ts';
import { actorOf, hashTillSecret, mintTillKey, readCode } from './till.ts';
import { unpairTill } from './unpair-till.ts';

/**
 * Exchanges a code for the till's own key, once. What the same device was before is unpaired: nobody would end that key. A code that is wrong, used, replaced or expired gets the same answer: a
 * guess reveals nothing.
 */
export async function pairTill(
  db: Database,
  { text, formerKey, now }: { text: string; formerKey: string | undefined; now: Date },
): Promise<string> {
  const code = readCode(text);
  const key = mintTillKey();
  const isPaired =
    code !== undefined &&
    (await db.transaction(async (tx) => {
      const till = await updatePaired(tx, hashTillSecret(code), { keyHash: hashTillSecret(key), now });
      if (!till) return false;
      const { merchantId, id: targetId, terminalId, projectId } = till;
      const detail = { terminalId, projectId };
      await recordAudit(tx, {
        ...{ merchantId, targetId, detail, now },
        actor: actorOf(till),
        action: 'till.paired',
      });
      if (formerKey) await endFormer(tx, formerKey, now);
      return true;
    }));
  if (!isPaired) throw new AppError('PAIRING_CODE_INVALID');
  return key;
}

async function endFormer(tx: Tx, key: string, now: Date): Promise<void> {
  const former = await findPairedTill(tx, hashTillSecret(key));
  if (!former) return;
  const { merchantId, id: tillId } = former;
  await unpairTill(tx, { merchantId, tillId, actor: actorOf(former), now });
}
