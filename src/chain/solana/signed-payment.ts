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
  return { signature: encodeBase58(signature!), transfers: listTransfers(transaction) };
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

/** Accounts from lookup tables are unknown here, so a transfer that needs them is none. */
function listTransfers({ messageBytes }: Transaction): CheckedTransfer[] {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version !== 'legacy' && message.version !== 0) return [];
  const { staticAccounts, instructions } = message;
  return instructions.flatMap(({ programAddressIndex, accountIndices = [], data }) => {
    const accounts = accountIndices.map((index) => staticAccounts[index] as string | undefined);
    const [, mint, destination] = accounts;
    if (staticAccounts[programAddressIndex] !== TOKEN_PROGRAM || data?.length !== TRANSFER_CHECKED_BYTES)
      return [];
    if (data[0] !== TRANSFER_CHECKED || !mint || !destination || accounts.includes(undefined)) return [];
    const amountBaseUnits = Buffer.from(data).readBigUInt64LE(1);
    return [{ mint, destination, amountBaseUnits, accounts: accounts as string[] }];
  });
}
