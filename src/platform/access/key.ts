import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '../lib/ids.ts';

export const SCOPES = ['billing:read', 'billing:write', 'payments:read', 'payments:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Two kinds of money: real, and the test kind of devnet and the sandbox. A key works with one only. */
export type Environment = 'mainnet' | 'devnet';

const PREFIX: Record<Environment, string> = { mainnet: 'fl_live_', devnet: 'fl_dev_' };
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 4;

export interface MintedKey {
  /** The full key: shown once, never stored. */
  raw: string;
  hash: string;
  /** Enough of the key to recognise it in a list. */
  prefix: string;
}

export function mintKey(environment: Environment): MintedKey {
  const body = PREFIX[environment] + randomBase62(SECRET_LENGTH);
  const raw = body + checksum(body);
  return { raw, hash: hashKey(raw), prefix: raw.slice(0, PREFIX[environment].length + SHOWN_LENGTH) };
}

/** Undefined unless the text is a complete key of this environment; a mistyped one never reaches the database. */
export function parseKey(text: string, environment: Environment): string | undefined {
  const prefix = PREFIX[environment];
  if (text.length !== prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH || !text.startsWith(prefix))
    return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(body)) ? hashKey(text) : undefined;
}

function checksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_LENGTH);
}

/** As hex: making a Buffer would cost three times what the hash does. */
function hashKey(raw: string): string {
  return hash('sha256', raw, 'hex');
}
