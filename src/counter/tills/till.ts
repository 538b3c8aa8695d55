import { hash, randomInt } from 'node:crypto';
import {
  arrayOf,
  hexHash,
  integer,
  nullable,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { newToken } from '../../platform/lib/token.ts';

/** Phones and tablets at the counter, and the codes that are to become one. */
export const tills = table(
  'tills',
  {
    merchantId: uuid,
    id: uuid,
    terminalId: uuid,
    projectId: uuid,
    name: nullable(text),
    /** Tips that customers are offered, in percent; empty: none. */
    tipPercents: withDefault(arrayOf(integer)),
    codeHash: nullable(hexHash),
    codeExpiresAt: nullable(timestamp),
    keyHash: nullable(hexHash),
    /** How many sales it has begun. */
    saleCount: withDefault(integer),
    createdAt: timestamp,
    pairedAt: nullable(timestamp),
    lastSeenAt: nullable(timestamp),
    unpairedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type Till = RowOf<typeof tills>;

/** Fields of a till that its calls need. */
export const PAIRED = [
  'id',
  'merchantId',
  'terminalId',
  'projectId',
  'name',
  'tipPercents',
  'lastSeenAt',
] as const;

/** A paired till that makes a call: all that it may touch belongs to its terminal and its project. */
export interface PairedTill extends Pick<Till, (typeof PAIRED)[number]> {
  verificationStatus: number;
  payoutAddress: string | null;
}

export const CODE_LIFE_MINUTES = 10;

/** Without letters that are read as digits, or aloud as each other's. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 8;

/** 40 bits, for ten minutes. */
export function mintCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Formats a code for people: in two halves. */
export function formatCode(code: string): string {
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
}

/** Reads a code that somebody typed, in the form in which it was minted; undefined if it cannot be a code. */
export function readCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === CODE_LENGTH && [...code].every((letter) => LETTERS.includes(letter))
    ? code
    : undefined;
}

/** 256 bits; the log knows its form and never shows one. */
export function mintTillKey(): string {
  return newToken('till');
}

/** Returns hex. */
export function hashTillSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** The token that the page sends with every change: derived from the cookie, which no script can read. */
export function csrfTokenOf(cookie: string): string {
  return hash('sha256', `csrf ${cookie}`, 'base64url');
}

/** The name of a till in the audit log. */
export function actorOf({ id }: { id: string }): string {
  return `till:${id}`;
}
