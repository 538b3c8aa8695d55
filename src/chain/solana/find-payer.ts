import type { Destination } from './measure.ts';
import type { Rpc } from './rpc.ts';
import { RpcFailure } from './rpc-failure.ts';
import { type LandedTransaction, readTransaction, type TokenBalance } from './transaction.ts';

/**
 * The one wallet that a token came from in these transactions; undefined where there were several, or where it cannot be
 * said. It may be a program's or an exchange's (`payerKindOf`), so it is an offer and never a default.
 */
export async function findPayer(
  rpc: Rpc,
  signatures: readonly string[],
  { mint, destination }: { mint: string; destination: string },
): Promise<string | undefined> {
  const payers = new Set<string>();
  for (const signature of signatures) {
    const transaction = await fetchOrNull(rpc, signature);
    if (!transaction) return undefined;
    for (const payer of payersOf(transaction, { mint, destination })) payers.add(payer);
  }
  return payers.size === 1 ? [...payers][0] : undefined;
}

/**
 * The wallet that paid into an account and signed for it: a delegate, and not the owner whose account it pays from. Undefined
 * where several paid, or an on-chain program did.
 */
export function signingPayerOf(
  { transfers, signers }: Pick<LandedTransaction, 'transfers' | 'signers'>,
  account: string,
): string | undefined {
  const [payer, another] = authoritiesOf(transfers, account);
  return another === undefined && payer !== undefined && signers.includes(payer) ? payer : undefined;
}

/** The same for the records, where an on-chain program's own money counts as well. */
export function senderOf(transaction: LandedTransaction, destination: Destination): string | undefined {
  const { mint, owner, account } = destination;
  const signing = signingPayerOf(transaction, account);
  if (signing !== undefined) return signing;
  const [source, another] = payersOf(transaction, { mint, destination: owner });
  const isOwn = [...authoritiesOf(transaction.transfers, account)].every((each) => each === source);
  return another === undefined && isOwn ? source : undefined;
}

function authoritiesOf(transfers: LandedTransaction['transfers'], account: string): Set<string> {
  const paying = transfers.filter(({ destination, amount }) => destination === account && amount > 0n);
  return new Set(paying.map(({ authority }) => authority));
}

/** Owners who have less of a token afterward, except the receiver. */
export function payersOf(
  { before, after }: Pick<LandedTransaction, 'before' | 'after'>,
  { mint, destination }: { mint: string; destination: string },
): Set<string> {
  const ofMint = (balance: TokenBalance) => balance.mint === mint && balance.owner !== destination;
  const left = (account: string) => after.find((balance) => balance.account === account)?.amount ?? 0n;
  const lost = before.filter((balance) => ofMint(balance) && left(balance.account) < balance.amount);
  return new Set(lost.map(({ owner }) => owner));
}

/** The amount of a token by which these owners have less afterward, all of their accounts together. */
export function measureLoss(
  { before, after }: Pick<LandedTransaction, 'before' | 'after'>,
  mint: string,
  owners: readonly string[],
): bigint {
  const heldBy = (balances: readonly TokenBalance[]) =>
    balances
      .filter((balance) => balance.mint === mint && owners.includes(balance.owner ?? ''))
      .reduce((sum, { amount }) => sum + amount, 0n);
  const lost = heldBy(before) - heldBy(after);
  return lost > 0n ? lost : 0n;
}

async function fetchOrNull(rpc: Rpc, signature: string) {
  const options = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 1 };
  try {
    return await rpc.ask('getTransaction', [signature, options], (value) =>
      readTransaction(signature, value),
    );
  } catch (error) {
    if (error instanceof RpcFailure) return null;
    throw error;
  }
}
