import { randomFillSync } from 'node:crypto';

/** Drawn in bulk: a call into the random source costs as much for 8 bytes as for thousands. */
const pool = new Uint8Array(8_192);
let at = pool.length;

/** Random bytes for names that are public. They are valid until the next call; copy what shall last. */
export function randomSlice(length: number): Uint8Array {
  if (at + length > pool.length) {
    randomFillSync(pool);
    at = 0;
  }
  at += length;
  return pool.subarray(at - length, at);
}
