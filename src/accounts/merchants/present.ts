import { Nullable, Shape, Text, Timestamp } from '../../platform/http/schema.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { imageUrl } from '../images/image-url.ts';
import type { Merchant } from './merchant.ts';
import type { Brand } from './read-brand.ts';

export const LogoUrl = Nullable(
  Text({ max: 2048, description: 'The image that customers see. Null: none.' }),
);

export const BrandView = Shape('Brand', {
  name: Nullable(Text()),
  brandColor: Nullable(Text({ description: '`#rrggbb`: the colour of hosted pages.' })),
  logoUrl: LogoUrl,
});

export const WebhookSecret = Shape('WebhookSecret', {
  webhookSecret: Text({ description: 'The new secret.' }),
  previousSecretExpiresAt: Timestamp('Until then webhooks are signed with the old secret too.'),
});

/** `secrets` is only passed for a caller who may see the webhook secret. */
export function presentProfile(merchant: Merchant, secrets: SecretBox | undefined, publicUrl: string) {
  const { id, name, payoutAddress, webhookUrl, verificationStatus, timeZone } = merchant;
  const webhookSecret = secrets ? secrets.open(merchant.webhookSecret) : null;
  return {
    id,
    name,
    payoutAddress,
    webhookUrl,
    webhookSecret,
    rawApiKey: null,
    verificationStatus,
    logoUrl: imageUrl(publicUrl, merchant.logoFile),
    timeZone,
  };
}

export function presentBrand({ name, brandColor, logoFile }: Brand, publicUrl: string) {
  return { name, brandColor, logoUrl: imageUrl(publicUrl, logoFile) };
}
