import type { Queryable } from '../../platform/db/database.ts';
import { type Merchant, merchants } from './merchant.ts';

export const findMerchant = (db: Queryable, id: string) => merchants.find(db, { id });

export async function listMerchants(db: Queryable): Promise<Merchant[]> {
  return db.query<Merchant>(`select ${merchants.columns()} from merchants order by id`);
}

export async function updateAnnouncesIntents(tx: Queryable, id: string, announces: boolean): Promise<void> {
  await tx.query('update merchants set announces_intents = $2 where id = $1 and announces_intents <> $2', [
    id,
    announces,
  ]);
}

/** The secret in use becomes the previous one. */
export async function updateWebhookSecret(
  tx: Queryable,
  id: string,
  sealed: Buffer,
  oldUntil: Date,
): Promise<void> {
  await tx.query(
    `update merchants
        set previous_webhook_secret = webhook_secret, previous_webhook_secret_until = $3, webhook_secret = $2
      where id = $1`,
    [id, sealed, oldUntil],
  );
}

/**
 * True if there is none; two concurrent first starts cannot both get true, because the installation row is locked.
 */
export async function lockNoMerchants(tx: Queryable): Promise<boolean> {
  await tx.query('select from installation for update');
  const rows = await tx.query('select from merchants limit 1');
  return rows.length === 0;
}
