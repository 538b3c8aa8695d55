import {
  as,
  bigint,
  boolean,
  cents,
  integer,
  json,
  nullable,
  oneOf,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { badField } from '../../platform/lib/errors.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import { TAX_BEHAVIORS } from '../tax-rates/tax-rate.ts';

export const BILLING_MODES = ['one_time', 'balance_top_up', 'subscription'] as const;
export type BillingMode = (typeof BILLING_MODES)[number];

export const INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Two years. */
export const MAX_TRIAL_DAYS = 730;

/** Two names of one money: amounts are US cents, paid in USDC. */
export const CURRENCIES = ['USD', 'USDC'] as const;

export const prices = table(
  'prices',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    productId: uuid,
    name: nullable(text),
    /** The merchant's own name for it, unique in the project. */
    lookupKey: nullable(text),
    unitAmountCents: cents,
    currency: withDefault(as<'USD'>(text)),
    billingMode: oneOf(BILLING_MODES),
    /** For and only for balance_top_up: what the customer gets. */
    creditAmount: nullable(bigint),
    /** For and only for subscription. */
    recurringInterval: nullable(oneOf(INTERVALS)),
    recurringIntervalCount: nullable(integer),
    /** For subscription: how many days are free at first. */
    trialDays: nullable(integer),
    /** Says if the amount contains tax, or tax is added to it. */
    taxBehavior: withDefault(oneOf(TAX_BEHAVIORS)),
    /** Null: the project's default for the buyer's country. */
    taxRateId: nullable(uuid),
    isActive: withDefault(boolean),
    metadata: withDefault(json<Metadata>()),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type Price = RowOf<typeof prices>;

/** A price as a buyer meets it: with what it is for. */
export interface CatalogPrice extends Price {
  productName: string;
  productDescription: string | null;
  productImageFile: string | null;
  productIsActive: boolean;
}

export interface PriceTerms {
  billingMode: BillingMode;
  creditAmount?: bigint | null | undefined;
  recurringInterval?: Interval | null | undefined;
  recurringIntervalCount?: number | null | undefined;
  trialDays?: number | null | undefined;
}

/** The terms of a price, complete: each mode has its own and takes no others. */
export function termsOf(input: PriceTerms): Required<{
  [Key in keyof PriceTerms]: Exclude<PriceTerms[Key], undefined>;
}> {
  const { billingMode } = input;
  const creditAmount = input.creditAmount ?? null;
  const recurringInterval = input.recurringInterval ?? null;
  const recurringIntervalCount = input.recurringIntervalCount ?? null;
  const trialDays = input.trialDays ?? null;
  belongs('creditAmount', creditAmount, billingMode, 'balance_top_up');
  belongs('recurringInterval', recurringInterval, billingMode, 'subscription');
  if (billingMode === 'subscription')
    return {
      billingMode,
      creditAmount,
      recurringInterval,
      recurringIntervalCount: recurringIntervalCount ?? 1,
      trialDays,
    };
  if (recurringIntervalCount !== null)
    throw badField('recurringIntervalCount', 'is only for billingMode subscription');
  if (trialDays !== null) throw badField('trialDays', 'is only for billingMode subscription');
  return { billingMode, creditAmount, recurringInterval, recurringIntervalCount, trialDays };
}

function belongs(field: string, value: unknown, mode: BillingMode, owner: BillingMode): void {
  if (mode === owner && value === null) throw badField(field, `is required for billingMode ${owner}`);
  if (mode !== owner && value !== null) throw badField(field, `is only for billingMode ${owner}`);
}
