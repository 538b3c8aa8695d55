import { createHash } from 'node:crypto';

const SLOTS = 512;
const ENTRY_BYTES = 40;
const HEAD_BYTES = 8;

/**
 * The account in which programs look up recent slots, newest first (creating a lookup table needs one). Kept as
 * bytes and moved along, because hashing 512 slots again for each slot would be slow.
 */
export function slotHashes(): (slot: number) => Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES + SLOTS * ENTRY_BYTES);
  bytes.writeBigUInt64LE(BigInt(SLOTS));
  let newest = 0;
  return (slot) => {
    const fresh = Math.min(SLOTS, slot - 1 - newest);
    bytes.copyWithin(HEAD_BYTES + fresh * ENTRY_BYTES, HEAD_BYTES, bytes.length - fresh * ENTRY_BYTES);
    newest = slot - 1;
    for (let i = 0; i < fresh; i++) writeEntry(bytes, HEAD_BYTES + i * ENTRY_BYTES, newest - i);
    return bytes;
  };
}

function writeEntry(bytes: Buffer, at: number, slot: number): void {
  bytes.writeBigUInt64LE(BigInt(slot), at);
  createHash('sha256')
    .update(`slot ${slot}`)
    .digest()
    .copy(bytes, at + 8);
}
