import { zstdCompressSync } from 'node:zlib';
import { encodeBase58 } from '../encoding/base58.ts';
import type { AccountState } from '../ledger/genesis.ts';
import { parseAccount, type Read } from './parse-account.ts';
import { INVALID_REQUEST, invalidParams, RpcError } from './rpc-error.ts';
import { type Config, oneOf, optionalInteger } from './rpc-params.ts';

const ENCODINGS = ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'] as const;
export type AccountEncoding = (typeof ENCODINGS)[number];

export interface AccountFormat {
  encoding: AccountEncoding;
  slice: { offset: number; length: number } | undefined;
}

const MAX_BASE58_BYTES = 128;
const NEVER = 18_446_744_073_709_551_615n;

export function accountFormatIn(config: Config, fallback: AccountEncoding = 'binary'): AccountFormat {
  const encoding = oneOf(config, 'encoding', ENCODINGS, fallback);
  const slice = config.dataSlice ?? null;
  if (slice === null) return { encoding, slice: undefined };
  if (typeof slice !== 'object' || Array.isArray(slice))
    throw invalidParams('Invalid params: invalid type, expected a data slice.');
  const offset = optionalInteger(slice, 'offset') ?? 0;
  return { encoding, slice: { offset, length: optionalInteger(slice, 'length') ?? 0 } };
}

export function encodeAccount(account: AccountState, format: AccountFormat, read: Read) {
  return {
    data: encodeData(account, format, read),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.owner,
    rentEpoch: NEVER,
    space: account.data.length,
  };
}

function encodeData(account: AccountState, { encoding, slice }: AccountFormat, read: Read): unknown {
  const parsed = encoding === 'jsonParsed' ? parseAccount(account, read) : undefined;
  if (parsed) return parsed;
  const whole = Buffer.from(account.data.buffer, account.data.byteOffset, account.data.byteLength);
  const data = slice ? whole.subarray(slice.offset, slice.offset + slice.length) : whole;
  switch (encoding) {
    case 'binary':
      return base58(data);
    case 'base58':
      return [base58(data), 'base58'];
    case 'base64+zstd':
      return [zstdCompressSync(data).toString('base64'), 'base64+zstd'];
    default:
      return [data.toString('base64'), 'base64'];
  }
}

function base58(data: Buffer): string {
  if (data.length > MAX_BASE58_BYTES)
    throw new RpcError(
      INVALID_REQUEST,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  return encodeBase58(data);
}
