import { type BaseUnits, type Cents, centsToBaseUnits } from '../../platform/lib/money.ts';

/** The least and the most that exchanges deduct for sending USDC on Solana. */
export const MIN_EXCHANGE_FEE_CENTS: Cents = 10n;
export const MAX_EXCHANGE_FEE_CENTS: Cents = 500n;
export const MAX_EXCHANGE_FEE: BaseUnits = centsToBaseUnits(MAX_EXCHANGE_FEE_CENTS);
