import { encodeCanonical } from './canonical-json.ts';
import { METHOD } from './protocol.ts';

export interface Paid {
  challengeId: string;
  /** The transaction's. */
  signature: string;
  /** The order's reference, as its memo names it. */
  externalId: string;
  at: Date;
}

/** The value of `Payment-Receipt`. */
export function receiptHeader({ challengeId, signature, externalId, at }: Paid): string {
  return encodeCanonical({
    challengeId,
    externalId,
    method: METHOD,
    reference: signature,
    status: 'success',
    timestamp: at.toISOString(),
  });
}
