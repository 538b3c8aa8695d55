import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM, MEMO_PROGRAM } from '../../chain/solana/network.ts';
import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import { type Instruction, readTransaction } from '../../chain/solana/read-message.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure, RpcRefusal } from '../../chain/solana/rpc-failure.ts';
import { text } from '../../chain/solana/shapes.ts';
import { type CheckedTransfer, readSignedPayment } from '../../chain/solana/signed-payment.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { listRefundsByReference } from './queries.ts';
import { dueBaseUnits, type Refund } from './refund.ts';
import { sendOnce } from './send-once.ts';

export interface SendParts {
  db: Database;
  rpc: Rpc;
  mint: string;
}

/**
 * Hands a transaction that the merchant's wallet has signed to the network. Only one that sends nothing but refunds of
 * this merchant, each exactly what is still due, is handed on; the same one sent twice is one.
 */
export async function sendRefunds(
  { db, rpc, mint }: SendParts,
  { merchantId, transaction, now }: { merchantId: string; transaction: string; now: Date },
): Promise<{ signature: string; refunds: Refund[] }> {
  const payment = await readSignedPayment(readTransaction(transaction));
  if (!payment) throw badField('transaction', 'must be a signed Solana transaction in base64');
  const named = await listRefundsByReference(
    db,
    merchantId,
    payment.transfers.flatMap(({ accounts }) => accounts),
  );
  const refunds: Refund[] = [];
  for (const transfer of payment.transfers) {
    const [refund, another] = named.filter((each) => transfer.accounts.includes(each.referenceAddress));
    if (!refund || another || refunds.includes(refund) || !(await paysFor(refund, transfer, mint)))
      throw badField('transaction', ONLY_REFUNDS);
    refunds.push(refund);
  }
  if (payment.hasLookupTables || !areHarmless(payment.others, payment.transfers))
    throw badField('transaction', ONLY_REFUNDS);
  if (refunds.length === 0) throw badField('transaction', 'must send a refund, and name its reference');
  const ids = refunds.map(({ id }) => id);
  const { signature } = payment;
  await sendOnce(db, { merchantId, ids, signature, now }, () => send(rpc, transaction));
  return { signature: payment.signature, refunds };
}

const ONLY_REFUNDS = 'must send nothing but refunds that are ready, each exactly what is due';

const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const HARMLESS_PROGRAMS: readonly string[] = [MEMO_PROGRAM, COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM];

/**
 * True if the other instructions can move no money: memos, compute budget, assertions that wallets add, and creation
 * of the token accounts that these transfers arrive at.
 */
function areHarmless(others: readonly Instruction[], transfers: readonly CheckedTransfer[]): boolean {
  const receiving = new Set(transfers.map(({ destination }) => destination));
  return others.every(({ program, accounts }) =>
    program === ASSOCIATED_TOKEN_PROGRAM ? receiving.has(accounts[1]!) : HARMLESS_PROGRAMS.includes(program),
  );
}

async function paysFor(refund: Refund, transfer: CheckedTransfer, mint: string): Promise<boolean> {
  if (refund.status !== 'ready') return false;
  const account = await associatedAccount(refund.address!, mint);
  return (
    transfer.mint === mint &&
    transfer.destination === account &&
    transfer.amountBaseUnits === dueBaseUnits(refund)
  );
}

async function send(rpc: Rpc, transaction: string): Promise<void> {
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  await rpc
    .ask('sendTransaction', [transaction, options], (value) => text(value, 'signature'))
    .catch((error: unknown) => {
      if (!(error instanceof RpcFailure)) throw error;
      if (/AlreadyProcessed|already been processed/.test(error.message)) return;
      if (!(error instanceof RpcRefusal)) networkUnavailable(error);
      const message = /BlockhashNotFound|Blockhash not found/.test(error.message)
        ? 'This transaction has lapsed: it must be sent within about a minute. Prepare a new one.'
        : 'The network did not take this transaction: is there enough USDC, and a little SOL for the fee?';
      throw new AppError('INVALID_STATE', { message, detail: error.message, cause: error });
    });
}
