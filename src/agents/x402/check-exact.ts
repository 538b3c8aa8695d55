import {
  readSponsored,
  type SponsoredTransaction,
  type SponsorRefusal,
} from '../../chain/fee-payer/read-sponsored.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chain/solana/network.ts';
import {
  amountOfTransfer,
  type Instruction,
  isComplete,
  type Message,
  type ReadTransaction,
  TRANSFER_CHECKED,
  TRANSFER_CHECKED_BYTES,
} from '../../chain/solana/read-message.ts';
import { ERRORS, type PaymentRequirements, type Refusal } from './protocol.ts';

/**
 * Checks from its bytes alone that a transaction pays what is required. The first fault is named as the reference
 * implementation names it; then the fee payer's own rules decide, which are stricter. The reference checks the
 * signature first. That takes longest, so for strangers it comes last: a payment with any other fault costs less.
 */
export async function checkExact(
  read: ReadTransaction | undefined,
  required: PaymentRequirements,
  { isSignatureFirst = false } = {},
): Promise<SponsoredTransaction | Refusal> {
  if (!read?.message) return REFUSALS.not_a_transaction;
  const named = await findFault(read.message, required);
  const isSigned = (named && !isSignatureFirst) || named === FEE_PAYER || (await isSignedByAll(read));
  if (!isSigned) return REFUSALS.payer_signature;
  if (named) return named;
  const { feePayer, memo } = required.extra as { feePayer: string; memo?: string };
  const sponsored = await readSponsored(read, {
    feePayer,
    mint: required.asset,
    destination: required.payTo,
    amountBaseUnits: BigInt(required.amount),
    reference: null,
    ...(memo && { memo }),
  });
  return typeof sponsored === 'string' ? REFUSALS[sponsored] : sponsored;
}

/** True if everyone has signed but the fee payer, who signs last. */
async function isSignedByAll({ message, isSignedBy }: ReadTransaction): Promise<boolean> {
  const { accounts, signerCount } = message!;
  for (const signer of accounts.slice(1, signerCount)) if (!(await isSignedBy(signer))) return false;
  return true;
}

const REFUSALS: Record<SponsorRefusal, Refusal> = {
  not_a_transaction: { reason: ERRORS.undecodable, message: 'This is not a Solana transaction.' },
  lookup_tables: { reason: ERRORS.lookupTables, message: 'Address lookup tables are not supported.' },
  signers: { reason: ERRORS.signers, message: 'Exactly the fee payer and the payer may sign.' },
  sponsor_named: {
    reason: ERRORS.feePayerTransferring,
    message: 'The fee payer may pay the fee and appear nowhere else.',
  },
  program: {
    reason: ERRORS.unknownInstruction[0],
    message: 'The transaction calls a program that is not allowed.',
  },
  compute_budget: {
    reason: ERRORS.computeLimitTooHigh,
    message: 'The compute unit limit may be 400,000 at most, and be set once.',
  },
  fee: { reason: ERRORS.computePriceTooHigh, message: 'The priority fee may be 50,000 lamports at most.' },
  transfer: { reason: ERRORS.noTransfer, message: 'There must be one plain TransferChecked.' },
  mint: { reason: ERRORS.mint, message: 'This is the wrong token.' },
  destination: { reason: ERRORS.recipient, message: 'This pays somebody else.' },
  amount: { reason: ERRORS.amount, message: 'The amount is wrong.' },
  authority: {
    reason: ERRORS.noTransfer,
    message: 'The transfer must come from the payer’s own associated token account.',
  },
  memo: { reason: ERRORS.memo, message: 'The memo must be the one that was required.' },
  payer_signature: { reason: ERRORS.signature, message: 'The payer’s signature is not valid.' },
};

const FEE_PAYER: Refusal = {
  reason: ERRORS.feePayerMismatch,
  message: 'The fee payer must be the one that was required.',
};

async function findFault(message: Message, required: PaymentRequirements): Promise<Refusal | undefined> {
  const { accounts, instructions } = message;
  if (accounts[0] !== required.extra.feePayer) return FEE_PAYER;
  if (message.hasLookupTables) return REFUSALS.lookup_tables;
  if (!instructions.every(isComplete)) return REFUSALS.not_a_transaction;
  return (
    checkLayout(instructions) ??
    (await checkTransfer(instructions, required)) ??
    checkRest(instructions, required)
  );
}

const SET_LIMIT = 2;
const SET_PRICE = 3;
const MAX_MICRO_LAMPORTS = 5_000_000n;

function checkLayout(instructions: readonly Instruction[]): Refusal | undefined {
  if (instructions.length < 3 || instructions.length > 7)
    return { reason: ERRORS.length, message: 'There must be three to seven instructions.' };
  const [limit, price] = instructions.map(({ program, data }) => ({ program, data: Buffer.from(data) }));
  if (limit!.program !== COMPUTE_BUDGET_PROGRAM || limit!.data[0] !== SET_LIMIT || limit!.data.length < 5)
    return { reason: ERRORS.computeLimit, message: 'The first instruction must set the compute unit limit.' };
  if (price!.program !== COMPUTE_BUDGET_PROGRAM || price!.data[0] !== SET_PRICE || price!.data.length < 9)
    return {
      reason: ERRORS.computePrice,
      message: 'The second instruction must set the compute unit price.',
    };
  return price!.data.readBigUInt64LE(1) > MAX_MICRO_LAMPORTS ? REFUSALS.fee : undefined;
}

async function checkTransfer(
  [, , transfer]: readonly Instruction[],
  required: PaymentRequirements,
): Promise<Refusal | undefined> {
  const { program, accounts, data } = transfer!;
  const isTransfer = data.length >= TRANSFER_CHECKED_BYTES && data[0] === TRANSFER_CHECKED;
  if (program !== TOKEN_PROGRAM || !isTransfer || accounts.length < 4) return REFUSALS.transfer;
  const [, mint, destination, authority] = accounts;
  const payer = authority!;
  if (payer === required.extra.feePayer) return REFUSALS.sponsor_named;
  if (mint !== required.asset) return { ...REFUSALS.mint, payer };
  const expected = await associatedAccount(required.payTo, required.asset).catch(() => undefined);
  if (destination !== expected) return { ...REFUSALS.destination, payer };
  return amountOfTransfer(transfer!) === BigInt(required.amount) ? undefined : { ...REFUSALS.amount, payer };
}

function checkRest(instructions: readonly Instruction[], required: PaymentRequirements): Refusal | undefined {
  const optional = instructions.slice(3);
  const unknown = optional.findIndex(
    ({ program }) => program !== LIGHTHOUSE_PROGRAM && program !== MEMO_PROGRAM,
  );
  if (unknown >= 0)
    return {
      reason: ERRORS.unknownInstruction[unknown]!,
      message: 'Only memos and assertions may follow the transfer.',
    };
  const { memo } = required.extra;
  if (!memo) return undefined;
  const memos = optional.filter(({ program }) => program === MEMO_PROGRAM);
  if (memos.length !== 1) return { reason: ERRORS.memoCount, message: 'There must be exactly one memo.' };
  return new TextDecoder().decode(memos[0]!.data) === memo ? undefined : REFUSALS.memo;
}
