import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import type { Chain } from '../ledger/chain.ts';
import { blockhashOf, FAUCET, SANDBOX_USDC_AUTHORITY, SANDBOX_USDC_MINT } from '../ledger/genesis.ts';
import { describeError } from '../ledger/transaction-error.ts';
import { readTransaction } from '../ledger/wire-transaction.ts';
import { INTERNAL_ERROR, RpcError } from './rpc-error.ts';
import { submitChecked } from './submit-transaction.ts';

/** Gives test money away, by ordinary transactions. Each answers the signature of the one it sent. */
export interface Faucet {
  fund(owner: Address, lamports?: bigint): Promise<string>;
  mintTo(owner: Address, baseUnits: bigint): Promise<string>;
}

const DEFAULT_LAMPORTS = 10_000_000_000n;
const UNIT_LIMIT = 200_000;
const UNIT_LIMITS = 1_000_000;

export async function createFaucet(chain: Chain): Promise<Faucet> {
  const payer = await createKeyPairSignerFromPrivateKeyBytes(FAUCET.seed);
  const authority = await createKeyPairSignerFromPrivateKeyBytes(SANDBOX_USDC_AUTHORITY.seed);
  const mint = address(SANDBOX_USDC_MINT);
  let sent = 0;

  async function send(instructions: Instruction[]): Promise<string> {
    const blockhash = blockhashOf(chain.slots.slot) as Blockhash;
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayerSigner(payer, draft),
      (draft) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, draft),
      // Two equal gifts in one slot would be one and the same transaction; the limit tells them apart.
      (draft) => setTransactionMessageComputeUnitLimit(UNIT_LIMIT + (sent++ % UNIT_LIMITS), draft),
      (draft) => appendTransactionMessageInstructions(instructions, draft),
    );
    const signed = await signTransactionMessageWithSigners(message);
    const tx = readTransaction(Buffer.from(getTransactionEncoder().encode(signed)));
    const failure = await submitChecked(chain, tx);
    if (failure?.err) throw new RpcError(INTERNAL_ERROR, `Faucet: ${describeError(failure.err)}`);
    return tx.signature;
  }

  return {
    fund: (owner, amount = DEFAULT_LAMPORTS) =>
      send([getTransferSolInstruction({ source: payer, destination: owner, amount })]),
    async mintTo(owner, amount) {
      const [token] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS });
      return send([
        await getCreateAssociatedTokenIdempotentInstructionAsync({ payer, owner, mint }),
        getMintToInstruction({ mint, token, mintAuthority: authority, amount }),
      ]);
    },
  };
}
