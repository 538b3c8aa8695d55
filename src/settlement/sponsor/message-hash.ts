import { createHash } from 'node:crypto';
import type { Transaction } from '@solana/kit';

/** What a transaction is known by before everybody has signed it. */
export function hashOf({ messageBytes }: Transaction): Buffer {
  return createHash('sha256').update(Buffer.from(messageBytes)).digest();
}
