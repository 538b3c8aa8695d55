import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { getAddMemoInstruction } from '@solana-program/memo';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { associatedAccount } from './associated-account.ts';
import { MEMO_PROGRAM, TOKEN_PROGRAM, USDC_DECIMALS } from './network.ts';

/** One transfer of a transaction. */
export interface TransferLeg {
  destination: string;
  amountBaseUnits: BaseUnits;
  /** Null only in the sandbox, which also plays wallets that drop it. */
  reference: string | null;
  /** Public and permanent. */
  memo: string;
  /** The destination is known to have its token account. */
  hasAccount?: boolean;
}

export interface Lifetime {
  blockhash: string;
  lastValidBlockHeight: bigint;
}

export interface Payment extends TransferLeg, Lifetime {
  payer: string;
  mint: string;
  /** The account that pays the network fee, if not the payer's; then every destination must have its token account. */
  feePayer?: string | undefined;
}

export interface Transfers extends Lifetime {
  payer: string;
  mint: string;
  feePayer?: string | undefined;
  legs: readonly TransferLeg[];
}

/** Enough for the account creation, the memo and the transfer, with room to spare. */
const COMPUTE_UNITS = 80_000;
const MICRO_LAMPORTS_PER_UNIT = 10_000n;
/** Size of one packet of the network. */
const MAX_BYTES = 1232;

/**
 * The payment as a transaction for the payer to sign: base64, without a signature. The destination's account
 * is created if it is missing, and the reference is last in the transfer, where we look for it.
 */
export async function buildPayment({
  payer,
  mint,
  feePayer,
  blockhash,
  lastValidBlockHeight,
  ...leg
}: Payment): Promise<string> {
  return (await buildTransfers({ payer, mint, feePayer, blockhash, lastValidBlockHeight, legs: [leg] }))!;
}

/** Several at once, all or none of them; undefined where they do not fit into one transaction. */
export async function buildTransfers(transfers: Transfers): Promise<string | undefined> {
  const budget = [
    getSetComputeUnitLimitInstruction({ units: COMPUTE_UNITS * transfers.legs.length }),
    getSetComputeUnitPriceInstruction({ microLamports: MICRO_LAMPORTS_PER_UNIT }),
  ];
  const legs = (await Promise.all(transfers.legs.map((leg) => legInstructions(transfers, leg)))).flat();
  // A fee to go first is worth less than one more refund in the same signature.
  for (const instructions of [[...budget, ...legs], legs]) {
    const transaction = compile(transfers, instructions);
    if (Buffer.from(transaction, 'base64').length <= MAX_BYTES) return transaction;
  }
  return undefined;
}

async function legInstructions(transfers: Transfers, leg: TransferLeg): Promise<Instruction[]> {
  const payer = createNoopSigner(address(transfers.payer));
  const mint = address(transfers.mint);
  const tokenProgram = address(TOKEN_PROGRAM);
  const [source, target] = await Promise.all([
    associatedAccount(transfers.payer, transfers.mint),
    associatedAccount(leg.destination, transfers.mint),
  ]);
  const transfer = getTransferCheckedInstruction({
    source: address(source),
    mint,
    destination: address(target),
    authority: payer,
    amount: leg.amountBaseUnits,
    decimals: USDC_DECIMALS,
  });
  const references =
    leg.reference === null ? [] : [{ address: address(leg.reference), role: AccountRole.READONLY }];
  const ata = address(target);
  const owner = address(leg.destination);
  const create = getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint, tokenProgram });
  return [
    ...(leg.hasAccount ? [] : [create]),
    getAddMemoInstruction({ memo: leg.memo }, { programAddress: address(MEMO_PROGRAM) }),
    { ...transfer, accounts: [...transfer.accounts, ...references] },
  ];
}

function compile(
  { payer, feePayer = payer, blockhash, lastValidBlockHeight }: Transfers,
  instructions: readonly Instruction[],
): string {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight };
  const message = pipe(
    // Every wallet reads a legacy message, and @solana/pay before 1.0 reads no other.
    createTransactionMessage({ version: 'legacy' }),
    (draft) => setTransactionMessageFeePayer(address(feePayer), draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}
