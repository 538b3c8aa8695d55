import { transferRequestUrl } from '../../chain/solana/pay-url.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';

/** A Solana Pay URL without a reference, which the amount stands for. One that is reserved fits into a transfer. */
export function plainUrl(asked: { destinationAddress: string; baseUnits: BaseUnits; mint: string }): string {
  const { destinationAddress: destination, baseUnits: amountBaseUnits, mint } = asked;
  return transferRequestUrl({ destination, amountBaseUnits, mint })!;
}
