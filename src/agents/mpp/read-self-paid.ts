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
  isUsdcTransfer,
  type Message,
  readTransaction,
} from '../../chain/solana/read-message.ts';
import { readSignedPayment } from '../../chain/solana/signed-payment.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { type Problem, problem } from './problem.ts';

/** Terms that a transaction must fulfil. */
export interface Terms {
  mint: string;
  /** The owner of the account that receives. */
  payTo: string;
  amountBaseUnits: BaseUnits;
  memo: string;
}

/** Signed by the payer, who also pays its fee. */
export interface SelfPaid {
  payer: string;
  signature: string;
  /** Transaction as it is sent, in base64. */
  wire: string;
}

/**
 * Checks from its bytes alone that a transaction signed by its payer only makes this payment; otherwise returns why
 * not.
 */
export async function readSelfPaid(wire: string, terms: Terms): Promise<SelfPaid | Problem> {
  const transaction = readTransaction(wire);
  if (transaction && !transaction.message) return failed('This version is not supported.');
  const signed = await readSignedPayment(transaction);
  if (!transaction?.message || !signed)
    return problem('invalid-payload', 'This is not a Solana transaction that its payer has signed.');
  const read = readCalls(transaction.message);
  if (typeof read === 'string') return failed(read);
  const { payer, calls } = read;
  const transfers = calls.filter(({ program }) => program === TOKEN_PROGRAM);
  const memos = calls.filter(({ program }) => program === MEMO_PROGRAM);
  if (calls.some(({ program }) => !ALLOWED.includes(program)))
    return failed('Only the transfer, a memo, the compute budget and assertions may be in it.');
  if (transfers.length !== 1) return failed('There must be exactly one transfer.');
  const wrong = await checkTransfer(transfers[0]!, payer, terms);
  if (wrong) return wrong;
  if (memos.length !== 1 || Buffer.from(memos[0]!.data).toString() !== terms.memo)
    return failed('There must be exactly one memo, and it must be the externalId.');
  return { payer, signature: signed.signature, wire };
}

const failed = (detail: string) => problem('verification-failed', detail);

const ALLOWED = [COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM, MEMO_PROGRAM, LIGHTHOUSE_PROGRAM];

function readCalls(message: Message): { payer: string; calls: readonly Instruction[] } | string {
  if (message.hasLookupTables) return 'Address lookup tables are not supported.';
  if (message.signerCount !== 1) return 'Only the payer may sign.';
  return { payer: message.accounts[0]!, calls: message.instructions };
}

async function checkTransfer(
  transfer: Instruction,
  payer: string,
  terms: Terms,
): Promise<Problem | undefined> {
  if (!isUsdcTransfer(transfer)) return failed('The transfer must be a TransferChecked of USDC.');
  const [, mint, destination, authority, ...more] = transfer.accounts;
  if (mint !== terms.mint) return failed('This is the wrong token.');
  if (destination !== (await associatedAccount(terms.payTo, terms.mint)))
    return failed('This pays somebody else.');
  if (authority !== payer || payer === terms.payTo || more.length > 0)
    return failed('The transfer must come from an account of the payer.');
  return amountOfTransfer(transfer) === terms.amountBaseUnits
    ? undefined
    : problem('payment-insufficient', 'The amount is wrong.');
}
