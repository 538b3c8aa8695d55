import type { Queryable } from '../../platform/db/database.ts';
import { findMerchant } from './queries.ts';

export async function hasWebhookUrl(db: Queryable, merchantId: string): Promise<boolean> {
  return (await findMerchant(db, merchantId))?.webhookUrl != null;
}
