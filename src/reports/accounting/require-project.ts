import { findProject } from '../../accounts/projects/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';

/** The project whose books are wanted: null for all, and 404 for one that is not the merchant's. */
export async function requireProject(
  db: Queryable,
  merchantId: string,
  asked: string | undefined,
): Promise<string | null> {
  if (asked === undefined) return null;
  const id = asked.toLowerCase();
  if (!(await findProject(db, { merchantId, id }))) throw new AppError('NOT_FOUND');
  return id;
}
