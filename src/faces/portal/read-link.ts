import { findProject } from '../../accounts/projects/queries.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { hashSecret } from './portal-session.ts';
import { findLink } from './queries.ts';

export interface PortalLink {
  sessionId: string;
  /** Whose portal it opens. */
  merchantName: string;
  brandColor: string | null;
  logoFile: string | null;
  isOpen: boolean;
}

/** What a link opens and whether it still does. Looking uses nothing up: what scans mail looks at links too. */
export async function readLink(db: Queryable, token: string, now: Date): Promise<PortalLink | undefined> {
  const link = await findLink(db, hashSecret(token));
  if (!link) return undefined;
  const { sessionId, merchantId, projectId } = link;
  const [{ name, brandColor, logoFile }, project] = await Promise.all([
    readProjectBrand(db, { merchantId, id: projectId }),
    findProject(db, { merchantId, id: projectId }),
  ]);
  const isOpen = link.openedAt === null && link.expiresAt > now;
  return { sessionId, merchantName: name ?? project!.name, brandColor, logoFile, isOpen };
}
