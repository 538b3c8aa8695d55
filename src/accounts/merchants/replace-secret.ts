import type { Tx } from '../../platform/db/database.ts';
import { sealedOtherwise, sealPrefixes } from '../../platform/db/sealed-by.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { newWebhookSecret } from './merchant.ts';

export interface ReplacedSecret {
  isClosed: boolean;
  /** The secret that signs was replaced; otherwise at most the one before it was dropped. */
  isReplaced: boolean;
  webhookUrl: string | null;
}

/** Replaces the merchant's webhook secret if no known key opens it, and drops the one before it. */
export async function replaceUnopenedSecret(
  tx: Tx,
  merchantId: string,
  secrets: SecretBox,
): Promise<ReplacedSecret> {
  const [row] = await tx.query<ReplacedSecret & { isUnopened: boolean }>(
    `select closed_at is not null as is_closed, webhook_url, ${sealedOtherwise('webhook_secret')} as is_replaced,
            ${sealedOtherwise('webhook_secret')} or ${sealedOtherwise('previous_webhook_secret')} as is_unopened
       from merchants where id = $2 for no key update`,
    [sealPrefixes(secrets.keyIds()), merchantId],
  );
  if (row!.isUnopened)
    await tx.query(
      `update merchants
          set webhook_secret = coalesce($2, webhook_secret), previous_webhook_secret = null, previous_webhook_secret_until = null
        where id = $1`,
      [merchantId, row!.isReplaced ? secrets.seal(newWebhookSecret()) : null],
    );
  return row!;
}
