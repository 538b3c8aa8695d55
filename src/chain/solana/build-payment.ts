import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
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

export interface Payment {
  payer: string;
  destination: string;
  amountBaseUnits: BaseUnits;
  mint: string;
  /** Null only in the sandbox, which also plays wallets that drop it. */
  reference: string | null;
  /** Public and permanent. */
  memo: string;
  blockhash: string;
  lastValidBlockHeight: bigint;
}

/** Enough for the account creation, the memo and the transfer, with room to spare. */
const COMPUTE_UNITS = 80_000;
const MICRO_LAMPORTS_PER_UNIT = 10_000n;

/**
 * The payment as a transaction for the payer to sign: base64, unsigned. The destination's account is created if it is
 * missing, and the reference comes last in the transfer, where we look for it.
 */
export async function buildPayment(payment: Payment): Promise<string> {
  const payer = createNoopSigner(address(payment.payer));
  const mint = address(payment.mint);
  const tokenProgram = address(TOKEN_PROGRAM);
  const [source, target] = await Promise.all([
    associatedAccount(payment.payer, payment.mint),
    associatedAccount(payment.destination, payment.mint),
  ]);
  const transfer = getTransferCheckedInstruction({
    source: address(source),
    mint,
    destination: address(target),
    authority: payer,
    amount: payment.amountBaseUnits,
    decimals: USDC_DECIMALS,
  });
  const references =
    payment.reference === null ? [] : [{ address: address(payment.reference), role: AccountRole.READONLY }];
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(payer.address, draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: payment.blockhash as Blockhash, lastValidBlockHeight: payment.lastValidBlockHeight },
        draft,
      ),
    (draft) =>
      appendTransactionMessageInstructions(
        [
          getSetComputeUnitLimitInstruction({ units: COMPUTE_UNITS }),
          getSetComputeUnitPriceInstruction({ microLamports: MICRO_LAMPORTS_PER_UNIT }),
          getCreateAssociatedTokenIdempotentInstruction({
            payer,
            ata: address(target),
            owner: address(payment.destination),
            mint,
            tokenProgram,
          }),
          getAddMemoInstruction({ memo: payment.memo }, { programAddress: address(MEMO_PROGRAM) }),
          { ...transfer, accounts: [...transfer.accounts, ...references] },
        ],
        draft,
      ),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}
