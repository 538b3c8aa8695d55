import type { Json } from '../../platform/lib/json.ts';
import type { Rpc } from './rpc.ts';
import { arrayOf, object } from './shapes.ts';

export interface SignatureStatus {
  /** `processed` can still vanish without a trace. */
  commitment: 'processed' | 'confirmed' | 'finalized';
  hasFailed: boolean;
}

/** The most signatures one call may ask about. */
export const MAX_STATUSES = 256;

/** In the order of the signatures; null where the node knows nothing of one. */
export function readStatuses(
  rpc: Rpc,
  signatures: readonly string[],
  options: { searchTransactionHistory?: boolean } = {},
): Promise<(SignatureStatus | null)[]> {
  return rpc.ask('getSignatureStatuses', [signatures, options], (answer) => {
    const { value } = object(answer, 'statuses');
    return arrayOf(signatures.length, value, 'statuses').map(toStatus);
  });
}

function toStatus(value: Json): SignatureStatus | null {
  if (value === null) return null;
  const { confirmationStatus, err } = object(value, 'status');
  const commitment =
    confirmationStatus === 'finalized' || confirmationStatus === 'confirmed'
      ? confirmationStatus
      : 'processed';
  return { commitment, hasFailed: err !== null && err !== undefined };
}
