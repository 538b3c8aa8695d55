import { address } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import { Memo } from '../../platform/lib/memo.ts';
import { TOKEN_PROGRAM } from './network.ts';

const MAX_KNOWN = 10_000;
const known = new Memo<string>(MAX_KNOWN);

/** Account that holds an owner's tokens of a mint by convention: the only one we count as theirs. */
export async function associatedAccount(owner: string, mint: string): Promise<string> {
  return known.read(`${owner} ${mint}`, () => deriveAccount(owner, mint));
}

async function deriveAccount(owner: string, mint: string): Promise<string> {
  const [account] = await findAssociatedTokenPda({
    owner: address(owner),
    mint: address(mint),
    tokenProgram: address(TOKEN_PROGRAM),
  });
  return account;
}
