import { decodeBase58 } from '../encoding/base58.ts';
import type { Json } from '../encoding/json.ts';
import { type Commitment, isCommitment } from '../ledger/commitment.ts';
import { invalidParams } from './rpc-error.ts';

/** Reads the parameters of a call, refusing the wrong ones as a node does. */
export type Params = readonly Json[];
export type Config = { readonly [key: string]: Json };

export function stringParam(params: Params, index: number): string {
  const value = params[index];
  if (value === undefined) throw invalidParams(`\`params\` should have at least ${index + 1} argument(s)`);
  if (typeof value !== 'string') throw invalidParams(`Invalid params: invalid type, expected a string.`);
  return value;
}

/** Optional everywhere; null counts as absent. */
export function configParam(params: Params, index: number): Config {
  const value = params[index] ?? {};
  if (typeof value !== 'object' || Array.isArray(value) || value === null)
    throw invalidParams('Invalid params: invalid type, expected a configuration object.');
  return value;
}

export function arrayParam(params: Params, index: number): Json[] {
  const value = params[index];
  if (!Array.isArray(value)) throw invalidParams('Invalid params: invalid type, expected an array.');
  return value;
}

export function integerParam(params: Params, index: number): number {
  const value = params[index];
  if (value === undefined) throw invalidParams(`\`params\` should have at least ${index + 1} argument(s)`);
  return toInteger(value);
}

function toInteger(value: Json): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalidParams('Invalid params: invalid type, expected an unsigned integer.');
  return value;
}

export function toAddress(value: Json | undefined): string {
  return toBytesOfLength(value, 32);
}

export function toSignature(value: Json | undefined): string {
  return toBytesOfLength(value, 64);
}

function toBytesOfLength(value: Json | undefined, length: number): string {
  if (typeof value !== 'string') throw invalidParams('Invalid params: invalid type, expected a string.');
  // More characters than 64 bytes can have are not worth decoding.
  const bytes = value.length > 128 ? undefined : decodeBase58(value);
  if (!bytes) throw invalidParams('Invalid param: Invalid');
  if (bytes.length !== length) throw invalidParams('Invalid param: WrongSize');
  return value;
}

export function commitmentIn(config: Config, key = 'commitment'): Commitment {
  const value = config[key] ?? 'finalized';
  if (isCommitment(value)) return value;
  throw invalidParams(
    'Invalid params: unknown variant, expected one of `processed`, `confirmed`, `finalized`.',
  );
}

/** History is only told once it is confirmed. */
export function settledCommitmentIn(config: Config): Commitment {
  const commitment = commitmentIn(config);
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return commitment;
}

export function optionalInteger(config: Config, key: string): number | undefined {
  const value = config[key] ?? null;
  return value === null ? undefined : toInteger(value);
}

export function flag(config: Config, key: string): boolean {
  const value = config[key] ?? false;
  if (typeof value !== 'boolean') throw invalidParams('Invalid params: invalid type, expected a boolean.');
  return value;
}

export function oneOf<Choice extends string>(
  config: Config,
  key: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const value = config[key] ?? fallback;
  if (typeof value === 'string' && choices.includes(value as Choice)) return value as Choice;
  throw invalidParams(`Invalid params: unknown variant, expected one of ${choices.join(', ')}.`);
}
