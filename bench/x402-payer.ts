import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { getAddMemoInstruction } from '@solana-program/memo';
import { getTransferCheckedInstruction } from '@solana-program/token';
import { associatedAccount } from '../src/chain/solana/associated-account.ts';
import { type LatestBlockhash, latestBlockhash } from '../src/chain/solana/latest-blockhash.ts';
import { MEMO_PROGRAM, USDC_DECIMALS } from '../src/chain/solana/network.ts';
import { createRpc } from '../src/chain/solana/rpc.ts';
import { text } from '../src/chain/solana/shapes.ts';

export interface Offer {
  amount: string;
  asset: string;
  payTo: string;
  extra: { feePayer: string; memo: string };
}

/** A program's wallet that signs offers as the clients do, and holds no SOL. */
export interface Program {
  address: string;
  /** Returns the content of PAYMENT-SIGNATURE for an offer. */
  sign(accepted: Offer, lifetime: LatestBlockhash): Promise<string>;
}

const BASE_UNITS = 10n ** 15n;

export async function createProgram(rpcUrl: string): Promise<Program> {
  const rpc = createRpc({ urls: [rpcUrl], maxPerSecond: 100_000 });
  const wallet = await generateKeyPairSigner();
  await rpc.ask('sandbox_mintTo', [wallet.address, BASE_UNITS], (value) => text(value, 'signature'));
  return {
    address: wallet.address,
    async sign(accepted, lifetime) {
      const payload = { transaction: await transactionOf(wallet, accepted, lifetime) };
      return Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload })).toString('base64');
    },
  };
}

export function blockhashOf(rpcUrl: string): Promise<LatestBlockhash> {
  return latestBlockhash(createRpc({ urls: [rpcUrl], maxPerSecond: 100_000 }));
}

/** Reads a link's offer to programs. */
export async function askForOffer(url: string): Promise<Offer> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (response.status !== 402) throw new Error(`no offer: ${await response.text()}`);
  return ((await response.json()) as { accepts: [Offer] }).accepts[0];
}

async function transactionOf(
  wallet: KeyPairSigner,
  { amount, asset, payTo, extra }: Offer,
  { blockhash, lastValidBlockHeight }: LatestBlockhash,
): Promise<string> {
  const [source, target] = await Promise.all([
    associatedAccount(wallet.address, asset),
    associatedAccount(payTo, asset),
  ]);
  const instructions = [
    getSetComputeUnitLimitInstruction({ units: 40_000 }),
    getSetComputeUnitPriceInstruction({ microLamports: 1n }),
    getTransferCheckedInstruction({
      source: address(source),
      mint: address(asset),
      destination: address(target),
      authority: createNoopSigner(wallet.address),
      amount: BigInt(amount),
      decimals: USDC_DECIMALS,
    }),
    getAddMemoInstruction({ memo: extra.memo }, { programAddress: address(MEMO_PROGRAM) }),
  ];
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(address(extra.feePayer), draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  const signed = await partiallySignTransaction([wallet.keyPair], compileTransaction(message));
  return getBase64EncodedWireTransaction(signed);
}
