import { type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { Mppx as Client, solana as clientSolana } from '@solana/mpp/client';
import { Mppx as Server, solana as serverSolana } from '@solana/mpp/server';
import { Receipt } from 'mppx';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from '../support/clean-up.ts';
import { tokenAccountOf, usdcMint } from '../support/wallet.ts';

/** The protocol's own server and client, with nothing of ours between them but the sandbox chain. */
let chain: SandboxChain;
let shop: KeyPairSigner;
let feePayer: KeyPairSigner;

beforeAll(async () => {
  chain = await startSandboxChain({ slotMs: 10, now: () => new Date() });
  cleanUp(() => chain.stop());
  [shop, feePayer] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  await chain.mintTo(shop.address as never, 1n);
  await chain.fund(feePayer.address as never, 1_000_000_000n);
});

function resource(sponsored: boolean) {
  const server = Server.create({
    secretKey: 'a secret of this test alone',
    realm: 'shop.test',
    methods: [
      serverSolana.charge({
        recipient: shop.address,
        currency: usdcMint,
        decimals: 6,
        network: 'localnet',
        rpcUrl: chain.rpcUrl,
        ...(sponsored && { signer: feePayer }),
      }),
    ],
  });
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const charge = server.charge({ amount: '250000', currency: usdcMint, externalId: 'order 42' } as never);
    const result = await charge(new Request(input as string, init));
    if (result.status === 402) return result.challenge;
    return result.withReceipt(Response.json({ goods: 'a song' }));
  };
}

describe('the reference server reads our chain as it reads a real node', () => {
  test.each([
    [
      'push: the client sends and proves by signature',
      { broadcast: true, sponsored: false, lamports: 10n ** 9n },
    ],
    [
      'pull: the server sends what the client signed',
      { broadcast: false, sponsored: false, lamports: 10n ** 9n },
    ],
    ['pull, the server pays the fee', { broadcast: false, sponsored: true, lamports: 0n }],
  ])('%s', async (_name, { broadcast, sponsored, lamports }) => {
    const payer = await generateKeyPairSigner();
    if (lamports > 0n) await chain.fund(payer.address as never, lamports);
    await chain.mintTo(payer.address as never, 300_000n);
    const method = clientSolana.charge({
      signer: payer,
      rpcUrl: chain.rpcUrl,
      broadcast,
      // The server hands out a confirmed blockhash and asks for a preflight at finalized: it must be old enough.
      onProgress: ({ type }) => {
        if (type === 'signed') chain.advanceSlots(32);
      },
    });
    const client = Client.create({ methods: [method], polyfill: false, fetch: resource(sponsored) });
    const response = await client.fetch('https://shop.test/song');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ goods: 'a song' });
    expect(Receipt.fromResponse(response)).toMatchObject({
      method: 'solana',
      status: 'success',
      externalId: 'order 42',
    });
    const account = await tokenAccountOf(payer.address as never);
    const left = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'getTokenAccountBalance',
        params: [account, { commitment: 'confirmed' }],
      }),
    });
    expect(((await left.json()) as { result: { value: object } }).result.value).toMatchObject({
      amount: '50000',
    });
  });
});
