import { replaceUnopenedSecret } from '../../accounts/merchants/replace-secret.ts';
import { queueSecretEmails, withdrawUnopenedEmails } from '../../email/queue-email.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { resealInstallation } from '../../platform/db/installation.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { replaceUnopenedEndpoints } from '../../webhooks/replace-secrets.ts';
import { listMerchantsWithUnopened } from './queries.ts';
import { readSealed } from './read-sealed.ts';

export interface GivenUp {
  merchants: number;
  /** Webhook secrets that were replaced: receivers refuse what is signed until they know the new ones. */
  webhookSecrets: number;
  /** Notifications that were removed: nobody knows where they went. */
  notifications: number;
  /** E-mails that are not sent: nobody knows the link that they were for. */
  emails: number;
}

export interface GiveUpOptions {
  now: Date;
  batchSize: number;
  /** Checked between merchants: true stops there, and the next run continues. */
  isStopped(): boolean;
  onProgress(merchants: number): void;
}

/**
 * Replaces what no known key opens, merchant by merchant, each in a transaction of its own. The mark of the installation comes
 * last: until all is done, no service starts. Run again, it continues after the last one that was done.
 */
export async function giveUpMissingKeys(
  db: Database,
  secrets: SecretBox,
  { now, batchSize, isStopped, onProgress }: GiveUpOptions,
): Promise<GivenUp> {
  const total: GivenUp = { merchants: 0, webhookSecrets: 0, notifications: 0, emails: 0 };
  for (;;) {
    const ids = await listMerchantsWithUnopened(db, secrets.keyIds(), batchSize);
    if (ids.length === 0) break;
    for (const id of ids) {
      if (isStopped()) return total;
      const done = await db.transaction((tx) => giveUpOf(tx, secrets, id, now));
      total.merchants += 1;
      total.webhookSecrets += done.webhookSecrets;
      total.notifications += done.notifications;
      total.emails += done.emails;
      onProgress(total.merchants);
    }
  }
  await refuseRest(db, secrets);
  await resealInstallation(db, secrets);
  return total;
}

/** A sealed column that is not replaced above could never be read again once the service starts. */
async function refuseRest(db: Database, secrets: SecretBox): Promise<void> {
  const left = (await readSealed(db)).filter(
    ({ column, keyId }) => column !== 'installation.sealed_check' && !secrets.keyIds().includes(keyId ?? ''),
  );
  if (left.length > 0)
    throw new Error(`nothing replaces what is sealed in ${left.map(({ column }) => column).join(', ')}`);
}

async function giveUpOf(tx: Tx, secrets: SecretBox, merchantId: string, now: Date) {
  const own = await replaceUnopenedSecret(tx, merchantId, secrets);
  const others = await replaceUnopenedEndpoints(tx, merchantId, secrets);
  const emails = await withdrawUnopenedEmails(tx, merchantId, secrets.keyIds());
  const { notifications } = others;
  const done = {
    webhookSecrets: Number(own.isReplaced) + others.webhooks.length,
    ...{ notifications: notifications.length, emails },
  };
  // Nobody here looks at the record of a merchant that was moved away.
  if (own.isClosed) return done;
  const first = own.isReplaced && own.webhookUrl !== null ? [own.webhookUrl] : [];
  const webhooks = [...first, ...others.webhooks];
  const facts = { webhooks, notifications, actor: 'operator', at: now };
  if (webhooks.length > 0 || notifications.length > 0) await queueSecretEmails(tx, merchantId, facts);
  await recordAudit(tx, {
    ...{ merchantId, actor: 'operator', action: 'secret_key.given_up', now },
    detail: { webhooks, notifications, emails },
  });
  return done;
}
