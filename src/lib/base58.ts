import { randomBytes } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = new Map([...ALPHABET].map((char, value) => [char, BigInt(value)]));

const SOLANA_ADDRESS_BYTES = 32;

/** Works in chunks of 58^9, which a double holds exactly: several times faster than digit by digit. */
export function encodeBase58(bytes: Uint8Array): string {
  let value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (value > 0n) {
    let chunk = Number(value % CHUNK);
    value /= CHUNK;
    for (let i = 0; i < CHUNK_DIGITS && (value > 0n || chunk > 0); i++) {
      text = ALPHABET[chunk % 58] + text;
      chunk = Math.floor(chunk / 58);
    }
  }
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

const CHUNK_DIGITS = 9;
const CHUNK = 58n ** BigInt(CHUNK_DIGITS);

/** Undefined when the text is not base58. */
export function decodeBase58(text: string): Uint8Array | undefined {
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

/** A reference is looked for on chain and never signs, so 32 random bytes do; no key pair exists for it. */
export function newReferenceAddress(): string {
  return encodeBase58(randomBytes(SOLANA_ADDRESS_BYTES));
}
