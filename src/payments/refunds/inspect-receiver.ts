import { inspectAddress } from '../../accounts/payouts/inspect-address.ts';
import { ADDRESS_PROBLEMS } from '../../accounts/payouts/payout-address.ts';
import { findAddress } from '../../accounts/payouts/queries.ts';
import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import { isOffCurve } from '../../chain/solana/off-curve.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { readTokenAccounts } from '../../chain/solana/token-accounts.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type AppError, badField } from '../../platform/lib/errors.ts';
import { isReference } from './queries.ts';

export interface ReceiverParts {
  db: Queryable;
  rpc: Rpc;
  mint: string;
}

const FIELD = 'address';

/**
 * Refuses an address that money could not be sent back to, or would be lost at: what is no wallet, what belongs to a
 * program and has never held the token, a frozen account, the merchant's own payout address, and the references that
 * wallets show beside it.
 */
export async function inspectReceiver(
  { db, rpc, mint }: ReceiverParts,
  merchantId: string,
  address: string,
): Promise<void> {
  await inspectAddress(rpc, address, FIELD);
  if (await findAddress(db, merchantId, address))
    throw refused(
      'merchant',
      'is a payout address of the merchant; give the address of the customer’s wallet',
    );
  if (await isReference(db, merchantId, address))
    throw refused('reference', 'is the reference of a payment or a refund, not a wallet; nobody has its key');
  if (rpc.nodeCount === 0) return;
  const [state] = await readTokenAccounts(rpc, mint, [address]).catch(networkUnavailable);
  if (state === 'frozen') throw refused('frozen', 'has a frozen USDC account that cannot receive anything');
  if (state === 'missing' && isOffCurve(address))
    throw refused('no_account', 'belongs to a program and has no USDC account; give the address of a wallet');
}

/** Problems of a receiver, besides that it is no wallet at all. */
export const RECEIVER_PROBLEMS = [
  ...ADDRESS_PROBLEMS,
  'merchant',
  'reference',
  'frozen',
  'no_account',
] as const;
export type ReceiverProblem = (typeof RECEIVER_PROBLEMS)[number];

function refused(problem: ReceiverProblem, text: string): AppError {
  return badField(FIELD, text, { reason: problem });
}
