import { generateKeyPairSigner } from '@solana/kit';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';

/** A program with test USDC and no SOL on a sandbox that runs in another process, paying with the unmodified client. */
export async function programOf(rpcUrl: string) {
  const signer = await generateKeyPairSigner();
  const minted = { jsonrpc: '2.0', id: 1, method: 'sandbox_mintTo', params: [signer.address, 5_000_000] };
  await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(minted),
  });
  const scheme = new ExactSvmScheme(signer as never, { rpcUrl });
  const pay = wrapFetchWithPayment(fetch, new x402Client().register('solana:*', scheme));
  return { address: signer.address, pay };
}
