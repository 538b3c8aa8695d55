import { address } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import { TOKEN_PROGRAM } from './network.ts';

const known = new Map<string, string>();
const MAX_KNOWN = 10_000;

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
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, account);
  return account;
}
