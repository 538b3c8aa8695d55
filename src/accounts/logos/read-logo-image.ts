import type { Queryable } from '../../platform/db/database.ts';
import { findLogo } from './queries.ts';

/** The image itself, for printing. */
export async function readLogoImage(db: Queryable, merchantId: string, fileName: string) {
  const logo = await findLogo(db, merchantId, fileName);
  return logo ? { ...logo, isPng: fileName.endsWith('.png'), isJpeg: fileName.endsWith('.jpg') } : null;
}
