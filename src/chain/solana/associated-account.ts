import { address } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import { TOKEN_PROGRAM } from './network.ts';

const MAX_KNOWN = 10_000;
const known = new BoundedMap<string, string>(MAX_KNOWN);

/** Account that holds an owner's tokens of a mint by convention: the only one we count as theirs. */
export async function associatedAccount(owner: string, mint: string): Promise<string> {
  const name = `${owner} ${mint}`;
  const before = known.get(name);
  if (before) return before;
  const [account] = await findAssociatedTokenPda({
    owner: address(owner),
    mint: address(mint),
    tokenProgram: address(TOKEN_PROGRAM),
  });
  known.set(name, account);
  return account;
}
