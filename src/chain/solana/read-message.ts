import { type Address, getPublicKeyFromAddress, type SignatureBytes, verifySignature } from '@solana/kit';
import {
  type DecodedTransaction,
  decodeTransaction,
  type Instruction,
  type Message,
  UNKNOWN,
} from './decode-transaction.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_DECIMALS } from './network.ts';

export type { Instruction, Message } from './decode-transaction.ts';

/** A transaction from its bytes alone. Each of its questions is answered once, however often it is asked. */
export interface ReadTransaction extends DecodedTransaction {
  /** In base64, as it came. */
  wire: string;
  isSignedBy(signer: string): Promise<boolean>;
}

/** Undefined where the text is not exactly one transaction in base64. */
export function readTransaction(wire: string): ReadTransaction | undefined {
  const bytes = Buffer.from(wire, 'base64');
  // Bytes that do not survive a round trip may mean something else to a node.
  const decoded = bytes.toString('base64') === wire ? decodeTransaction(bytes) : undefined;
  if (!decoded) return undefined;
  const verified = new Map<string, Promise<boolean>>();
  const isSignedBy = (signer: string) => {
    const known = verified.get(signer) ?? isValid(signer, decoded);
    verified.set(signer, known);
    return known;
  };
  return { ...decoded, wire, isSignedBy };
}

/** The signers, in order. */
export function signersOf({ accounts, signerCount }: Message): readonly string[] {
  return accounts.slice(0, signerCount);
}

/** The same transaction with the signature of its first signer, the fee payer. */
export function withFirstSignature(wire: string, signature: Uint8Array): string {
  const bytes = Buffer.from(wire, 'base64');
  // After the number of signatures, which takes one byte: more than 127 do not fit into a transaction.
  bytes.set(signature, 1);
  return bytes.toString('base64');
}

/** The texts of its memos. */
export function memosOf({ instructions }: Message): string[] {
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM);
  return memos.map(({ data }) => Buffer.from(data).toString('utf8'));
}

const ADVANCE_NONCE_ACCOUNT = 4;

/** True if it begins by advancing a nonce, as one does that is valid until then and not only for some blocks. */
export function hasDurableNonce({ instructions: [first] }: Message): boolean {
  if (first?.program !== SYSTEM_PROGRAM || first.data.length < 4) return false;
  return Buffer.from(first.data).readUInt32LE() === ADVANCE_NONCE_ACCOUNT;
}

/** True if the transaction itself names all accounts that an instruction needs. */
export function isComplete({ program, accounts }: Instruction): boolean {
  return program !== UNKNOWN && !accounts.includes(UNKNOWN);
}

async function isValid(
  signer: string,
  { message, signatures, messageBytes }: DecodedTransaction,
): Promise<boolean> {
  const signature = message && signatures[signersOf(message).indexOf(signer)];
  if (!signature || signature.every((byte) => byte === 0)) return false;
  const key = await getPublicKeyFromAddress(signer as Address).catch(() => undefined);
  return key !== undefined && verifySignature(key, signature as SignatureBytes, messageBytes);
}

/** The token program's transfer that names its mint: one byte for itself, eight for the amount, one for the decimals. */
export const TRANSFER_CHECKED = 12;
export const TRANSFER_CHECKED_BYTES = 10;

export function amountOfTransfer({ data }: Instruction): bigint {
  return Buffer.from(data).readBigUInt64LE(1);
}

/** True if it is exactly a transfer of six decimals; the mint says of which token. */
export function isUsdcTransfer({ program, data }: Instruction): boolean {
  const isTransfer = data.length === TRANSFER_CHECKED_BYTES && data[0] === TRANSFER_CHECKED;
  return program === TOKEN_PROGRAM && isTransfer && data[9] === USDC_DECIMALS;
}
