import { recordAudit } from '../audit/record.ts';
import type { Tx } from '../db/database.ts';
import { isSolanaAddress } from '../lib/base58.ts';
import { AppError, badField } from '../lib/errors.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { queuePayoutLetters } from '../mail/queue-letter.ts';
import { type Merchant, newWebhookSecret, SECRET_OVERLAP_HOURS } from './merchant.ts';
import {
  lockMerchant,
  updateBrand,
  updatePayoutAddress,
  updateWebhookSecret,
  updateWebhookUrl,
} from './queries.ts';
import type { Brand } from './read-brand.ts';
import { parseWebhookUrl, type WebhookRules } from './webhook-url.ts';

/** Who changes which merchant, and when. */
export interface Change {
  merchantId: string;
  actor: string;
  now: Date;
}

/** Changes what is named and leaves the rest. */
export async function setBrand(
  tx: Tx,
  change: Change,
  brand: { name?: string | undefined; brandColor?: string | null | undefined },
): Promise<Brand> {
  const before = await lockExisting(tx, change.merchantId);
  const { name = before.name, brandColor = before.brandColor } = brand;
  const after = { name, brandColor: brandColor?.toLowerCase() ?? null };
  if (after.name === before.name && after.brandColor === before.brandColor) return before;
  await updateBrand(tx, change.merchantId, after);
  const detail = { before: { name: before.name, brandColor: before.brandColor }, after };
  await recordAudit(tx, { ...change, action: 'merchant.brand_changed', detail });
  return after;
}

export async function setWebhookUrl(
  tx: Tx,
  change: Change,
  webhookUrl: string,
  rules: WebhookRules,
): Promise<void> {
  const url = parseWebhookUrl(webhookUrl, rules);
  const { webhookUrl: before } = await lockExisting(tx, change.merchantId);
  if (before === url) return;
  await updateWebhookUrl(tx, change.merchantId, url);
  await recordAudit(tx, {
    ...change,
    action: 'merchant.webhook_url_changed',
    detail: { from: before, to: url },
  });
}

/** Counts for new intents only: each keeps the destination it was made with. */
export async function setPayoutAddress(tx: Tx, change: Change, payoutAddress: string): Promise<void> {
  if (!isSolanaAddress(payoutAddress)) throw badField('payoutAddress', 'must be a Solana address');
  const { payoutAddress: before } = await lockExisting(tx, change.merchantId);
  if (before === payoutAddress) return;
  await updatePayoutAddress(tx, change.merchantId, payoutAddress);
  const { actor, now: at } = change;
  await queuePayoutLetters(tx, change.merchantId, {
    from: before,
    to: payoutAddress,
    projectName: null,
    actor,
    at,
  });
  await recordAudit(tx, {
    ...change,
    action: 'merchant.payout_address_changed',
    detail: { from: before, to: payoutAddress },
  });
}

export interface NewSecret {
  webhookSecret: string;
  previousSecretExpiresAt: Date;
}

/** The old secret signs beside the new one for a day, so a receiver can change over without a gap. */
export async function generateWebhookSecret(tx: Tx, change: Change, secrets: SecretBox): Promise<NewSecret> {
  await lockExisting(tx, change.merchantId);
  const webhookSecret = newWebhookSecret();
  const previousSecretExpiresAt = new Date(change.now.getTime() + SECRET_OVERLAP_HOURS * 3_600_000);
  await updateWebhookSecret(tx, change.merchantId, secrets.seal(webhookSecret), previousSecretExpiresAt);
  await recordAudit(tx, { ...change, action: 'merchant.webhook_secret_changed' });
  return { webhookSecret, previousSecretExpiresAt };
}

async function lockExisting(tx: Tx, merchantId: string): Promise<Merchant> {
  const merchant = await lockMerchant(tx, merchantId);
  if (!merchant) throw new AppError('NOT_FOUND');
  return merchant;
}
