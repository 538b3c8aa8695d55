import type { Chain } from '../ledger/chain.ts';
import type { Outcome } from '../ledger/runtime.ts';
import { notExecuted } from '../ledger/runtime.ts';
import { hasValidSignatures } from '../ledger/signatures.ts';
import type { WireTransaction } from '../ledger/wire-transaction.ts';
import { RpcError, SIGNATURE_VERIFICATION_FAILURE } from './rpc-error.ts';

/**
 * Sends a transaction the careful way: what would fail is refused instead of landing. Answers why it was, or
 * undefined once the transaction has landed and is on disk.
 */
export async function submitChecked(
  chain: Chain,
  tx: WireTransaction,
  slot?: number,
): Promise<Outcome | undefined> {
  if (!(await hasValidSignatures(tx)))
    throw new RpcError(SIGNATURE_VERIFICATION_FAILURE, 'Transaction signature verification failure');
  const refusal = chain.refusal(tx, slot);
  const outcome = refusal ? notExecuted(refusal) : chain.land(tx, { keepFailures: false });
  await chain.synced();
  return outcome;
}

/** Without preflight nobody looks: it lands if it can, with an error if need be, or is never seen again. */
export async function submitUnchecked(chain: Chain, tx: WireTransaction): Promise<void> {
  if (await hasValidSignatures(tx)) chain.land(tx, { keepFailures: true });
  await chain.synced();
}
