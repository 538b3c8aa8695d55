import { queueWebhookEmails } from '../../email/queue-email.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { isTimeZone } from '../../platform/lib/time-zone.ts';
import { type Merchant, merchants, newWebhookSecret, SECRET_OVERLAP_HOURS } from './merchant.ts';
import { updateAnnouncesIntents, updateWebhookSecret } from './queries.ts';
import type { Brand } from './read-brand.ts';
import { parseWebhookUrl, type WebhookRules } from './webhook-url.ts';

export interface Change {
  merchantId: string;
  actor: string;
  now: Date;
}

/** Changes the given fields only. */
export async function setBrand(
  tx: Tx,
  change: Change,
  brand: { name?: string | undefined; brandColor?: string | null | undefined },
): Promise<Brand> {
  const before = await lockExisting(tx, change.merchantId);
  const { name = before.name, brandColor = before.brandColor } = brand;
  const { logoFile } = before;
  const after = { name, brandColor: brandColor?.toLowerCase() ?? null };
  if (after.name === before.name && after.brandColor === before.brandColor) return before;
  await merchants.update(tx, before, after);
  const detail = { before: { name: before.name, brandColor: before.brandColor }, after };
  await recordAudit(tx, { ...change, action: 'merchant.brand_changed', detail });
  return { ...after, logoFile };
}

/** Moves the days of reports; what happened when stays as it is. */
export async function setTimeZone(tx: Tx, change: Change, timeZone: string): Promise<Merchant> {
  if (!isTimeZone(timeZone))
    throw badField('timeZone', 'must be the name of a time zone, such as Europe/Berlin');
  const before = await lockExisting(tx, change.merchantId);
  if (before.timeZone === timeZone) return before;
  await merchants.update(tx, before, { timeZone });
  const detail = { from: before.timeZone, to: timeZone };
  await recordAudit(tx, { ...change, action: 'merchant.time_zone_changed', detail });
  return { ...before, timeZone };
}

export async function setWebhookUrl(
  tx: Tx,
  change: Change,
  webhookUrl: string,
  rules: WebhookRules,
): Promise<void> {
  await changeWebhookUrl(tx, change, parseWebhookUrl(webhookUrl, rules));
}

/** Events are kept and can be pulled; webhooks stop. Removing a URL that is not set changes nothing. */
export async function removeWebhookUrl(tx: Tx, change: Change): Promise<void> {
  await changeWebhookUrl(tx, change, null);
}

async function changeWebhookUrl(tx: Tx, change: Change, url: string | null): Promise<void> {
  const merchant = await lockExisting(tx, change.merchantId);
  const { webhookUrl: before } = merchant;
  if (before === url) return;
  await merchants.update(tx, merchant, { webhookUrl: url });
  const { merchantId, actor, now } = change;
  await queueWebhookEmails(tx, merchantId, { from: before, to: url, actor, at: now });
  await recordAudit(tx, {
    ...change,
    action: 'merchant.webhook_url_changed',
    detail: { from: before, to: url },
  });
}

/** Decides if new payment intents are events: they are only if somebody wants them. */
export async function setAnnouncesIntents(tx: Tx, merchantId: string, announces: boolean): Promise<void> {
  await updateAnnouncesIntents(tx, merchantId, announces);
}

export interface NewSecret {
  webhookSecret: string;
  previousSecretExpiresAt: Date;
}

/** The old secret also signs for a day, so that a receiver can switch without a gap. */
export async function generateWebhookSecret(tx: Tx, change: Change, secrets: SecretBox): Promise<NewSecret> {
  await lockExisting(tx, change.merchantId);
  const webhookSecret = newWebhookSecret();
  const previousSecretExpiresAt = new Date(change.now.getTime() + SECRET_OVERLAP_HOURS * HOUR_MS);
  await updateWebhookSecret(tx, change.merchantId, secrets.seal(webhookSecret), previousSecretExpiresAt);
  await recordAudit(tx, { ...change, action: 'merchant.webhook_secret_changed' });
  return { webhookSecret, previousSecretExpiresAt };
}

export async function lockExisting(tx: Tx, merchantId: string): Promise<Merchant> {
  const merchant = await merchants.lock(tx, { id: merchantId });
  if (!merchant) throw new AppError('NOT_FOUND');
  return merchant;
}
