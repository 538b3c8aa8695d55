import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { type Rpc, RpcFailure, RpcRefusal } from '../../chain/solana/rpc.ts';
import { text } from '../../chain/solana/shapes.ts';
import { type CheckedTransfer, readSignedPayment } from '../../chain/solana/signed-payment.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { updateCheckSooner } from './check-queries.ts';
import { unavailable } from './inspect-receiver.ts';
import { listRefundsByReference } from './queries.ts';
import { dueBaseUnits, type Refund } from './refund.ts';

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
  const payment = await readSignedPayment(transaction);
  if (!payment) throw badField('transaction', 'must be a signed Solana transaction in base64');
  const named = await listRefundsByReference(
    db,
    payment.transfers.flatMap(({ accounts }) => accounts),
  );
  const refunds: Refund[] = [];
  for (const transfer of payment.transfers) {
    const refund = named.find((each) => transfer.accounts.includes(each.referenceAddress));
    if (
      refund?.merchantId !== merchantId ||
      refunds.includes(refund) ||
      !(await paysFor(refund, transfer, mint))
    )
      throw badField('transaction', 'must send nothing but refunds that are ready, each exactly what is due');
    refunds.push(refund);
  }
  if (refunds.length === 0) throw badField('transaction', 'must send a refund, and name its reference');
  await send(rpc, transaction);
  await updateCheckSooner(
    db,
    merchantId,
    refunds.map(({ id }) => id),
    now,
  );
  return { signature: payment.signature, refunds };
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
      if (!(error instanceof RpcRefusal)) unavailable(error);
      const message =
        'The network did not take this transaction: is there enough USDC, and a little SOL for the fee?';
      throw new AppError('INVALID_STATE', { message, detail: error.message, cause: error });
    });
}
