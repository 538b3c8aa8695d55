import type { SecretBox } from '../../platform/lib/secret-box.ts';
import type { Merchant } from './merchant.ts';

/** `secrets` is given only for a caller who may see the webhook secret. */
export function presentProfile(merchant: Merchant, secrets: SecretBox | undefined) {
  const { id, name, payoutAddress, webhookUrl, verificationStatus } = merchant;
  const webhookSecret = secrets ? secrets.open(merchant.webhookSecret) : null;
  return {
    id,
    name,
    payoutAddress,
    webhookUrl,
    webhookSecret,
    rawApiKey: null,
    verificationStatus,
  };
}
