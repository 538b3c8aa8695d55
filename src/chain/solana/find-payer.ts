import { type Rpc, RpcFailure } from './rpc.ts';
import { readTransaction, type TokenBalance } from './transaction.ts';

/**
 * The one wallet that a token came from in these transactions; undefined where there were several, or where it cannot be
 * said. It may be an exchange's, so it is an offer and never a default.
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
    const ofMint = (balance: TokenBalance) => balance.mint === mint && balance.owner !== destination;
    for (const before of transaction.before.filter(ofMint)) {
      const after = transaction.after.find(({ account }) => account === before.account);
      if ((after?.amount ?? 0n) < before.amount) payers.add(before.owner);
    }
  }
  return payers.size === 1 ? [...payers][0] : undefined;
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
