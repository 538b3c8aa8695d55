import { isSolanaAddress } from '../../platform/lib/base58.ts';
import { namedInMemos } from './order-memo.ts';
import type { LandedTransaction } from './transaction.ts';

/**
 * True if a transaction names an order, ours or not: by a memo with a reference, or by an account that a transfer into
 * `account` carries beside its own and its signers'.
 */
export function namesAnOrder({ memos, transfers, signers }: LandedTransaction, account: string): boolean {
  if (namedInMemos(memos).length > 0 || memos.some((memo) => isSolanaAddress(memo.trim()))) return true;
  return transfers
    .filter(({ destination }) => destination === account)
    .some(({ accounts, authority }) => {
      const carried = accounts.slice(accounts.indexOf(authority, OWN_ACCOUNTS) + 1);
      return carried.some((each) => !signers.includes(each));
    });
}

/** Source and destination come before the authority, and in TransferChecked the mint. */
const OWN_ACCOUNTS = 2;
