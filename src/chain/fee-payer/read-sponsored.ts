import { createHash } from 'node:crypto';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { associatedAccount } from '../solana/associated-account.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_PROGRAM,
} from '../solana/network.ts';
import {
  amountOfTransfer,
  type Instruction,
  isComplete,
  isUsdcTransfer,
  type ReadTransaction,
  withFirstSignature,
} from '../solana/read-message.ts';
import { addToBudget, type ComputeBudget, priorityFee, signatureFee } from './compute-budget.ts';
import type { FeePayer } from './fee-payer.ts';

/** Conditions that a transaction must meet for its fee to be paid. */
export interface SponsoredTerms {
  feePayer: string;
  mint: string;
  /** The owner of the account that receives. */
  destination: string;
  amountBaseUnits: BaseUnits;
  /** The transfer may name it, and nothing else beside what it needs. */
  reference: string | null;
  /** If given: the transaction carries exactly this memo, once. */
  memo?: string;
}

/** Why a fee is not paid. */
export type SponsorRefusal =
  | 'not_a_transaction'
  | 'lookup_tables'
  | 'signers'
  | 'sponsor_named'
  | 'program'
  | 'compute_budget'
  | 'fee'
  | 'transfer'
  | 'mint'
  | 'destination'
  | 'amount'
  | 'authority'
  | 'memo'
  | 'payer_signature';

/** A transaction that pays what it should and can take nothing from the fee payer but the fee. */
export interface SponsoredTransaction {
  payer: string;
  messageHash: Buffer;
  feeLamports: bigint;
  memos: readonly string[];
  /** The fee payer's signature missing: for a simulation. */
  wire: string;
  sign(feePayer: FeePayer): Promise<{ wire: string; signature: string }>;
}

const MAX_UNIT_LIMIT = 400_000;
const MAX_PRIORITY_LAMPORTS = 50_000n;
const SIGNERS = 2;
/** The fee of a transaction that offers next to nothing to be put first, as ours do: it is paid for any price. */
export const PLAIN_FEE_LAMPORTS = 12_000n;
/** At 200 USDC for a SOL, which is near enough: it decides what a fee may be, not what anybody is owed. */
const LAMPORTS_PER_BASE_UNIT = 5n;
const SHARE_OF_PRICE = 10n;

/** The most that is paid for a payment: a tenth of its price, so that nobody burns more than they spend. */
function mostFor(amountBaseUnits: BaseUnits): bigint {
  const share = (amountBaseUnits * LAMPORTS_PER_BASE_UNIT) / SHARE_OF_PRICE;
  return share > PLAIN_FEE_LAMPORTS ? share : PLAIN_FEE_LAMPORTS;
}

/**
 * Decides from the bytes of a transaction alone if its fee can be paid without risk. The fee payer signs for all of a
 * transaction, so nothing is let through that is not known to be harmless: the fee payer appears nowhere but as the
 * payer of the fee, and the only thing that happens is one transfer from the other signer's own account.
 */
export async function readSponsored(
  transaction: ReadTransaction | undefined,
  terms: SponsoredTerms,
): Promise<SponsoredTransaction | SponsorRefusal> {
  if (!transaction) return 'not_a_transaction';
  const calls = readCalls(transaction, terms.feePayer);
  if (typeof calls === 'string') return calls;
  const { payer, instructions } = calls;

  const checked = checkInstructions(instructions, payer);
  if (typeof checked === 'string') return checked;
  const { budget, transfers, memos } = checked;
  const fee = priorityFee(budget);
  if ((budget.unitLimit ?? 0) > MAX_UNIT_LIMIT) return 'compute_budget';
  if (fee === null || fee > MAX_PRIORITY_LAMPORTS) return 'fee';
  if (signatureFee(SIGNERS) + fee > mostFor(terms.amountBaseUnits)) return 'fee';
  if (transfers.length !== 1) return 'transfer';
  const refusal = await checkTransfer(transfers[0]!, payer, terms);
  if (refusal) return refusal;
  if (terms.memo !== undefined && (memos.length !== 1 || memos[0] !== terms.memo)) return 'memo';
  if (!(await transaction.isSignedBy(payer))) return 'payer_signature';
  return {
    payer,
    memos,
    wire: transaction.wire,
    messageHash: createHash('sha256').update(transaction.messageBytes).digest(),
    feeLamports: signatureFee(SIGNERS) + fee,
    sign: (feePayer) => signAs(feePayer, transaction),
  };
}

function readCalls(
  { message }: ReadTransaction,
  feePayer: string,
): { payer: string; instructions: readonly Instruction[] } | SponsorRefusal {
  if (!message) return 'not_a_transaction';
  if (message.hasLookupTables) return 'lookup_tables';
  const [first, payer] = message.accounts;
  if (message.signerCount !== SIGNERS || first !== feePayer || payer === undefined) return 'signers';
  if (message.accounts.lastIndexOf(feePayer) !== 0) return 'sponsor_named';
  for (const instruction of message.instructions) {
    const { program, accounts } = instruction;
    if (program === feePayer || accounts.includes(feePayer)) return 'sponsor_named';
    if (!isComplete(instruction)) return 'not_a_transaction';
  }
  return { payer, instructions: message.instructions };
}

function checkInstructions(
  instructions: readonly Instruction[],
  payer: string,
): { budget: ComputeBudget; transfers: Instruction[]; memos: string[] } | SponsorRefusal {
  let budget: ComputeBudget = { unitLimit: null, microLamportsPerUnit: null };
  const transfers: Instruction[] = [];
  const memos: string[] = [];
  for (const instruction of instructions) {
    const { program, accounts, data } = instruction;
    if (program === COMPUTE_BUDGET_PROGRAM) {
      const added = addToBudget(budget, data);
      if (!added) return 'compute_budget';
      budget = added;
    } else if (program === TOKEN_PROGRAM) transfers.push(instruction);
    else if (program === MEMO_PROGRAM) {
      if (accounts.some((account) => account !== payer)) return 'memo';
      memos.push(Buffer.from(data).toString('utf8'));
    } else if (program !== LIGHTHOUSE_PROGRAM) return 'program';
  }
  return { budget, transfers, memos };
}

/** Between two associated accounts only: payers who keep their money elsewhere pay their own fee. */
async function checkTransfer(
  transfer: Instruction,
  payer: string,
  terms: SponsoredTerms,
): Promise<SponsorRefusal | undefined> {
  if (!isUsdcTransfer(transfer)) return 'transfer';
  const [source, mint, destination, authority, ...references] = transfer.accounts;
  if (references.some((account) => account !== terms.reference) || references.length > 1) return 'transfer';
  if (mint !== terms.mint) return 'mint';
  if (destination !== (await associatedAccount(terms.destination, terms.mint))) return 'destination';
  // A transfer to oneself pays nothing.
  if (payer === terms.destination) return 'authority';
  if (authority !== payer || source !== (await associatedAccount(payer, terms.mint))) return 'authority';
  return amountOfTransfer(transfer) === terms.amountBaseUnits ? undefined : 'amount';
}

async function signAs(feePayer: FeePayer, { wire, messageBytes }: ReadTransaction) {
  const signature = await feePayer.sign(messageBytes);
  return { wire: withFirstSignature(wire, signature), signature: encodeBase58(signature) };
}
