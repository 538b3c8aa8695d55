import type { Queryable } from '../../platform/db/database.ts';
import { presentPending } from '../payouts/pending-change.ts';
import { listPending } from '../payouts/pending-queries.ts';
import type { ProjectWithPendingChange } from './present.ts';
import type { Project } from './project.ts';

/** Projects of one merchant, with their pending payout address changes. */
export async function withPendingChanges(
  db: Queryable,
  merchantId: string,
  projects: readonly Project[],
): Promise<ProjectWithPendingChange[]> {
  const pending = await listPending(db, merchantId);
  return projects.map((project) => {
    const pendingChange = presentPending(pending.find(({ projectId }) => projectId === project.id));
    return { ...project, ...(pendingChange && { pendingChange }) };
  });
}

export async function withPendingChange(db: Queryable, project: Project): Promise<ProjectWithPendingChange> {
  const [shown] = await withPendingChanges(db, project.merchantId, [project]);
  return shown!;
}
