import type { Queryable } from '../db/database.ts';
import { readMerchantName } from '../merchants/read-merchant-name.ts';
import { findProject } from '../projects/find-project.ts';
import { hashSecret } from './portal-session.ts';
import { findLink } from './queries.ts';

export interface PortalLink {
  sessionId: string;
  /** Whose portal it opens. */
  merchantName: string;
  isOpen: boolean;
}

/** What a link opens and whether it still does. Looking uses nothing up: what scans mail looks at links too. */
export async function readLink(db: Queryable, token: string, now: Date): Promise<PortalLink | undefined> {
  const link = await findLink(db, hashSecret(token));
  if (!link) return undefined;
  const { sessionId, merchantId, projectId } = link;
  const [merchantName, project] = await Promise.all([
    readMerchantName(db, merchantId),
    findProject(db, { merchantId, id: projectId }),
  ]);
  const isOpen = link.openedAt === null && link.expiresAt > now;
  return { sessionId, merchantName: merchantName ?? project!.name, isOpen };
}
