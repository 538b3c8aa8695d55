import { newWebhookSecret } from '../accounts/merchants/merchant.ts';
import type { Tx } from '../platform/db/database.ts';
import { sealedOtherwise, sealPrefixes } from '../platform/db/sealed-by.ts';
import type { SecretBox } from '../platform/lib/secret-box.ts';
import { deleteEndpoint } from './endpoint-queries.ts';

export interface ReplacedEndpoints {
  /** URLs of webhook endpoints that have a new secret. */
  webhooks: string[];
  /** Names of notifications that were removed: their addresses cannot be read. */
  notifications: string[];
}

interface Unopened {
  merchantId: string;
  id: string;
  kind: string;
  name: string | null;
  url: string;
  isSecret: boolean;
}

/** Replaces the secrets of further endpoints that no known key opens, and removes notifications whose address was one. */
export async function replaceUnopenedEndpoints(
  tx: Tx,
  merchantId: string,
  secrets: SecretBox,
): Promise<ReplacedEndpoints> {
  const found = await tx.query<Unopened>(
    `select merchant_id, id, kind, name, url, ${sealedOtherwise('secret')} as is_secret
       from webhook_endpoints
      where merchant_id = $2 and (${sealedOtherwise('secret')} or ${sealedOtherwise('previous_secret')})
      order by id for no key update`,
    [sealPrefixes(secrets.keyIds()), merchantId],
  );
  const replaced: ReplacedEndpoints = { webhooks: [], notifications: [] };
  for (const endpoint of found) {
    if (endpoint.kind !== 'webhook') {
      await deleteEndpoint(tx, endpoint);
      replaced.notifications.push(nameOf(endpoint));
      continue;
    }
    await tx.query(
      `update webhook_endpoints set secret = coalesce($3, secret), previous_secret = null, previous_secret_until = null
        where merchant_id = $1 and id = $2`,
      [merchantId, endpoint.id, endpoint.isSecret ? secrets.seal(newWebhookSecret()) : null],
    );
    if (endpoint.isSecret) replaced.webhooks.push(endpoint.url);
  }
  return replaced;
}

/** `Sales (slack to https://hooks.example/…)`: as the list of notifications shows it. */
const nameOf = ({ kind, name, url }: Unopened) =>
  name === null ? `${kind} to ${url}` : `${name} (${kind} to ${url})`;
