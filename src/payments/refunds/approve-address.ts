import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { changeRefund } from './change-refund.ts';
import { requireOpen } from './claim.ts';
import { lockRefund } from './queries.ts';
import type { Refund } from './refund.ts';

export interface Approval {
  merchantId: string;
  id: string;
  /** Address that the merchant has seen; it was inspected already. */
  address: string;
  actor: string;
  mint: string;
  now: Date;
}

/** Freezes the address: the one the customer named, or, where there is none yet, one the merchant names. */
export async function approveAddress(tx: Tx, input: Approval): Promise<Refund> {
  const { merchantId, id, address, actor, mint, now } = input;
  const before = await lockRefund(tx, { merchantId, id });
  if (!before) throw new AppError('NOT_FOUND');
  requireOpen(before, now);
  if (before.status !== 'awaiting_address')
    throw new AppError('INVALID_STATE', { message: 'The address of this refund is approved already.' });
  if (before.address !== null && before.address !== address) {
    throw new AppError('INVALID_STATE', {
      message: 'The customer has named another address; look at it again before you approve it.',
    });
  }
  const after: Refund = {
    ...before,
    address,
    addressSource: before.addressSource ?? 'merchant',
    addressApprovedAt: now,
    status: 'ready',
  };
  await recordAudit(tx, {
    merchantId,
    actor,
    action: 'refund.address_approved',
    targetId: id,
    detail: { address },
    now,
  });
  return changeRefund(tx, { before, after, event: 'refund.updated', mint, now });
}
