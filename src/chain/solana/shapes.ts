import type { Json } from '../../platform/lib/json.ts';
import { RpcFailure } from './rpc-failure.ts';

/** Readers for the parts of RPC answers we use. Anything of another shape throws, so it counts as unknown. */
type JsonObject = { [key: string]: Json };

export function object(value: Json | undefined, what: string): JsonObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new RpcFailure(`${what} is not an object`);
  return value;
}

export function array(value: Json | undefined, what: string): Json[] {
  if (!Array.isArray(value)) throw new RpcFailure(`${what} is not a list`);
  return value;
}

/** One item for each that was requested, in the same order. */
export function arrayOf(count: number, value: Json | undefined, what: string): Json[] {
  const items = array(value, what);
  if (items.length !== count) throw new RpcFailure(`${what} do not match those requested`);
  return items;
}

export function text(value: Json | undefined, what: string): string {
  if (typeof value !== 'string') throw new RpcFailure(`${what} is not text`);
  return value;
}

export function integer(value: Json | undefined, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new RpcFailure(`${what} is not a count`);
  return value;
}

export function amount(value: Json | undefined, what: string): bigint {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value))
    throw new RpcFailure(`${what} is not an amount`);
  return BigInt(value);
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const ADDRESS = new RegExp(`^${BASE58}{32,44}$`);
const SIGNATURE = new RegExp(`^${BASE58}{64,88}$`);

/** Text that looks like an address: whatever else it says, it can be stored and compared. */
export function addressText(value: Json | undefined, what: string): string {
  if (typeof value !== 'string' || !ADDRESS.test(value)) throw new RpcFailure(`${what} is not an address`);
  return value;
}

/** The end of the year 9999: beyond it no calendar, and no database, has a date. */
const LAST_SECOND = 253_402_300_799;

/** Seconds since 1970. */
export function blockSeconds(value: Json | undefined): number {
  const seconds = integer(value, 'blockTime');
  if (seconds > LAST_SECOND) throw new RpcFailure('blockTime is not a time');
  return seconds;
}

export interface SignatureInfo {
  signature: string;
  /** Taken from its neighbour if the node has none for it: only the transaction itself decides. */
  slot: number;
  blockTime: number | null;
  isFinal: boolean;
}

export interface SignatureList {
  /** Entries in the node's order: newest first, or they should be. */
  infos: SignatureInfo[];
  /** Entries without a signature. Something may be missing, and there is no telling what. */
  unnamedCount: number;
}

/** Read entry by entry: one that is odd, with whatever a stranger made of it, costs none of the others. */
export function signatureList(value: Json): SignatureList {
  const entries = array(value, 'signatures').map(readEntry);
  const named = entries.filter((entry) => entry !== undefined);
  const slots = named.map(({ slot }) => slot);
  const infos = named.flatMap((info, i) => {
    const slot = info.slot ?? slots.slice(0, i).findLast(isKnown) ?? slots.slice(i).find(isKnown);
    return slot === undefined ? [] : [{ ...info, slot }];
  });
  return { infos, unnamedCount: entries.length - infos.length };
}

function readEntry(value: Json): (Omit<SignatureInfo, 'slot'> & { slot: number | undefined }) | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const { signature, slot, blockTime, confirmationStatus } = value;
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return undefined;
  const readSlot = readable(() => integer(slot, 'slot'));
  return {
    signature,
    slot: readSlot,
    blockTime: readable(() => blockSeconds(blockTime)) ?? null,
    isFinal: confirmationStatus === 'finalized' && readSlot !== undefined,
  };
}

function isKnown(slot: number | undefined): slot is number {
  return slot !== undefined;
}

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export type Finality = 'unknown' | 'processed' | 'confirmed' | 'finalized';

export interface SignatureStatuses {
  /** The newest slot of the one that answered: what came later, it cannot know. */
  slot: number;
  statuses: Finality[];
}

export function signatureStatuses(value: Json, count: number): SignatureStatuses {
  const answer = object(value, 'statuses');
  const statuses = arrayOf(count, answer.value, 'statuses').map((item): Finality => {
    if (item === null) return 'unknown';
    const status = object(item, 'status').confirmationStatus;
    return status === 'processed' || status === 'confirmed' || status === 'finalized' ? status : 'unknown';
  });
  return { slot: integer(object(answer.context, 'context').slot, 'slot'), statuses };
}
