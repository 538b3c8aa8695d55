import type { Intent } from '../../intents/intent.ts';
import { reserveAmount } from '../../payments/reserved-amounts/reserve-amount.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { CheckoutParts } from './read-payment.ts';

/**
 * Reserves an amount for the payer of a page; returns what the page is then opened with. There may be none left, or too many
 * for this network: other ways of paying are on the same page.
 */
export async function askForAmount(
  parts: CheckoutParts,
  { id }: Intent,
  ip: string,
): Promise<Record<string, string>> {
  try {
    await reserveAmount(parts, id, ip);
    return {};
  } catch (error) {
    const isRefusal = error instanceof AppError && ['INVALID_STATE', 'RATE_LIMITED'].includes(error.code);
    if (!isRefusal) throw error;
    return { amount: 'refused' };
  }
}

export const isAmountRefused = ({ amount }: Record<string, string>): boolean => amount === 'refused';
