import { AppError } from '../platform/lib/errors.ts';

/** Long enough for a payment to land, mostly. */
export const WAIT_SECONDS = 5;

/** Refuses what has to wait until a payment has arrived, or can no longer land. */
export function paymentInProgress(message: string): AppError {
  return new AppError('INVALID_STATE', { message, retryAfterSeconds: WAIT_SECONDS });
}
