import type { Queryable } from '../../platform/db/database.ts';
import { logos } from './queries.ts';

/** The image itself, for printing. */
export async function readStoredImage(db: Queryable, merchantId: string, fileName: string) {
  const logo = await logos.find(db, { merchantId, fileName });
  return logo ? { ...logo, isPng: fileName.endsWith('.png'), isJpeg: fileName.endsWith('.jpg') } : null;
}
