import { createHash } from 'node:crypto';
import type { ReadTransaction } from '../../chain/solana/read-message.ts';

/** Returns the hash that identifies a transaction before everybody has signed it. */
export function hashOf({ messageBytes }: ReadTransaction): Buffer {
  return createHash('sha256').update(messageBytes).digest();
}
