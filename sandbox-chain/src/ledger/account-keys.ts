import { addressText } from './addresses.ts';
import { type AccountState, LOOKUP_TABLE_PROGRAM } from './genesis.ts';
import type { LoadedKeys } from './records.ts';
import { isWritableStatic, type WireMessage } from './wire-transaction.ts';

export interface AccountKeys {
  /** In the order instructions and balances count them. */
  keys: string[];
  loaded: LoadedKeys;
}

const TABLE_HEADER_BYTES = 56;
const ADDRESS_BYTES = 32;

/** All accounts of a transaction, those it takes from lookup tables included; undefined when a table lacks one. */
export function accountKeysOf(
  message: WireMessage,
  read: (address: string) => AccountState | undefined,
): AccountKeys | undefined {
  const loaded: LoadedKeys = { writable: [], readonly: [] };
  for (const lookup of message.lookups) {
    const table = read(lookup.table);
    if (table?.owner !== LOOKUP_TABLE_PROGRAM) return undefined;
    const addressAt = (index: number) => {
      const start = TABLE_HEADER_BYTES + index * ADDRESS_BYTES;
      return table.data.subarray(start, start + ADDRESS_BYTES);
    };
    const [writable, readonly] = [lookup.writable.map(addressAt), lookup.readonly.map(addressAt)];
    if ([...writable, ...readonly].some((bytes) => bytes.length !== ADDRESS_BYTES)) return undefined;
    loaded.writable.push(...writable.map(addressText));
    loaded.readonly.push(...readonly.map(addressText));
  }
  return { keys: [...message.staticKeys, ...loaded.writable, ...loaded.readonly], loaded };
}

/** True if the transaction may change the account at this position of `keys`. */
export function isWritable(message: WireMessage, loaded: LoadedKeys, index: number): boolean {
  const past = index - message.staticKeys.length;
  return past < 0 ? isWritableStatic(message, index) : past < loaded.writable.length;
}
