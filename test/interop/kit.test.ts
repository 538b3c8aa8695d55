import { type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import * as olderKit from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from '../support/clean-up.ts';
import * as ownKit from '../support/kit.ts';

/** The kit's own way to send and confirm, over HTTP and WebSocket, in the version we use and in an older one. */
let chain: SandboxChain;

beforeAll(async () => {
  chain = await startSandboxChain({ slotMs: 10, now: () => new Date() });
  cleanUp(() => chain.stop());
});

type Kit = typeof olderKit;
const kits: [string, Kit][] = [
  ['the kit we use', ownKit as unknown as Kit],
  ['an older kit', olderKit],
];

describe.each(kits)('%s', (_name, kit: Kit) => {
  const connect = () => ({
    rpc: kit.createSolanaRpc(kit.devnet(chain.rpcUrl)),
    rpcSubscriptions: kit.createSolanaRpcSubscriptions(kit.devnet(chain.wsUrl)),
  });

  async function transfer(lamports: bigint) {
    const { rpc } = connect();
    const [payer, receiver] = [await kit.generateKeyPairSigner(), await kit.generateKeyPairSigner()];
    await chain.fund(payer.address, 10n ** 10n);
    const { value: latest } = await rpc.getLatestBlockhash().send();
    const instruction = getTransferSolInstruction({
      source: payer,
      destination: receiver.address,
      amount: lamports,
    });
    const message = kit.pipe(
      kit.createTransactionMessage({ version: 0 }),
      (draft) => kit.setTransactionMessageFeePayerSigner(payer, draft),
      (draft) => kit.setTransactionMessageLifetimeUsingBlockhash(latest, draft),
      (draft) => kit.appendTransactionMessageInstructions([instruction], draft),
    );
    const transaction = await kit.signTransactionMessageWithSigners(message);
    kit.assertIsTransactionWithBlockhashLifetime(transaction);
    kit.assertIsSendableTransaction(transaction);
    return { receiver: receiver.address, transaction };
  }

  test.each(['processed', 'confirmed', 'finalized'] as const)(
    'sends and confirms as %s',
    async (commitment) => {
      const { rpc, rpcSubscriptions } = connect();
      const { receiver, transaction } = await transfer(1_000_000n);
      await kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(transaction, { commitment });
      const { value } = await rpc.getBalance(receiver, { commitment }).send();
      expect(value).toBe(1_000_000n);
    },
  );

  test('learns that a transaction failed', async () => {
    const { transaction } = await transfer(10n ** 12n);
    const sent = kit.sendAndConfirmTransactionFactory(connect())(transaction, {
      commitment: 'confirmed',
      skipPreflight: true,
    });
    await expect(sent).rejects.toMatchObject({ name: 'SolanaError' });
  });

  test('gives up on a transaction whose blockhash is over', async () => {
    const { transaction } = await transfer(1_000_000n);
    chain.advanceSlots(200);
    const sent = kit.sendAndConfirmTransactionFactory(connect())(transaction, { commitment: 'confirmed' });
    await expect(sent).rejects.toMatchObject({ name: 'SolanaError' });
  });
});
