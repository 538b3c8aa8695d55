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

/** What a transaction says, from its bytes alone. */
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

/** Undefined where the text is not exactly one transaction in base64. */
export function decodeTransaction(text: string): Transaction | undefined {
  try {
    const transaction = getTransactionDecoder().decode(Buffer.from(text, 'base64'));
    // What does not come out as it went in says something that a node may read in another way.
    return getBase64EncodedWireTransaction(transaction) === text ? transaction : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined for an unknown version, and for bytes that are not a message. */
export function readMessage({ messageBytes }: Pick<Transaction, 'messageBytes'>): Message | undefined {
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
    return getCompiledTransactionMessageDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether the transaction itself names everyone whom an instruction needs. */
export function isComplete({ program, accounts }: Instruction): boolean {
  return program !== UNKNOWN && !accounts.includes(UNKNOWN);
}

export async function isSignedBy(
  signer: string,
  { signatures, messageBytes }: Transaction,
): Promise<boolean> {
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
