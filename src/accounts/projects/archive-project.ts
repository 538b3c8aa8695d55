import type { Principal } from '../../platform/access/principal.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { hasLiveSubscription, hasOpenInvoice, lockProjectForChange, updateProject } from './queries.ts';

/**
 * Archives a project without open invoices and live subscriptions: it stays readable, accepts nothing new and asks for
 * nothing: what could still be paid in it is closed a moment later. Waits for concurrent writes in it. Archiving it again changes nothing.
 */
export async function archiveProject(tx: Tx, principal: Principal, id: string, now: Date): Promise<void> {
  const { merchantId, actor } = principal;
  const project = await lockProjectForChange(tx, { merchantId, id });
  if (!project) throw new AppError('NOT_FOUND');
  if (project.archivedAt) return;
  if ((await hasLiveSubscription(tx, project)) || (await hasOpenInvoice(tx, project))) {
    throw new AppError('PROJECT_NOT_EMPTY');
  }
  await updateProject(tx, { ...project, updatedAt: now, archivedAt: now });
  await recordAudit(tx, { merchantId, actor, action: 'project.archived', targetId: project.id, now });
}
