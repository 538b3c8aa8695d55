import { randomSlice } from './random.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = new Map([...ALPHABET].map((char, value) => [char, BigInt(value)]));

const SOLANA_ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

/**
 * Long multiplication two bytes at a time, in limbs of 58^6: the largest power whose products a double still
 * holds exactly. Three times as fast as with bigint, and every new intent needs one.
 */
export function encodeBase58(bytes: Uint8Array): string {
  const limbs: number[] = [];
  for (let i = bytes.length % 2 === 0 ? 0 : -1; i < bytes.length; i += 2) {
    let carry = (bytes[i] ?? 0) * 256 + bytes[i + 1]!;
    for (let j = 0; j < limbs.length; j++) {
      carry += limbs[j]! * 65_536;
      const quotient = Math.floor(carry / LIMB);
      limbs[j] = carry - quotient * LIMB;
      carry = quotient;
    }
    if (carry > 0) limbs.push(carry);
  }
  let text = '';
  for (const [j, limb] of limbs.entries()) {
    const isTop = j === limbs.length - 1;
    let rest = limb;
    for (let k = 0; isTop ? rest > 0 : k < LIMB_DIGITS; k++) {
      const quotient = Math.floor(rest / 58);
      text = ALPHABET[rest - quotient * 58] + text;
      rest = quotient;
    }
  }
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

const LIMB_DIGITS = 6;
const LIMB = 58 ** LIMB_DIGITS;

/** As long as a whole transaction is in base58; nothing that anybody writes that way is longer. */
export const MAX_BASE58_CHARS = 1_683;

/** Undefined when the text is not base58, or so long that the time it takes, which grows as its square, would be felt. */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > MAX_BASE58_CHARS) return undefined;
  let value = 0n;
  for (const char of text) {
    const digit = VALUES.get(char);
    if (digit === undefined) return undefined;
    value = value * 58n + digit;
  }
  const digits = value === 0n ? '' : value.toString(16);
  const tail = Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex');
  const zeros = text.length - text.replace(/^1+/, '').length;
  return Buffer.concat([Buffer.alloc(zeros), tail]);
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
