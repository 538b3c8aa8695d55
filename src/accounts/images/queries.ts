import type { Queryable } from '../../platform/db/database.ts';

export interface StoredImage {
  merchantId: string;
  fileName: string;
  width: number;
  height: number;
  bytes: Buffer;
  createdAt: Date;
}

/** Setting an image and removing the same image are serialized, or it could be deleted while it is being set. */
export async function lockImages(tx: Queryable, merchantId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('logos ' || $1, 0))`, [merchantId]);
}

export async function insertImage(tx: Queryable, image: StoredImage): Promise<void> {
  await tx.query(
    `insert into logos (merchant_id, file_name, width, height, bytes, created_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (merchant_id, file_name) do nothing`,
    [image.merchantId, image.fileName, image.width, image.height, image.bytes, image.createdAt],
  );
}

/** One, or with null every one that nothing shows. */
export async function deleteUnusedImages(
  tx: Queryable,
  merchantId: string,
  fileName: string | null,
): Promise<void> {
  await tx.query(
    `delete from logos l where l.merchant_id = $1 and l.file_name = coalesce($2, l.file_name)
        and not exists (select from merchants m where m.id = $1 and m.logo_file = l.file_name)
        and not exists (select from projects p where p.merchant_id = $1 and p.logo_file = l.file_name)
        and not exists (select from products p where p.merchant_id = $1 and p.image_file = l.file_name)`,
    [merchantId, fileName],
  );
}

/** Finds an image of any merchant: the same name has the same bytes. */
export async function findImageAnywhere(db: Queryable, fileName: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ bytes: Buffer }>('select bytes from logos where file_name = $1 limit 1', [
    fileName,
  ]);
  return row?.bytes;
}

export async function findImage(
  db: Queryable,
  merchantId: string,
  fileName: string,
): Promise<Pick<StoredImage, 'bytes' | 'width' | 'height'> | undefined> {
  const [row] = await db.query<Pick<StoredImage, 'bytes' | 'width' | 'height'>>(
    'select bytes, width, height from logos where merchant_id = $1 and file_name = $2',
    [merchantId, fileName],
  );
  return row;
}
