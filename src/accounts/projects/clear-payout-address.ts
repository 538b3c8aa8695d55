import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { announcePayout } from '../payouts/announce-payout.ts';
import { updateProjectsWithoutAddress } from './queries.ts';

export interface ClearedAddress {
  merchantId: string;
  address: string;
  actor: string;
  now: Date;
}

/** New sales of the merchant’s projects that were paid to this address go to the merchant’s own from now on. */
export async function clearPayoutAddress(tx: Tx, cleared: ClearedAddress): Promise<void> {
  const { merchantId, address, actor, now } = cleared;
  for (const { id, name } of await updateProjectsWithoutAddress(tx, merchantId, address, now)) {
    const detail = { from: address, to: null };
    const entry = { merchantId, actor, targetId: id, now };
    await recordAudit(tx, { ...entry, action: 'project.payout_address_changed', detail });
    const facts = { ...detail, projectName: name, actor, at: now, isTakenOver: true };
    await announcePayout(tx, { merchantId, projectId: id }, facts);
  }
}
