import { createHash } from 'node:crypto';
import type { Tx } from '../../platform/db/database.ts';
import { readImage } from './image.ts';
import { deleteUnusedImages, lockImages, logos } from './queries.ts';

/** An uploaded file as it would be stored: validated, and named by its contents. */
export interface NewImage {
  fileName: string;
  width: number;
  height: number;
  bytes: Buffer;
}

/** Throws a 400 for an unusable image. Runs before the transaction, because it needs no database. */
export function newImage(bytes: Buffer): NewImage {
  const { extension, width, height } = readImage(bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { fileName: `${hash}.${extension}`, width, height, bytes };
}

/** Called before a row references the image. */
export async function storeImage(tx: Tx, merchantId: string, image: NewImage, now: Date): Promise<void> {
  await lockImages(tx, merchantId);
  const once = 'on conflict (merchant_id, file_name) do nothing';
  await logos.insert(tx, { merchantId, createdAt: now, ...image }, once);
}

/** Called after a reference was removed: deletes it, unless another row of the merchant uses it. */
export async function forgetImage(tx: Tx, merchantId: string, fileName: string | null): Promise<void> {
  if (fileName === null) return;
  await lockImages(tx, merchantId);
  await deleteUnusedImages(tx, merchantId, fileName);
}

/** Called after many references were removed. */
export async function forgetUnusedImages(tx: Tx, merchantId: string): Promise<void> {
  await lockImages(tx, merchantId);
  await deleteUnusedImages(tx, merchantId, null);
}
