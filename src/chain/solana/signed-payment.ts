import { encodeBase58 } from '../../platform/lib/base58.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { TOKEN_PROGRAM } from './network.ts';
import {
  amountOfTransfer,
  type Instruction,
  isComplete,
  type Message,
  type ReadTransaction,
  signersOf,
  TRANSFER_CHECKED,
  TRANSFER_CHECKED_BYTES,
} from './read-message.ts';

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

/** A transfer of the token program that names its mint, as the transaction itself states it. */
export interface CheckedTransfer {
  mint: string;
  destination: string;
  amountBaseUnits: BaseUnits;
  /** Every account the instruction names, references among them. */
  accounts: readonly string[];
}

/** Undefined where it is not a transaction of a version we know, or not validly signed by everyone who must sign. */
export async function readSignedPayment(
  transaction: ReadTransaction | undefined,
): Promise<SignedPayment | undefined> {
  const message = transaction?.message;
  if (!message || !(await isSigned(transaction, message))) return undefined;
  return { signature: encodeBase58(transaction.signatures[0]!), ...readInstructions(message) };
}

async function isSigned({ isSignedBy }: ReadTransaction, message: Message): Promise<boolean> {
  const signers = signersOf(message);
  for (const signer of signers) if (!(await isSignedBy(signer))) return false;
  return signers.length > 0;
}

function readInstructions({ instructions, hasLookupTables }: Message): Omit<SignedPayment, 'signature'> {
  const transfers = instructions.map(toTransfer);
  return {
    transfers: transfers.filter((transfer) => transfer !== undefined),
    others: instructions.filter((_, i) => transfers[i] === undefined),
    hasLookupTables,
  };
}

/** Undefined for anything else, and for a transfer that needs accounts from lookup tables. */
function toTransfer(instruction: Instruction): CheckedTransfer | undefined {
  const { program, accounts, data } = instruction;
  const [, mint, destination] = accounts;
  if (program !== TOKEN_PROGRAM || data.length !== TRANSFER_CHECKED_BYTES) return undefined;
  if (data[0] !== TRANSFER_CHECKED || !mint || !destination || !isComplete(instruction)) return undefined;
  return { mint, destination, amountBaseUnits: amountOfTransfer(instruction), accounts };
}
