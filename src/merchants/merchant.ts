import { randomBase62 } from '../lib/ids.ts';

export interface Merchant {
  id: string;
  name: string | null;
  /** `#rrggbb`, in lower case: what hosted pages are tinted with. */
  brandColor: string | null;
  payoutAddress: string | null;
  /** How long a change of a payout address waits before it takes effect. */
  payoutChangeDelayHours: number;
  verificationStatus: number;
  webhookUrl: string | null;
  /** Sealed; only a reader with the secret key can open it. */
  webhookSecret: Buffer;
  previousWebhookSecret: Buffer | null;
  previousWebhookSecretUntil: Date | null;
  createdAt: Date;
}

/** 0 unverified, 1 pending, 2 verified, 3 rejected. */
export const VERIFIED = 2;

/** The old secret keeps signing beside the new one for this long, so that no delivery is missed. */
export const SECRET_OVERLAP_HOURS = 24;

/** 40 characters out of base62 are base64 of 30 bytes too, which is how Standard Webhooks reads a secret. */
export function newWebhookSecret(): string {
  return `whsec_${randomBase62(40)}`;
}
