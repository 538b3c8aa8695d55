import {
  boolean,
  bytes,
  nullable,
  oneOf,
  smallint,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { badField } from '../../platform/lib/errors.ts';
import { randomBase62 } from '../../platform/lib/ids.ts';
import { SPONSOR_MODES } from './sponsor-fees.ts';

export const merchants = table(
  'merchants',
  {
    id: uuid,
    name: nullable(text),
    /** `#rrggbb`, in lower case: what hosted pages are tinted with. */
    brandColor: nullable(text),
    /** File name in `logos`. */
    logoFile: nullable(text),
    /** Its name in the IANA database: whose days reports show. */
    timeZone: withDefault(text),
    payoutAddress: nullable(text),
    /** How long a payout address change is delayed. */
    payoutChangeDelayHours: withDefault(smallint),
    /** True if owners sign in with passkeys only. */
    requirePasskeys: withDefault(boolean),
    verificationStatus: withDefault(smallint),
    /** Null: as usual for the network. */
    sponsorFees: nullable(oneOf(SPONSOR_MODES)),
    /** True if new payment intents are events. */
    announcesIntents: withDefault(boolean),
    webhookUrl: nullable(text),
    /** Sealed; only a reader with the secret key can open it. */
    webhookSecret: bytes,
    previousWebhookSecret: nullable(bytes),
    previousWebhookSecretUntil: nullable(timestamp),
    createdAt: timestamp,
    /** Since when it moves to another installation. */
    closedAt: nullable(timestamp),
    /** Address of that installation, once it is open there. */
    movedTo: nullable(text),
  },
  ['id'],
);
export type Merchant = RowOf<typeof merchants>;

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
