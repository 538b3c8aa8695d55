import type { Queryable } from '../db/database.ts';
import { listPending, presentPending } from '../payouts/pending-change.ts';
import type { ShownProject } from './present.ts';
import type { Project } from './project.ts';

/** Projects of one merchant, with the changes of payout addresses that wait. */
export async function showProjects(
  db: Queryable,
  merchantId: string,
  projects: readonly Project[],
): Promise<ShownProject[]> {
  const pending = await listPending(db, merchantId);
  return projects.map((project) => {
    const pendingChange = presentPending(pending.find(({ projectId }) => projectId === project.id));
    return { ...project, ...(pendingChange && { pendingChange }) };
  });
}

export async function showProject(db: Queryable, project: Project): Promise<ShownProject> {
  const [shown] = await showProjects(db, project.merchantId, [project]);
  return shown!;
}
