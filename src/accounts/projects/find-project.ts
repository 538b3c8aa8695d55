import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { Project, ProjectRef } from './project.ts';
import { findProjectRow, lockProjectForUse, lockProjectsForUse } from './queries.ts';

export function findProject(db: Queryable, ref: ProjectRef): Promise<Project | undefined> {
  return findProjectRow(db, ref);
}

/**
 * The project as it stays until the transaction ends: whoever changes its limits or archives it waits, while
 * others may use it at the same time.
 */
export function lockProject(tx: Tx, ref: ProjectRef): Promise<Project | undefined> {
  return lockProjectForUse(tx, ref);
}

/** The same for many at once. */
export function lockProjects(tx: Tx, refs: readonly ProjectRef[]): Promise<Project[]> {
  return lockProjectsForUse(tx, refs);
}
