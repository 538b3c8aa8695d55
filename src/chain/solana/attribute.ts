import type { LandedTransaction } from './transaction.ts';

/** An intent that expects money under a reference. */
export interface Claimant {
  id: string;
  referenceAddress: string;
}

export interface Attribution {
  /** The part of each claimant. Their sum is never more than what arrived. */
  shares: Map<string, bigint>;
  /** The part that cannot be attributed to anyone. */
  rest: bigint;
}

/**
 * Decides whom the measured amount is for. If the transaction names one claimant, it gets all of it. With several,
 * each transfer instruction that names exactly one of them gives it its stated amount; a transfer that names two, or
 * amounts that do not match what arrived, belong to no one.
 */
export function attribute(
  transaction: LandedTransaction,
  account: string,
  received: bigint,
  claimants: readonly Claimant[],
): Attribution {
  if (received === 0n || claimants.length === 0) return { shares: new Map(), rest: received };
  const [only] = claimants;
  if (claimants.length === 1) return { shares: new Map([[only!.id, received]]), rest: 0n };

  const shares = new Map<string, bigint>();
  for (const transfer of transaction.transfers) {
    if (transfer.destination !== account) continue;
    const named = claimants.filter((claimant) => transfer.accounts.includes(claimant.referenceAddress));
    if (named.length !== 1) continue;
    const { id } = named[0]!;
    shares.set(id, (shares.get(id) ?? 0n) + transfer.amount);
  }
  const total = [...shares.values()].reduce((sum, share) => sum + share, 0n);
  return total <= received ? { shares, rest: received - total } : { shares: new Map(), rest: received };
}
