import { badField } from '../../platform/lib/errors.ts';
import { randomBase62 } from '../../platform/lib/ids.ts';
import type { SponsorMode } from './sponsor-fees.ts';

export interface Merchant {
  id: string;
  name: string | null;
  /** `#rrggbb`, in lower case: what hosted pages are tinted with. */
  brandColor: string | null;
  /** File name in `logos`. */
  logoFile: string | null;
  payoutAddress: string | null;
  /** How long a payout address change is delayed. */
  payoutChangeDelayHours: number;
  /** Null: as usual for the network. */
  sponsorFees: SponsorMode | null;
  /** Its name in the IANA database: whose days reports show. */
  timeZone: string;
  verificationStatus: number;
  webhookUrl: string | null;
  /** Sealed; only a reader with the secret key can open it. */
  webhookSecret: Buffer;
  previousWebhookSecret: Buffer | null;
  previousWebhookSecretUntil: Date | null;
  createdAt: Date;
}

/** A status is a number in the API; this is the word for each, in their order. */
export const VERIFICATION_STATUSES = ['unverified', 'pending', 'verified', 'rejected'] as const;

/** By its name or its number. */
export function parseVerificationStatus(text: string): number {
  const number = /^[0-3]$/.test(text) ? Number(text) : VERIFICATION_STATUSES.indexOf(text as 'verified');
  if (number < 0)
    throw badField(
      'status',
      `cannot be: there is no status "${text}"; there are ${VERIFICATION_STATUSES.join(', ')}`,
    );
  return number;
}

export const VERIFIED = 2;

/** How long the old secret keeps signing next to the new one, so that no delivery is missed. */
export const SECRET_OVERLAP_HOURS = 24;

/** 40 characters out of base62 are base64 of 30 bytes too, which is how Standard Webhooks reads a secret. */
export function newWebhookSecret(): string {
  return `whsec_${randomBase62(40)}`;
}
