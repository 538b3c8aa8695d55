import type { SponsorMode } from '../../accounts/merchants/sponsor-fees.ts';
import type { FeePayer } from '../../chain/fee-payer/fee-payer.ts';
import {
  bigint,
  boolean,
  bytes,
  nullable,
  oneOf,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';

/** Pays network fees for payers, up to a limit per day. */
export interface Sponsor {
  feePayer: FeePayer;
  limitLamportsPerDay: bigint;
  /** The same for one merchant. Null: not set, and so a share of it where there are several. */
  merchantLimitLamportsPerDay: bigint | null;
  /** Below this nothing more is signed: an account that is nearly empty cannot pay anything. */
  minLamports: bigint;
  /** Mode for merchants that have not chosen one. */
  defaultMode: SponsorMode;
  /** Returns the balance as of a few seconds ago. */
  balance(): Promise<bigint>;
  /** The same for what is only shown: as of a few minutes ago while it is enough for a day. */
  shownBalance(): Promise<bigint>;
  /** The USDC of a wallet, as the network has confirmed it. */
  held(owner: string): Promise<BaseUnits>;
  /** True if an owner can receive: the fee payer does not pay for a new token account. */
  hasAccount(owner: string): Promise<boolean>;
}

export const VIAS = ['wallet', 'x402', 'mpp'] as const;
export type Via = (typeof VIAS)[number];

export const SPONSORED_STATES = ['prepared', 'sent', 'landed', 'dropped'] as const;
export type SponsoredState = (typeof SPONSORED_STATES)[number];

/** Payments whose fee is ours, from before they are sent until their end is known. */
export const sponsoredTransactions = table(
  'sponsored_transactions',
  {
    signature: text,
    merchantId: uuid,
    intentId: uuid,
    payer: text,
    via: oneOf(VIAS),
    messageHash: bytes,
    /** Bytes that are sent, signed by both. */
    transaction: bytes,
    feeLamports: bigint,
    state: withDefault(oneOf(SPONSORED_STATES)),
    hasFailed: withDefault(boolean),
    /** Block past which it can no longer land; null until the chain was looked at after it was sent. */
    lapsesAtHeight: nullable(bigint),
    createdAt: timestamp,
    nextCheckAt: timestamp,
  },
  ['merchantId', 'signature'],
);
export type Sponsored = Omit<RowOf<typeof sponsoredTransactions>, 'nextCheckAt'>;

export const REASONS_OFF = [
  'not_set_up',
  'network_unreachable',
  'low_balance',
  'daily_limit_reached',
  'merchant_limit_reached',
] as const;
export type ReasonOff = (typeof REASONS_OFF)[number];

/** A wallet with less than this may be unable to pay a fee. */
export const ENOUGH_LAMPORTS = 1_000_000n;
