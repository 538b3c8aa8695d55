import { TOKEN_PROGRAM } from './network.ts';
import { type LandedTransaction, namesTokenProgram, type TokenBalance } from './transaction.ts';

/** A place money arrives at: whose, of which token, in which account. */
export interface Destination {
  owner: string;
  mint: string;
  /** The owner's canonical (associated) token account. */
  account: string;
}

/**
 * Measures what a transaction brought: the growth of the canonical account, but never more than the growth of
 * everything the owner holds of the token. So moving one's own money, paying and taking it back, or handing over an
 * account that already holds something brings nothing. Balances decide; instructions, which a clever transaction can
 * fake, do not.
 */
export function measureReceived(transaction: LandedTransaction, destination: Destination): bigint {
  if (transaction.hasFailed) return 0n;
  const inAccount = ({ account, mint, program }: TokenBalance) =>
    account === destination.account && mint === destination.mint && program === TOKEN_PROGRAM;
  const after = transaction.after.find(inAccount);
  if (!after || after.owner !== destination.owner) return 0n;
  const before = transaction.before.find(inAccount)?.amount ?? 0n;
  const ofOwner = ({ owner, mint, program }: TokenBalance) =>
    owner === destination.owner && mint === destination.mint && program === TOKEN_PROGRAM;
  const growth = after.amount - before;
  const growthOverall = sum(transaction.after.filter(ofOwner)) - sum(transaction.before.filter(ofOwner));
  if (growth > growthOverall) return atLeastNothing(growthOverall);
  return atLeastNothing(growth);
}

function atLeastNothing(units: bigint): bigint {
  return units > 0n ? units : 0n;
}

/**
 * Balances of the canonical account before and after the transaction; null when it was no part of it, and when the
 * transaction names no token program: then nodes list no balances, whatever the account holds.
 */
export function balancesAround(
  { accounts, before, after }: LandedTransaction,
  { account }: Destination,
): { balanceBefore: bigint | null; balanceAfter: bigint | null } {
  if (!accounts.includes(account) || !namesTokenProgram(accounts))
    return { balanceBefore: null, balanceAfter: null };
  const held = (balances: readonly TokenBalance[]) =>
    balances.find((balance) => balance.account === account)?.amount ?? 0n;
  return { balanceBefore: held(before), balanceAfter: held(after) };
}

/** True if any token account grew: someone was paid something, if not us. */
export function movedTokens(transaction: LandedTransaction): boolean {
  if (transaction.hasFailed) return false;
  return transaction.after.some((after) => {
    const before = transaction.before.find(
      (balance) => balance.account === after.account && balance.mint === after.mint,
    );
    return after.amount > (before?.amount ?? 0n);
  });
}

export interface OtherToken {
  baseUnits: bigint;
  decimals: number | null;
}

/** Other tokens that the owner received, by mint: money of the wrong kind. */
export function otherTokensReceived(
  transaction: LandedTransaction,
  destination: Destination,
): Map<string, OtherToken> {
  const received = new Map<string, OtherToken>();
  if (transaction.hasFailed) return received;
  const mints = new Set(
    transaction.after.filter((balance) => balance.owner === destination.owner).map((balance) => balance.mint),
  );
  for (const mint of mints) {
    const of = (balance: TokenBalance) =>
      balance.owner === destination.owner &&
      balance.mint === mint &&
      (mint !== destination.mint || balance.program !== TOKEN_PROGRAM);
    const held = transaction.after.filter(of);
    const growth = sum(held) - sum(transaction.before.filter(of));
    if (growth > 0n) received.set(mint, { baseUnits: growth, decimals: held[0]!.decimals });
  }
  return received;
}

function sum(balances: readonly TokenBalance[]): bigint {
  return balances.reduce((total, balance) => total + balance.amount, 0n);
}
