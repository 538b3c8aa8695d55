import { offersSignIn, signInPath } from '../../accounts/projects/portal-sign-in.ts';
import { findProject, findProjectOfAnyone } from '../../accounts/projects/queries.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import type { Database } from '../../platform/db/database.ts';
import { isUuid } from '../../platform/lib/ids.ts';

/** Page at which customers of a project sign in, and their merchant. */
export interface SignInPlace {
  merchantId: string;
  projectId: string;
  merchantName: string;
  brandColor: string | null;
  logoFile: string | null;
  supportEmail: string | null;
  termsUrl: string | null;
}

/** None where they cannot sign in by e-mail. */
export async function readSignInPlace(db: Database, id: string): Promise<SignInPlace | undefined> {
  const project = isUuid(id) ? await findProjectOfAnyone(db, id) : undefined;
  if (!project || !offersSignIn(project, db)) return undefined;
  const { merchantId, id: projectId, settings } = project;
  const { name, brandColor, logoFile } = await readProjectBrand(db, { merchantId, id: projectId });
  const { supportEmail, termsUrl } = settings;
  const brand = { merchantName: name ?? project.name, brandColor, logoFile };
  return { merchantId, projectId, ...brand, supportEmail, termsUrl };
}

/** The address of that page, for those whose link no longer works. */
export async function findSignInPath(
  db: Database,
  { merchantId, projectId }: { merchantId: string; projectId: string },
): Promise<string | undefined> {
  const project = await findProject(db, { merchantId, id: projectId });
  return project && offersSignIn(project, db) ? signInPath(projectId) : undefined;
}
