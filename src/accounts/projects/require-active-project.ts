import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { Project } from './project.ts';
import { lockProjectsForUse } from './queries.ts';

/** The project that a body names, for making something in it. An archived one takes nothing new. */
export async function requireActiveProject(tx: Tx, ref: Ref): Promise<Project> {
  const [project] = await lockProjectsForUse(tx, [ref]);
  if (!project) throw badField('projectId', 'must be the id of one of your projects');
  if (project.archivedAt) throw new AppError('INVALID_STATE', { message: 'This project is archived.' });
  return project;
}
