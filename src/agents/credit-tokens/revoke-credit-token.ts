import { listMerged, lockCustomerForUse } from '../../accounts/customers/queries.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { updateGeneration } from './queries.ts';

export interface RevokeCreditToken {
  merchantId: string;
  customerId: string;
  actor: string;
  now: Date;
}

/** The customer's token no longer spends anything. The credits stay; the next purchase gets the new token. */
export async function revokeCreditToken(tx: Tx, input: RevokeCreditToken): Promise<void> {
  const { merchantId, actor, now } = input;
  const customer = await lockCustomerForUse(tx, { merchantId, id: input.customerId });
  if (!customer) throw new AppError('NOT_FOUND');
  // All spend one balance, so a token of any of them is as good as another.
  const person = customer.mergedIntoId ?? customer.id;
  const merged = await listMerged(tx, { merchantId, id: person });
  for (const customerId of [person, ...merged.map(({ id }) => id)])
    await updateGeneration(tx, { merchantId, customerId }, now);
  await recordAudit(tx, { merchantId, actor, action: 'credit_token.revoked', targetId: customer.id, now });
}
