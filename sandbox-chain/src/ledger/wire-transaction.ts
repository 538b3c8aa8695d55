import { encodeBase58 } from '../encoding/base58.ts';
import { addressText } from './addresses.ts';
import { WireError, WireReader } from './wire-reader.ts';

/**
 * Reads a transaction of version legacy, 0 or 1 as strictly as a validator does. Nothing unchecked may reach
 * the runtime: it ends the whole process over bytes it cannot read.
 */
export interface WireTransaction {
  bytes: Buffer;
  messageBytes: Buffer;
  message: WireMessage;
  signatures: Buffer[];
  /** The first signature in base58: the transaction's name. */
  signature: string;
}

export interface WireMessage {
  version: 'legacy' | 0 | 1;
  requiredSignatures: number;
  readonlySigned: number;
  readonlyUnsigned: number;
  /** The keys written in the message itself; those of lookup tables come after them. */
  staticKeys: string[];
  /** A recent blockhash, or the value of a durable nonce. */
  lifetime: string;
  /** Offset of the lifetime in the bytes. */
  lifetimeAt: number;
  instructions: WireInstruction[];
  lookups: TableLookup[];
  /** Version 1 only. */
  config: MessageConfig | undefined;
}

export interface WireInstruction {
  programIndex: number;
  accounts: number[];
  data: Buffer;
}

export interface TableLookup {
  table: string;
  writable: number[];
  readonly: number[];
}

export interface MessageConfig {
  priorityFee: bigint | undefined;
  computeUnitLimit: number | undefined;
  loadedAccountsDataSizeLimit: number | undefined;
  heapSize: number | undefined;
}

const MAX_BYTES = 1232;
const MAX_BYTES_V1 = 4096;
const VERSION_BIT = 0x80;
const V1_PREFIX = VERSION_BIT | 1;
const SIGNATURE_BYTES = 64;

export function readTransaction(bytes: Buffer): WireTransaction {
  const limit = bytes[0] === V1_PREFIX ? MAX_BYTES_V1 : MAX_BYTES;
  if (bytes.length > limit)
    throw new WireError(`decoded transaction too large: ${bytes.length} bytes (max: ${limit} bytes)`);
  return bytes[0] === V1_PREFIX ? readMessageFirst(bytes) : readSignaturesFirst(bytes);
}

/** A message alone, as getFeeForMessage gets it. */
export function readMessage(bytes: Buffer): WireMessage {
  const reader = new WireReader(bytes);
  const message = readVersionedMessage(reader);
  reader.end();
  return message;
}

function readSignaturesFirst(bytes: Buffer): WireTransaction {
  const reader = new WireReader(bytes);
  const signatures = reader.list(reader.compactU16(), () => reader.bytes(SIGNATURE_BYTES));
  const start = reader.at;
  const message = readVersionedMessage(reader);
  if (message.version === 1) throw new WireError('a version 1 transaction starts with its message');
  reader.end();
  return assembled(bytes, bytes.subarray(start), message, signatures);
}

function readMessageFirst(bytes: Buffer): WireTransaction {
  const reader = new WireReader(bytes);
  const message = readVersionedMessage(reader);
  const end = reader.at;
  const signatures = reader.list(message.requiredSignatures, () => reader.bytes(SIGNATURE_BYTES));
  reader.end();
  return assembled(bytes, bytes.subarray(0, end), message, signatures);
}

function assembled(
  bytes: Buffer,
  messageBytes: Buffer,
  message: WireMessage,
  signatures: Buffer[],
): WireTransaction {
  if (signatures.length !== message.requiredSignatures) throw notSane();
  return { bytes, messageBytes, message, signatures, signature: encodeBase58(signatures[0]!) };
}

function readVersionedMessage(reader: WireReader): WireMessage {
  const first = reader.peek();
  if ((first & VERSION_BIT) === 0) return sane(readLegacyOrV0(reader, 'legacy'));
  const version = reader.u8() & ~VERSION_BIT;
  if (version === 0) return sane(readLegacyOrV0(reader, 0));
  if (version === 1) return sane(readV1(reader));
  throw new WireError(`transaction version ${version} is not supported`);
}

function readLegacyOrV0(reader: WireReader, version: 'legacy' | 0): WireMessage {
  const header = readHeader(reader);
  const staticKeys = reader.list(reader.compactU16(), () => addressText(reader.bytes(32)));
  const lifetimeAt = reader.at;
  const lifetime = addressText(reader.bytes(32));
  const instructions = reader.list(reader.compactU16(), () => ({
    programIndex: reader.u8(),
    accounts: [...reader.bytes(reader.compactU16())],
    data: reader.bytes(reader.compactU16()),
  }));
  const lookups = version === 'legacy' ? [] : readLookups(reader);
  return { version, ...header, staticKeys, lifetime, lifetimeAt, instructions, lookups, config: undefined };
}

function readHeader(reader: WireReader) {
  return { requiredSignatures: reader.u8(), readonlySigned: reader.u8(), readonlyUnsigned: reader.u8() };
}

function readLookups(reader: WireReader): TableLookup[] {
  return reader.list(reader.compactU16(), () => ({
    table: addressText(reader.bytes(32)),
    writable: [...reader.bytes(reader.compactU16())],
    readonly: [...reader.bytes(reader.compactU16())],
  }));
}

function readV1(reader: WireReader): WireMessage {
  const header = readHeader(reader);
  const mask = reader.u32();
  const lifetimeAt = reader.at;
  const lifetime = addressText(reader.bytes(32));
  const instructionCount = reader.u8();
  const staticKeys = reader.list(reader.u8(), () => addressText(reader.bytes(32)));
  const config = readConfig(reader, mask);
  const heads = reader.list(instructionCount, () => ({
    programIndex: reader.u8(),
    accounts: reader.u8(),
    data: reader.u16(),
  }));
  const instructions = heads.map((head) => ({
    programIndex: head.programIndex,
    accounts: [...reader.bytes(head.accounts)],
    data: reader.bytes(head.data),
  }));
  if (staticKeys.length > MAX_V1_ITEMS || instructions.length > MAX_V1_ITEMS) throw notSane();
  return { version: 1, ...header, staticKeys, lifetime, lifetimeAt, instructions, lookups: [], config };
}

const MAX_V1_ITEMS = 64;

/** Each bit of the mask announces one 4-byte word; the priority fee takes two, and both or none. */
function readConfig(reader: WireReader, mask: number): MessageConfig {
  if (mask >>> 5 !== 0 || (mask & 0b11) === 0b01 || (mask & 0b11) === 0b10) throw notSane();
  return {
    priorityFee: mask & 0b11 ? reader.u64() : undefined,
    computeUnitLimit: mask & 0b100 ? reader.u32() : undefined,
    loadedAccountsDataSizeLimit: mask & 0b1000 ? reader.u32() : undefined,
    heapSize: mask & 0b10000 ? reader.u32() : undefined,
  };
}

const MAX_KEYS = 256;

/** The checks a validator makes before it looks at any account. */
function sane(message: WireMessage): WireMessage {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys, lookups } = message;
  const keyCount = staticKeys.length + loadedCount(message);
  const headerFits =
    readonlySigned < requiredSignatures && requiredSignatures + readonlyUnsigned <= staticKeys.length;
  const lookupsFit = lookups.every((lookup) => lookup.writable.length + lookup.readonly.length > 0);
  const instructionsFit = message.instructions.every(
    ({ programIndex, accounts }) =>
      programIndex > 0 && programIndex < staticKeys.length && accounts.every((account) => account < keyCount),
  );
  if (!headerFits || !lookupsFit || !instructionsFit || keyCount > MAX_KEYS) throw notSane();
  return message;
}

function loadedCount({ lookups }: WireMessage): number {
  return lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0);
}

function notSane(): WireError {
  return new WireError('invalid transaction: Transaction failed to sanitize accounts offsets correctly');
}

/** True if a key written in the message itself may be changed by the transaction. */
export function isWritableStatic(message: WireMessage, index: number): boolean {
  if (index < message.requiredSignatures) return index < message.requiredSignatures - message.readonlySigned;
  return index < message.staticKeys.length - message.readonlyUnsigned;
}
