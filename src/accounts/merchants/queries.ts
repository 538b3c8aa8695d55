import type { Queryable } from '../../platform/db/database.ts';
import type { Merchant } from './merchant.ts';
import type { SponsorMode } from './sponsor-fees.ts';

const COLUMNS = `
  id, name, brand_color, logo_file, payout_address, verification_status,
  payout_change_delay_hours, sponsor_fees, time_zone,
  webhook_url, webhook_secret,
  previous_webhook_secret,
  previous_webhook_secret_until, created_at`;

/** Without its payout address, which can only be claimed by a merchant that exists. */
export async function insertMerchant(tx: Queryable, merchant: Merchant): Promise<void> {
  const { id, name, verificationStatus, webhookSecret, payoutChangeDelayHours, createdAt } = merchant;
  await tx.query(
    `insert into merchants (id, name, verification_status, webhook_secret, payout_change_delay_hours, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, name, verificationStatus, webhookSecret, payoutChangeDelayHours, createdAt],
  );
}

export async function findMerchant(db: Queryable, id: string): Promise<Merchant | undefined> {
  const [row] = await db.query<Merchant>(`select ${COLUMNS} from merchants where id = $1`, [id]);
  return row;
}

export async function lockMerchant(tx: Queryable, id: string): Promise<Merchant | undefined> {
  const [row] = await tx.query<Merchant>(`select ${COLUMNS} from merchants where id = $1 for no key update`, [
    id,
  ]);
  return row;
}

export async function listMerchants(db: Queryable): Promise<Merchant[]> {
  return db.query<Merchant>(`select ${COLUMNS} from merchants order by id`);
}

export async function updateBrand(
  tx: Queryable,
  id: string,
  { name, brandColor }: Pick<Merchant, 'name' | 'brandColor'>,
): Promise<void> {
  await tx.query('update merchants set name = $2, brand_color = $3 where id = $1', [id, name, brandColor]);
}

export async function updateTimeZone(tx: Queryable, id: string, timeZone: string): Promise<void> {
  await tx.query('update merchants set time_zone = $2 where id = $1', [id, timeZone]);
}

export async function updateLogoFile(tx: Queryable, id: string, fileName: string | null): Promise<void> {
  await tx.query('update merchants set logo_file = $2 where id = $1', [id, fileName]);
}

export async function updateWebhookUrl(tx: Queryable, id: string, url: string | null): Promise<void> {
  await tx.query('update merchants set webhook_url = $2 where id = $1', [id, url]);
}

export async function updateAnnouncesIntents(tx: Queryable, id: string, announces: boolean): Promise<void> {
  await tx.query('update merchants set announces_intents = $2 where id = $1 and announces_intents <> $2', [
    id,
    announces,
  ]);
}

export async function updateVerificationStatus(tx: Queryable, id: string, status: number): Promise<void> {
  await tx.query('update merchants set verification_status = $2 where id = $1', [id, status]);
}

export async function updatePayoutAddress(tx: Queryable, id: string, address: string | null): Promise<void> {
  await tx.query('update merchants set payout_address = $2 where id = $1', [id, address]);
}

export async function updatePayoutDelay(tx: Queryable, id: string, hours: number): Promise<void> {
  await tx.query('update merchants set payout_change_delay_hours = $2 where id = $1', [id, hours]);
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

export async function updateSponsorFees(tx: Queryable, id: string, mode: SponsorMode): Promise<void> {
  await tx.query('update merchants set sponsor_fees = $2 where id = $1', [id, mode]);
}
