import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { announcePayout } from '../payouts/announce-payout.ts';
import { auditEnd, deletePending } from '../payouts/pending-change.ts';
import type { PendingChange } from '../payouts/pending-queries.ts';
import type { Project } from './project.ts';
import { lockProjectForChange, updateProject } from './queries.ts';

/** Applies a requested change, unless it was canceled or replaced meanwhile, or the project is archived. */
export async function applyProjectChange(
  tx: Tx,
  { merchantId, id, projectId }: Pick<PendingChange, 'merchantId' | 'id'> & { projectId: string },
  now: Date,
): Promise<void> {
  const before = await lockProjectForChange(tx, { merchantId, id: projectId });
  const due = await deletePending(tx, merchantId, id);
  if (!before || !due) return;
  const by = { merchantId, actor: due.requestedBy, now };
  if (before.archivedAt) return auditEnd(tx, by, due, 'project archived');
  const after = { ...before, payoutAddress: due.address, updatedAt: now };
  await updateProject(tx, after);
  await emailPayoutAddressChange(tx, due.requestedBy, before, after);
}

/** A payout change has its own audit entry, so that it is easy to find. */
export async function emailPayoutAddressChange(
  tx: Tx,
  actor: string,
  before: Project,
  { merchantId, id: targetId, name: projectName, payoutAddress: to, updatedAt: now }: Project,
): Promise<void> {
  const detail = { from: before.payoutAddress, to };
  await recordAudit(tx, {
    ...{ merchantId, actor, targetId, now, detail },
    action: 'project.payout_address_changed',
  });
  const facts = { ...detail, projectName, actor, at: now };
  await announcePayout(tx, { merchantId, projectId: targetId }, facts);
}
