import { findProject } from '../../accounts/projects/queries.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import type { Database } from '../../platform/db/database.ts';
import { hashSecret } from './portal-session.ts';
import { findLink } from './queries.ts';
import { findSignInPath } from './read-sign-in.ts';

export interface PortalLink {
  sessionId: string;
  /** Name of the seller whose portal it opens. */
  merchantName: string;
  brandColor: string | null;
  logoFile: string | null;
  isOpen: boolean;
  /** Path at which the customer can get another; undefined: from the merchant only. */
  signInPath: string | undefined;
}

/** Reads what a link opens and if it is still valid. Reading does not use it up: mail scanners open links too. */
export async function readLink(db: Database, token: string, now: Date): Promise<PortalLink | undefined> {
  const link = await findLink(db, hashSecret(token));
  if (!link) return undefined;
  const { sessionId, merchantId, projectId } = link;
  const [{ name, brandColor, logoFile }, project, signInPath] = await Promise.all([
    readProjectBrand(db, { merchantId, id: projectId }),
    findProject(db, { merchantId, id: projectId }),
    findSignInPath(db, link),
  ]);
  const isOpen = link.stands && link.openedAt === null && link.expiresAt > now;
  return { sessionId, merchantName: name ?? project!.name, brandColor, logoFile, isOpen, signInPath };
}
