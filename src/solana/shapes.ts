import type { Json } from '../lib/json.ts';
import { RpcFailure } from './rpc.ts';

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

export interface SignatureInfo {
  signature: string;
  slot: number;
  blockTime: number | null;
  isFinal: boolean;
}

export function signatureInfos(value: Json): SignatureInfo[] {
  return array(value, 'signatures').map((item) => {
    const info = object(item, 'signature');
    const status = info.confirmationStatus;
    return {
      signature: text(info.signature, 'signature'),
      slot: integer(info.slot, 'slot'),
      blockTime:
        info.blockTime === null || info.blockTime === undefined ? null : integer(info.blockTime, 'blockTime'),
      isFinal: status === 'finalized',
    };
  });
}

export type Finality = 'unknown' | 'processed' | 'confirmed' | 'finalized';

export function signatureStatuses(value: Json, count: number): Finality[] {
  const statuses = array(object(value, 'statuses').value, 'statuses');
  if (statuses.length !== count) throw new RpcFailure('statuses do not match the signatures asked for');
  return statuses.map((item) => {
    if (item === null) return 'unknown';
    const status = object(item, 'status').confirmationStatus;
    return status === 'processed' || status === 'confirmed' || status === 'finalized' ? status : 'unknown';
  });
}
