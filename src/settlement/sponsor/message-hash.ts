import { createHash } from 'node:crypto';
import type { ReadTransaction } from '../../chain/solana/read-message.ts';

/** What a transaction is known by before everybody has signed it. */
export function hashOf({ messageBytes }: ReadTransaction): Buffer {
  return createHash('sha256').update(messageBytes).digest();
}
