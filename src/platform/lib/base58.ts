import { base58 } from '@scure/base';
import { randomSlice } from './random.ts';

const SOLANA_ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

export function encodeBase58(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** The length of a whole transaction in base58; nothing longer is ever written that way. */
const MAX_CHARS = 1_683;

/** Undefined if the text is not base58, or so long that decoding, which takes quadratic time, would be noticeable. */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > MAX_CHARS) return undefined;
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}

export function isSolanaAddress(text: string): boolean {
  if (text.length < 32 || text.length > 44) return false;
  return decodeBase58(text)?.length === SOLANA_ADDRESS_BYTES;
}

export function isSignature(text: string): boolean {
  if (text.length < SIGNATURE_BYTES || text.length > 88) return false;
  return decodeBase58(text)?.length === SIGNATURE_BYTES;
}

/** A reference is looked for on chain and never signs, so 32 random bytes do; no key pair exists for it. */
export function newReferenceAddress(): string {
  return encodeBase58(randomSlice(SOLANA_ADDRESS_BYTES));
}
