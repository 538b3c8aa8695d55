import {
  type Address,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  type Transaction,
  verifySignature,
} from '@solana/kit';
import { TOKEN_PROGRAM, USDC_DECIMALS } from './network.ts';

/** A transaction from its bytes alone. Each of its questions is answered once, however often it is asked. */
export interface ReadTransaction {
  /** In base64, as it came. */
  wire: string;
  raw: Transaction;
  /** Undefined for an unknown version, and for bytes that are not a message. */
  message: Message | undefined;
  isSignedBy(signer: string): Promise<boolean>;
}

/** What a transaction says. */
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

/** In place of an account that is in a lookup table, or nowhere at all. */
const UNKNOWN = '';

/** Made once: making one takes longer than decoding with it. */
const TRANSACTION = getTransactionDecoder();
const MESSAGE = getCompiledTransactionMessageDecoder();

/** Undefined where the text is not exactly one transaction in base64. */
export function readTransaction(wire: string): ReadTransaction | undefined {
  const raw = decodeTransaction(wire);
  if (!raw) return undefined;
  const verified = new Map<string, Promise<boolean>>();
  const isSignedBy = (signer: string) => {
    const known = verified.get(signer) ?? isValid(signer, raw);
    verified.set(signer, known);
    return known;
  };
  return { wire, raw, message: readMessage(raw), isSignedBy };
}

function decodeTransaction(wire: string): Transaction | undefined {
  try {
    const transaction = TRANSACTION.decode(Buffer.from(wire, 'base64'));
    // What does not come out as it went in says something that a node may read in another way.
    return getBase64EncodedWireTransaction(transaction) === wire ? transaction : undefined;
  } catch {
    return undefined;
  }
}

function readMessage({ messageBytes }: Transaction): Message | undefined {
  const message = decodeMessage(messageBytes);
  if (message?.version !== 'legacy' && message?.version !== 0) return undefined;
  const nameOf = (index: number) => (message.staticAccounts[index] as string | undefined) ?? UNKNOWN;
  const tables = 'addressTableLookups' in message ? message.addressTableLookups : undefined;
  return {
    accounts: message.staticAccounts,
    signerCount: message.header.numSignerAccounts,
    hasLookupTables: (tables?.length ?? 0) > 0,
    instructions: message.instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
      program: nameOf(programAddressIndex),
      accounts: accountIndices.map(nameOf),
      data: Uint8Array.from(data ?? []),
    })),
  };
}

function decodeMessage(bytes: Transaction['messageBytes']) {
  try {
    return MESSAGE.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether the transaction itself names everyone whom an instruction needs. */
export function isComplete({ program, accounts }: Instruction): boolean {
  return program !== UNKNOWN && !accounts.includes(UNKNOWN);
}

async function isValid(signer: string, { signatures, messageBytes }: Transaction): Promise<boolean> {
  const signature = signatures[signer as Address];
  if (!signature) return false;
  const key = await getPublicKeyFromAddress(signer as Address).catch(() => undefined);
  return key !== undefined && verifySignature(key, signature, messageBytes);
}

/** The token program's transfer that names its mint: one byte for itself, eight for the amount, one for the decimals. */
export const TRANSFER_CHECKED = 12;
export const TRANSFER_CHECKED_BYTES = 10;

export function amountOfTransfer({ data }: Instruction): bigint {
  return Buffer.from(data).readBigUInt64LE(1);
}

/** Whether it is exactly a transfer of six decimals; the mint says of which token. */
export function isUsdcTransfer({ program, data }: Instruction): boolean {
  const isTransfer = data.length === TRANSFER_CHECKED_BYTES && data[0] === TRANSFER_CHECKED;
  return program === TOKEN_PROGRAM && isTransfer && data[9] === USDC_DECIMALS;
}
