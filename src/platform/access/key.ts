import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { toBase62 } from '../lib/ids.ts';
import { CELL_LENGTH, newToken } from '../lib/token.ts';

export const SCOPES = ['billing:read', 'billing:write', 'payments:read', 'payments:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Two kinds of money: real, and the test kind of devnet and the sandbox. A key works with one only. */
export type Environment = 'mainnet' | 'devnet';

const KIND = { mainnet: 'fl_live', devnet: 'fl_dev' } as const;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** Characters of the secret that a prefix shows, behind the cell, which many keys share. */
const SHOWN_LENGTH = 4;

export interface MintedKey {
  /** The full key: shown once, never stored. */
  raw: string;
  hash: string;
  /** Enough of the key to recognise it in a list. */
  prefix: string;
}

export function mintKey(environment: Environment): MintedKey {
  const body = newToken(KIND[environment]);
  const raw = body + checksum(body);
  return { raw, hash: hashKey(raw), prefix: body.slice(0, body.length - SECRET_LENGTH + SHOWN_LENGTH) };
}

/** Undefined unless the text is a complete key of this environment; a mistyped one never reaches the database. */
export function parseKey(text: string, environment: Environment): string | undefined {
  const prefix = `${KIND[environment]}_`;
  const length = text.length - prefix.length - SECRET_LENGTH - CHECKSUM_LENGTH;
  if (length !== CELL_LENGTH || !text.startsWith(prefix)) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(body)) ? hashKey(text) : undefined;
}

function checksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_LENGTH);
}

/** Returns hex: making a Buffer would cost three times as much as the hash does. */
function hashKey(raw: string): string {
  return hash('sha256', raw, 'hex');
}
