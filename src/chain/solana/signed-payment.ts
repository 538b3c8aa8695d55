import {
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  type Transaction,
  verifySignature,
} from '@solana/kit';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { TOKEN_PROGRAM } from './network.ts';

/** A transaction that is signed but not sent yet. */
export interface SignedPayment {
  /** Its name on chain. */
  signature: string;
  transfers: CheckedTransfer[];
  /** Everything else that it does. */
  others: Instruction[];
  /** Some of the accounts are in lookup tables, and so unknown here. */
  hasLookupTables: boolean;
}

export interface Instruction {
  program: string;
  accounts: readonly string[];
  data: Uint8Array;
}

/** A transfer of the token program that names its mint, as the transaction itself states it. */
export interface CheckedTransfer {
  mint: string;
  destination: string;
  amountBaseUnits: BaseUnits;
  /** Every account the instruction names, references among them. */
  accounts: readonly string[];
}

/** Reads base64; undefined where it is no transaction, or not signed rightly by all who must. */
export async function readSignedPayment(text: string): Promise<SignedPayment | undefined> {
  const transaction = decodeTransaction(text);
  if (!transaction || !(await isSigned(transaction))) return undefined;
  const [signature] = Object.values(transaction.signatures);
  return { signature: encodeBase58(signature!), ...readInstructions(transaction) };
}

/** Undefined where it is no transaction in base64, or not all of the text is. */
export function decodeTransaction(text: string): Transaction | undefined {
  try {
    const transaction = getTransactionDecoder().decode(Buffer.from(text, 'base64'));
    // What does not come out as it went in says something that a node may read in another way.
    return getBase64EncodedWireTransaction(transaction) === text ? transaction : undefined;
  } catch {
    return undefined;
  }
}

async function isSigned({ signatures, messageBytes }: Transaction): Promise<boolean> {
  for (const [signer, signature] of Object.entries(signatures)) {
    if (!signature) return false;
    const key = await getPublicKeyFromAddress(signer as keyof typeof signatures);
    if (!(await verifySignature(key, signature, messageBytes))) return false;
  }
  return Object.keys(signatures).length > 0;
}

const TRANSFER_CHECKED = 12;
const TRANSFER_CHECKED_BYTES = 10;

function readInstructions({ messageBytes }: Transaction): Omit<SignedPayment, 'signature'> {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version !== 'legacy' && message.version !== 0)
    return { transfers: [], others: [], hasLookupTables: true };
  const { staticAccounts, instructions } = message;
  const tables = 'addressTableLookups' in message ? message.addressTableLookups : undefined;
  const read = instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
    program: staticAccounts[programAddressIndex] as string,
    accounts: accountIndices.map((index) => (staticAccounts[index] as string | undefined) ?? ''),
    data: Uint8Array.from(data ?? []),
  }));
  const transfers = read.map(toTransfer);
  return {
    transfers: transfers.filter((transfer) => transfer !== undefined),
    others: read.filter((_, i) => transfers[i] === undefined),
    hasLookupTables: (tables?.length ?? 0) > 0,
  };
}

/** Undefined for anything else, and for a transfer that needs accounts from lookup tables. */
function toTransfer({ program, accounts, data }: Instruction): CheckedTransfer | undefined {
  const [, mint, destination] = accounts;
  if (program !== TOKEN_PROGRAM || data.length !== TRANSFER_CHECKED_BYTES) return undefined;
  if (data[0] !== TRANSFER_CHECKED || !mint || !destination || accounts.includes('')) return undefined;
  return { mint, destination, amountBaseUnits: Buffer.from(data).readBigUInt64LE(1), accounts };
}
