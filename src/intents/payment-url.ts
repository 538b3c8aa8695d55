import { isOffCurve } from '../chain/solana/off-curve.ts';
import { transactionRequestUrl, transferRequestUrl } from '../chain/solana/pay-url.ts';
import { dueBaseUnits, type Intent } from './intent.ts';

export interface PaymentUrlPlace {
  mint: string;
  publicUrl(): string;
}

/**
 * The Solana Pay URL for what is due on an intent; undefined for an amount that no transfer can carry. At a vault it is a
 * transaction request, because the widespread versions of Solana Pay refuse to build a transfer to an address off the curve.
 */
export function paymentUrlOf(
  intent: Intent,
  { mint, publicUrl }: PaymentUrlPlace,
  label: string | null = null,
): string | undefined {
  const { id, destinationAddress: destination, referenceAddress: reference, orderId: message } = intent;
  const amountBaseUnits = dueBaseUnits(intent);
  const url = transferRequestUrl({
    destination,
    amountBaseUnits,
    mint,
    reference,
    label,
    message,
    memo: reference,
  });
  const origin = publicUrl();
  // Wallets send a transaction request nowhere without TLS.
  if (!url || !origin.startsWith('https:') || !isOffCurve(destination)) return url;
  return transactionRequestUrl(`${origin}/api/public/intents/${id}/pay`);
}
