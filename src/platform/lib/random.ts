import { randomFillSync } from 'node:crypto';

/** Drawn in bulk: a call into the random source costs as much for 8 bytes as for thousands. For names that are public. */
export const randomPool: Readonly<Uint8Array> = new Uint8Array(8_192);
let at = randomPool.length;

/** Index of `length` new bytes in the pool. They are valid until the next call; copy them to keep them. */
export function randomPlace(length: number): number {
  if (at + length > randomPool.length) {
    randomFillSync(randomPool as Uint8Array);
    at = 0;
  }
  at += length;
  return at - length;
}

export function randomSlice(length: number): Uint8Array {
  const from = randomPlace(length);
  return randomPool.subarray(from, from + length);
}
