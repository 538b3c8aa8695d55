import { decodeBase58, encodeBase58 } from '../encoding/base58.ts';

/**
 * Addresses between their bytes and their text. The same few thousand come by all day and base58 costs as
 * much as executing a transaction, so both directions are remembered.
 */
const MAX_REMEMBERED = 20_000;
const textByBytes = new Map<string, string>();
const bytesByText = new Map<string, Uint8Array>();

export function addressText(bytes: Uint8Array): string {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let text = textByBytes.get(key);
  if (text === undefined) {
    text = encodeBase58(bytes);
    remember(textByBytes, key, text);
    remember(bytesByText, text, Uint8Array.from(bytes));
  }
  return text;
}

/** Throws for text that is no address: callers check outside input first. */
export function addressBytes(text: string): Uint8Array {
  let bytes = bytesByText.get(text);
  if (bytes === undefined) {
    bytes = decodeBase58(text);
    if (bytes?.length !== 32) throw new Error(`${text} is no address`);
    remember(bytesByText, text, bytes);
  }
  return bytes;
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= MAX_REMEMBERED) map.clear();
  map.set(key, value);
}
