import { encodeBase58 } from '../../platform/lib/base58.ts';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';

/** A decoded transaction: views of its bytes, not copies. */
export interface DecodedTransaction {
  /** In the order of the signers, which are the first accounts; zeros where a signature is missing. */
  signatures: readonly Uint8Array[];
  /** The bytes that are signed. */
  messageBytes: Uint8Array;
  /** Undefined for a version that is not known here. */
  message: Message | undefined;
}

/** Contents of a transaction's message. */
export interface Message {
  /** The fee payer first, then the other signers, then everyone else; those in lookup tables are not among them. */
  accounts: readonly string[];
  signerCount: number;
  hasLookupTables: boolean;
  instructions: readonly Instruction[];
}

export interface Instruction {
  program: string;
  accounts: readonly string[];
  data: Uint8Array;
}

/** Stands for an account that is in a lookup table, or does not exist. */
export const UNKNOWN = '';

const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;
const VERSIONED = 0x80;

/**
 * Reads a transaction, legacy or of version 0. Undefined for bytes that a node would not take as exactly one: too few, too
 * many, lengths that are not written in the shortest way, other signatures than the message asks for. By hand: strangers
 * send these for nothing, and the general decoder takes ten times as long to say no.
 */
export function decodeTransaction(bytes: Buffer): DecodedTransaction | undefined {
  const first = bytes[0];
  if (first === undefined) return undefined;
  // Later versions begin with the version and end with the signatures.
  if (first > VERSIONED) return { signatures: [], messageBytes: bytes, message: undefined };
  const reader = new Reader(bytes);
  const signatures = reader.list(() => reader.bytes(SIGNATURE_BYTES));
  const messageBytes = bytes.subarray(reader.at);
  const version = bytes[reader.at] ?? VERSIONED;
  const message = version > VERSIONED ? undefined : decodeMessage(reader, version === VERSIONED);
  if (!message || reader.isOver || reader.at !== bytes.length) return undefined;
  if (message.signerCount !== signatures.length || !areOthers(message)) return undefined;
  return { signatures, messageBytes, message };
}

function decodeMessage(reader: Reader, isVersioned: boolean): Message {
  if (isVersioned) reader.byte();
  const signerCount = reader.byte();
  // The numbers of read-only signers and read-only others.
  reader.bytes(2);
  const accounts = reader.list(() => reader.address());
  // The blockhash; the network decides how long it is valid.
  reader.bytes(ADDRESS_BYTES);
  const nameOf = (index: number) => accounts[index] ?? UNKNOWN;
  const instructions = reader.list(() => ({
    program: nameOf(reader.byte()),
    accounts: reader.list(() => nameOf(reader.byte())),
    data: reader.bytes(reader.length()),
  }));
  const tables = isVersioned ? reader.list(() => skipTable(reader)) : [];
  return { accounts, signerCount, hasLookupTables: tables.length > 0, instructions };
}

function skipTable(reader: Reader): void {
  reader.bytes(ADDRESS_BYTES);
  reader.bytes(reader.length());
  reader.bytes(reader.length());
}

/** Every signer is one of the accounts, and none comes twice. */
function areOthers({ accounts, signerCount }: Message): boolean {
  return accounts.length >= signerCount && new Set(accounts.slice(0, signerCount)).size === signerCount;
}

/** Reads forward and never past the end: missing bytes read as zero, and `isOver` becomes true. */
class Reader {
  at = 0;
  isOver = false;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes[this.#take(1)] ?? 0;
  }

  bytes(length: number): Uint8Array {
    const from = this.#take(length);
    return this.#bytes.subarray(from, this.isOver ? from : from + length);
  }

  address(): string {
    const from = this.#take(ADDRESS_BYTES);
    return this.isOver ? UNKNOWN : nameOfAddress(this.#bytes, from);
  }

  /** Seven bits per byte, lowest first, 16 bits at most; nodes refuse an encoding longer than necessary. */
  length(): number {
    const low = this.byte();
    if (low < 0x80) return low;
    const middle = this.byte();
    if (middle < 0x80) return middle === 0 ? this.#refuse() : (low & 0x7f) | (middle << 7);
    const high = this.byte();
    return high === 0 || high > 3 ? this.#refuse() : (low & 0x7f) | ((middle & 0x7f) << 7) | (high << 14);
  }

  list<Item>(read: () => Item): Item[] {
    const items: Item[] = [];
    for (let left = this.length(); left > 0 && !this.isOver; left--) items.push(read());
    return items;
  }

  #take(length: number): number {
    const from = this.at;
    if (from + length > this.#bytes.length) this.#refuse();
    else this.at += length;
    return from;
  }

  #refuse(): 0 {
    this.isOver = true;
    return 0;
  }
}

const MAX_KNOWN = 10_000;
const known = new BoundedMap<string, string>(MAX_KNOWN);

/** Most accounts of most payments are the same few: programs, the mint, the seller, the fee payer. */
function nameOfAddress(bytes: Buffer, from: number): string {
  const key = bytes.toString('latin1', from, from + ADDRESS_BYTES);
  return known.getOrMake(key, () => encodeBase58(bytes.subarray(from, from + ADDRESS_BYTES)));
}
