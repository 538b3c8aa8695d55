import { recordAudit } from '../../platform/audit/record.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { updatePaired } from './queries.ts';
import { actorOf, hashTillSecret, mintTillKey, readCode } from './till.ts';

/**
 * Exchanges a code for the till's own key, once. A code that is wrong, used, replaced or expired gets the same answer: a
 * guess reveals nothing.
 */
export async function pairTill(db: Database, text: string, now: Date): Promise<string> {
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
      return true;
    }));
  if (!isPaired) throw new AppError('PAIRING_CODE_INVALID');
  return key;
}
