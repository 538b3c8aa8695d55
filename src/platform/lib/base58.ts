import { base58 } from '@scure/base';
import { randomSlice } from './random.ts';

const SOLANA_ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Five letters at a time: a number below 58⁵, times 2¹⁶, is still exact. */
const LETTERS = 5;
const STEP = 58 ** LETTERS;

/** By hand: every offer and every intent has an address, and the library takes twice as long for one. */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  const limbs: number[] = [];
  const isOdd = (bytes.length - zeros) % 2 === 1;
  if (isOdd) limbs.push(bytes[zeros]!);
  for (let i = zeros + (isOdd ? 1 : 0); i < bytes.length; i += 2) {
    let carry = bytes[i]! * 256 + bytes[i + 1]!;
    for (let at = 0; at < limbs.length; at++) {
      const value = limbs[at]! * 65_536 + carry;
      carry = Math.floor(value / STEP);
      limbs[at] = value - carry * STEP;
    }
    if (carry > 0) limbs.push(carry);
  }
  return '1'.repeat(zeros) + lettersOf(limbs);
}

/** The lowest limb first; only the highest is written without leading ones. */
function lettersOf(limbs: readonly number[]): string {
  let text = '';
  for (const [at, limb] of limbs.entries()) {
    let letters = '';
    for (let rest = limb; at < limbs.length - 1 ? letters.length < LETTERS : rest > 0; ) {
      const next = Math.floor(rest / 58);
      letters = ALPHABET[rest - next * 58]! + letters;
      rest = next;
    }
    text = letters + text;
  }
  return text;
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
