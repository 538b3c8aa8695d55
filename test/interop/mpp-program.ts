import { generateKeyPairSigner } from '@solana/kit';
import { Mppx, solana } from '@solana/mpp/client';

/** A buyer as its own process: says its address, waits to be funded, and buys at each address that it reads. */
const signer = await generateKeyPairSigner(true);
process.stdout.write(`${JSON.stringify({ address: signer.address })}\n`);
for await (const chunk of process.stdin)
  for (const line of String(chunk).split('\n').filter(Boolean)) {
    const { url, rpcUrl, broadcast } = JSON.parse(line);
    const method = solana.charge({ signer: signer as never, rpcUrl, broadcast });
    const client = Mppx.create({ methods: [method], polyfill: false });
    const answer = await client
      .fetch(url)
      .then(async (response) => ({
        status: response.status,
        cache: response.headers.get('cache-control'),
        receipt: response.headers.get('payment-receipt') !== null,
        body: await response.text(),
      }))
      .catch((error: Error) => ({ status: 0, body: String(error.stack) }));
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
