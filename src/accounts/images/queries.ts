import { bytes, integer, text, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { table } from '../../platform/db/table.ts';

/** Images of merchants, projects and products, named by their contents. */
export const logos = table(
  'logos',
  {
    merchantId: uuid,
    fileName: text,
    width: integer,
    height: integer,
    bytes,
    createdAt: timestamp,
  },
  ['merchantId', 'fileName'],
);

/** Setting an image and removing the same image are serialized, or it could be deleted while it is being set. */
export async function lockImages(tx: Queryable, merchantId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('logos ' || $1, 0))`, [merchantId]);
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
export const findImageAnywhere = (db: Queryable, fileName: string) => logos.find(db, { fileName }, 'limit 1');
