import { AccountRole, generateKeyPairSigner } from '@solana/kit';
import {
  findAssociatedTokenPda,
  getBatchInstruction,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getFreezeAccountInstruction,
  getMintToInstruction,
  getRecoverNestedAssociatedTokenInstructionAsync,
  getThawAccountInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import {
  expectSoundBooks,
  type NewIntent,
  newIntent,
  payIntent,
  readIntent,
  sendFrom,
  UNITS,
  withReference,
} from '../support/payments.ts';
import { createMultisig, createNonce, createOtherAccount, usdcAuthority } from '../support/tokens.ts';
import { createWallet, paymentInstructions, send, sign, usdcMint } from '../support/wallet.ts';

/** Rare but honest ways to pay, as real transactions. */
let t: TestChain;
let rpcUrl: string;

beforeAll(async () => {
  t = await testChain();
  rpcUrl = t.chain.rpcUrl;
  await t.chain.mintTo(t.merchant.address, 1n);
});

const transfer = (amount: bigint, source = t.customer.usdcAccount) =>
  getTransferInstruction({
    source,
    destination: t.merchant.usdcAccount,
    authority: t.customer.signer,
    amount,
  });
const nobody = async () => (await generateKeyPairSigner()).address;

describe('credited', () => {
  const shapes: [string, (intent: NewIntent) => Promise<unknown>][] = [
    [
      'a Batch of the token program, which leaves no trace but the balances',
      ({ reference }) =>
        sendFrom(
          t,
          getBatchInstruction([transfer(UNITS / 4n), withReference(transfer((3n * UNITS) / 4n), reference)]),
        ),
    ],
    [
      'money minted straight into the account',
      async ({ reference }) => {
        const mint = getMintToInstruction({
          mint: usdcMint,
          token: t.merchant.usdcAccount,
          mintAuthority: await usdcAuthority(),
          amount: UNITS,
        });
        await sendFrom(t, withReference(mint, reference));
      },
    ],
    [
      'a transfer made by another program',
      async ({ reference }) => {
        const [nested] = await findAssociatedTokenPda({
          owner: t.merchant.usdcAccount,
          mint: usdcMint,
          tokenProgram: TOKEN_PROGRAM_ADDRESS,
        });
        const creation = await getCreateAssociatedTokenIdempotentInstructionAsync({
          payer: t.customer.signer,
          owner: t.merchant.usdcAccount,
          mint: usdcMint,
        });
        const lost = getTransferInstruction({
          source: t.customer.usdcAccount,
          destination: nested,
          authority: t.customer.signer,
          amount: UNITS,
        });
        await sendFrom(t, creation, lost);
        const recovery = await getRecoverNestedAssociatedTokenInstructionAsync({
          nestedTokenMintAddress: usdcMint,
          ownerTokenMintAddress: usdcMint,
          walletAddress: t.merchant.signer,
        });
        await sendFrom(t, withReference(recovery, reference));
      },
    ],
    [
      'a wallet that two people hold together',
      async ({ reference }) => {
        const [one, two] = [await createWallet(t.chain), await createWallet(t.chain)];
        const multisig = await createMultisig(rpcUrl, one.signer, [one.address, two.address, await nobody()]);
        await t.chain.mintTo(multisig, UNITS);
        const [source] = await findAssociatedTokenPda({
          owner: multisig,
          mint: usdcMint,
          tokenProgram: TOKEN_PROGRAM_ADDRESS,
        });
        const payment = getTransferCheckedInstruction({
          source,
          mint: usdcMint,
          destination: t.merchant.usdcAccount,
          authority: multisig,
          amount: UNITS,
          decimals: 6,
          multiSigners: [one.signer, two.signer],
        });
        const instructions = [withReference(payment, reference)];
        await send({ rpcUrl, payer: one.signer, instructions });
      },
    ],
    [
      'a transaction signed long before it is sent, by a durable nonce',
      async (intent) => {
        const nonce = await createNonce(rpcUrl, t.customer.signer, () => t.chain.advanceSlots(1));
        t.chain.advanceSlots(300);
        await payIntent(t, intent, { nonce });
      },
    ],
    [
      'from an account that is not the payer’s canonical one',
      async ({ reference }) => {
        const source = await createOtherAccount(rpcUrl, t.customer.signer, t.customer.address);
        const fill = getTransferInstruction({
          source: t.customer.usdcAccount,
          destination: source,
          authority: t.customer.signer,
          amount: UNITS,
        });
        await sendFrom(t, fill);
        await sendFrom(t, withReference(transfer(UNITS, source), reference));
      },
    ],
    [
      'the reference as a writable account',
      ({ reference }) => sendFrom(t, withReference(transfer(UNITS), reference, AccountRole.WRITABLE)),
    ],
    [
      'the reference among references of others',
      async (intent) =>
        payIntent(t, intent, { references: [await nobody(), intent.reference, await nobody()] }),
    ],
    [
      'half with the reference and half without',
      ({ reference }) => sendFrom(t, transfer(UNITS / 2n), withReference(transfer(UNITS / 2n), reference)),
    ],
    [
      'two customers in one transaction',
      async ({ reference }) => {
        const friend = await createWallet(t.chain, { usdcBaseUnits: UNITS });
        const half = { rpcUrl, destinationOwner: t.merchant.address, amountBaseUnits: UNITS / 2n };
        await sendFrom(
          t,
          ...(await paymentInstructions({ ...half, from: friend.signer, references: [reference] })),
          ...(await paymentInstructions({ ...half, from: t.customer.signer })),
        );
      },
    ],
    [
      'the merchant spends as much in the same transaction as another pays in twice',
      async ({ reference }) => {
        const back = getTransferInstruction({
          source: t.merchant.usdcAccount,
          destination: t.customer.usdcAccount,
          authority: t.merchant.signer,
          amount: UNITS,
        });
        await sendFrom(t, withReference(transfer(2n * UNITS), reference), back);
      },
    ],
    [
      'the same signed transaction sent twice',
      async (intent) => {
        const instructions = [withReference(transfer(UNITS), intent.reference)];
        const wire = await sign({ rpcUrl, payer: t.customer.signer, instructions });
        for (let i = 0; i < 2; i++) await submit(wire);
      },
    ],
    [
      'after the account was frozen and thawed',
      async (intent) => {
        const owner = await usdcAuthority();
        const accounts = { account: t.merchant.usdcAccount, mint: usdcMint, owner };
        await sendFrom(t, getFreezeAccountInstruction(accounts));
        await payIntent(t, intent, { skipPreflight: true });
        await sendFrom(t, getThawAccountInstruction(accounts));
        await payIntent(t, intent);
      },
    ],
  ];

  async function submit(wire: string): Promise<void> {
    await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'sendTransaction',
        params: [wire, { encoding: 'base64', skipPreflight: true }],
      }),
    });
  }

  test.each(shapes)('%s', async (_name, act) => {
    const intent = await newIntent(t.shop);
    await act(intent);
    t.chain.advanceSlots(3);
    await t.look();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'processing', cents: 0 });
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  });
});

test('after all of it the books balance, and every dollar is explained', () => expectSoundBooks(t));
