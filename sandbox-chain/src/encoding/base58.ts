import { base58 } from '@scure/base';
import { getBase58Decoder } from '@solana/kit';

/** The faster one takes no more than this; what one program hands to another may be five times as long. */
const FAST_BYTES = 2_048;

export function encodeBase58(bytes: Uint8Array): string {
  return bytes.length <= FAST_BYTES ? base58.encode(bytes) : getBase58Decoder().decode(bytes);
}

/** Length of a whole transaction in base58; nothing that anybody writes that way is longer. */
export const MAX_BASE58_CHARS = 1_683;

/** Undefined when the text is not base58, or so long that the time it takes, which grows as its square, would be felt. */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > MAX_BASE58_CHARS) return undefined;
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}
