import { recordAudit } from '../audit/record.ts';
import type { Tx } from '../db/database.ts';
import { queuePayoutLetters } from '../mail/queue-letter.ts';
import { auditEnd, deletePending, type PendingChange } from '../payouts/pending-change.ts';
import type { Project } from './project.ts';
import { lockProjectForChange, updateProject } from './queries.ts';

/** What was asked for takes effect, unless it was canceled or replaced meanwhile, or the project is archived. */
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
  await tellOfPayoutAddress(tx, due.requestedBy, before, after);
}

/** Where money goes has an entry of its own, so that nobody must look for it among the others. */
export async function tellOfPayoutAddress(
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
  await queuePayoutLetters(tx, merchantId, { ...detail, projectName, actor, at: now });
}
