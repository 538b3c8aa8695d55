import { createHash } from 'node:crypto';
import type { Tx } from '../../platform/db/database.ts';
import { readImage } from './image.ts';
import { deleteUnusedLogos, insertLogo, lockLogos } from './queries.ts';

/** An uploaded file as it would be stored: validated, and named by its contents. */
export interface NewLogo {
  fileName: string;
  width: number;
  height: number;
  bytes: Buffer;
}

/** Throws a 400 for an unusable image. Runs before the transaction, because it needs no database. */
export function readLogo(bytes: Buffer): NewLogo {
  const { extension, width, height } = readImage(bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { fileName: `${hash}.${extension}`, width, height, bytes };
}

/** Called before a row references the image. */
export async function storeLogo(tx: Tx, merchantId: string, logo: NewLogo, now: Date): Promise<void> {
  await lockLogos(tx, merchantId);
  await insertLogo(tx, { merchantId, createdAt: now, ...logo });
}

/** Called after a reference was removed: deletes it, unless another row of the merchant uses it. */
export async function forgetLogo(tx: Tx, merchantId: string, fileName: string | null): Promise<void> {
  if (fileName === null) return;
  await lockLogos(tx, merchantId);
  await deleteUnusedLogos(tx, merchantId, fileName);
}

/** Called after many references were removed. */
export async function forgetUnusedLogos(tx: Tx, merchantId: string): Promise<void> {
  await lockLogos(tx, merchantId);
  await deleteUnusedLogos(tx, merchantId, null);
}
