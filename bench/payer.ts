import { SANDBOX_USDC_MINT } from '@florin/sandbox-chain';
import {
  address,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';
import { buildPayment } from '../src/chain/solana/build-payment.ts';
import { type LatestBlockhash, latestBlockhash } from '../src/chain/solana/latest-blockhash.ts';
import { createRpc } from '../src/chain/solana/rpc.ts';
import { text } from '../src/chain/solana/shapes.ts';
import { centsToBaseUnits } from '../src/platform/lib/money.ts';

export interface ToPay {
  id: string;
  reference: string;
  destination: string;
  cents: number;
}

/** Pays intents as a wallet does: build, sign, send. Answers the signature when the node has taken it. */
export type Pay = (intent: ToPay) => Promise<string>;

const BLOCKHASH_MS = 2_000;
const LAMPORTS = 10n ** 15n;
const BASE_UNITS = 10n ** 15n;

/** A customer of the chain at `rpcUrl` with more money than a bench can spend. */
export async function createPayer(rpcUrl: string): Promise<Pay> {
  const rpc = createRpc({ urls: [rpcUrl], maxPerSecond: 100_000 });
  const wallet = await generateKeyPairSigner();
  await rpc.ask('requestAirdrop', [wallet.address, LAMPORTS], (value) => text(value, 'signature'));
  await rpc.ask('sandbox_mintTo', [wallet.address, BASE_UNITS], (value) => text(value, 'signature'));
  let latest: Promise<LatestBlockhash> | undefined;
  let latestMs = 0;
  const blockhash = () => {
    if (!latest || performance.now() - latestMs > BLOCKHASH_MS) {
      latest = latestBlockhash(rpc);
      latestMs = performance.now();
    }
    return latest;
  };

  return async ({ id, reference, destination, cents }) => {
    const unsigned = await buildPayment({
      payer: wallet.address,
      mint: SANDBOX_USDC_MINT,
      destination: address(destination),
      reference,
      amountBaseUnits: centsToBaseUnits(BigInt(cents)),
      memo: id,
      ...(await blockhash()),
    });
    const decoded = getTransactionDecoder().decode(Buffer.from(unsigned, 'base64'));
    const signed = getBase64EncodedWireTransaction(await signTransaction([wallet.keyPair], decoded));
    const options = { encoding: 'base64', skipPreflight: true };
    return rpc.ask('sendTransaction', [signed, options], (value) => text(value, 'signature'));
  };
}
