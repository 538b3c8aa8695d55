import { isSolanaAddress } from '../../platform/lib/base58.ts';
import type { LandedTransaction } from './transaction.ts';

/**
 * Everything by which a transaction may name an order, ours or not: each address in its memos, alone or in a text, and each
 * account that a transfer into `account` carries beside its own and its signers'.
 */
export function ordersNamed({ memos, transfers, signers }: LandedTransaction, account: string): string[] {
  const inMemos = memos.flatMap((memo) => memo.split(NOT_BASE58).filter(isSolanaAddress));
  const carried = transfers
    .filter(({ destination }) => destination === account)
    .flatMap(({ accounts, authority }) => accounts.slice(accounts.indexOf(authority, OWN_ACCOUNTS) + 1))
    .filter((each) => !signers.includes(each));
  return [...inMemos, ...carried];
}

const NOT_BASE58 = /[^1-9A-HJ-NP-Za-km-z]+/;
/** Source and destination come before the authority, and in TransferChecked the mint. */
const OWN_ACCOUNTS = 2;
