import { randomBytes } from 'node:crypto';
import { associatedAccount } from '../../src/chain/solana/associated-account.ts';
import { TOKEN_PROGRAM, USDC_MINTS } from '../../src/chain/solana/network.ts';
import type { LandedTransaction, StatedTransfer } from '../../src/chain/solana/transaction.ts';
import { watchKeeper } from '../../src/chain/solana/watched-account.ts';
import { type SettleTransfer, settleTransfer } from '../../src/payments/transfers/settle-transfer.ts';
import { encodeBase58 } from '../../src/platform/lib/base58.ts';
import { PAYOUT, type TestService } from './service.ts';

export const MINT = USDC_MINTS.sandbox;

export const newSignature = () => encodeBase58(randomBytes(64));

export interface TransferOptions {
  signature?: string;
  references?: string[];
  baseUnits?: bigint;
  blockTime?: Date;
  hasFailed?: boolean;
  isFinal?: boolean;
  /** Tokens of another kind for the destination. */
  otherMint?: bigint;
  otherDecimals?: number;
  /** USDC for somebody else. */
  elsewhere?: bigint;
  transfers?: Omit<StatedTransfer, 'authority'>[];
  memos?: string[];
}

/** A transaction that pays the merchant, as the chain would show it, brought straight to settlement. */
export async function arrive(
  service: TestService,
  merchantId: string,
  options: TransferOptions,
): Promise<string> {
  const transfer = await landed(service, merchantId, options);
  await service.db.transaction((tx) => settleTransfer(tx, transfer));
  return transfer.transaction.signature;
}

/** The same, still to be settled. */
export async function landed(
  service: TestService,
  merchantId: string,
  options: TransferOptions,
): Promise<SettleTransfer> {
  const owner = await addressOf(service, merchantId);
  const account = await associatedAccount(owner, MINT);
  await watchKeeper(service.db, service.clock, MINT)(owner, merchantId, service.clock.now());
  const {
    signature = newSignature(),
    references = [],
    baseUnits = 0n,
    hasFailed = false,
    isFinal = true,
  } = options;
  const balance = (amount: bigint) => ({
    account,
    mint: MINT,
    owner,
    program: TOKEN_PROGRAM,
    amount,
    decimals: 6,
  });
  const other = {
    account: 'other',
    mint: 'OtherMint',
    owner,
    program: TOKEN_PROGRAM,
    amount: options.otherMint ?? 0n,
    decimals: options.otherDecimals ?? 6,
  };
  const stranger = { ...balance(options.elsewhere ?? 0n), account: 'elsewhere', owner: 'somebody else' };
  const transaction: LandedTransaction = {
    signature,
    slot: 100,
    blockTime: options.blockTime ?? service.clock.now(),
    hasFailed,
    accounts: [account, ...references],
    signers: [],
    before: [balance(1_000n)],
    after: [
      balance(1_000n + baseUnits),
      ...(options.otherMint ? [other] : []),
      ...(options.elsewhere ? [stranger] : []),
    ],
    transfers: (options.transfers ?? []).map((each) => ({ ...each, authority: 'payer' })),
    memos: options.memos ?? [],
  };
  const destination = { owner, mint: MINT, account };
  return { transaction, destination, merchantId, isFinal, now: service.clock.now() };
}

async function addressOf({ db }: TestService, merchantId: string): Promise<string> {
  const rows = await db.query<{ address: string | null }>(
    'select payout_address as address from merchants where id = $1',
    [merchantId],
  );
  return rows[0]?.address ?? PAYOUT;
}
