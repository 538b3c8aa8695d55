import { generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { AuthorityType, getSetAuthorityInstruction, getTransferInstruction } from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import {
  exceptionKinds,
  expectSoundBooks,
  lookCloserAt,
  type NewIntent,
  newIntent,
  payIntent,
  readIntent,
  UNITS,
  withReference,
} from '../support/payments.ts';
import { createMint, createWallet, paymentInstructions, send } from '../support/wallet.ts';

/** Every way to cheat that must not be credited, as real transactions. */
let t: TestChain;
let rpcUrl: string;

beforeAll(async () => {
  t = await testChain();
  rpcUrl = t.chain.rpcUrl;
});

describe('cheats are not credited', () => {
  const cheats: [string, (intent: NewIntent) => Promise<unknown>][] = [
    [
      'a fake mint',
      async (intent) => {
        const mint = await createMint(rpcUrl, t.customer.signer, UNITS);
        await payIntent(t, intent, { mint });
      },
    ],
    [
      'to another owner',
      async (intent) => payIntent(t, intent, { destinationOwner: (await createWallet(t.chain)).address }),
    ],
    ['to oneself', (intent) => payIntent(t, intent, { destinationOwner: t.customer.address })],
    [
      'a failing transaction',
      (intent) => payIntent(t, intent, { amountBaseUnits: 10n ** 18n, skipPreflight: true }),
    ],
    [
      'dust of SOL on the reference',
      async (intent) => {
        const dust = getTransferSolInstruction({
          source: t.customer.signer,
          destination: intent.reference,
          amount: 1_000_000n,
        });
        await send({ rpcUrl, payer: t.customer.signer, instructions: [dust] });
      },
    ],
    [
      'SOL to the merchant',
      async (intent) => {
        const gift = getTransferSolInstruction({
          source: t.customer.signer,
          destination: t.merchant.address,
          amount: UNITS,
        });
        await send({
          rpcUrl,
          payer: t.customer.signer,
          instructions: [withReference(gift, intent.reference)],
        });
      },
    ],
    [
      'paid and taken back by the merchant’s signature',
      async (intent) => {
        const there = await paymentInstructions({
          rpcUrl,
          from: t.customer.signer,
          destinationOwner: t.merchant.address,
          amountBaseUnits: UNITS,
          references: [intent.reference],
        });
        const back = await paymentInstructions({
          rpcUrl,
          from: t.merchant.signer,
          destinationOwner: t.customer.address,
          amountBaseUnits: UNITS,
        });
        await send({ rpcUrl, payer: t.customer.signer, instructions: [...there, ...back] });
      },
    ],
    ['a transfer of nothing', (intent) => payIntent(t, intent, { amountBaseUnits: 0n })],
    [
      'an account handed over with money in it',
      async (intent) => {
        const giver = await createWallet(t.chain, { usdcBaseUnits: UNITS });
        const gift = getSetAuthorityInstruction({
          owned: giver.usdcAccount,
          owner: giver.signer,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: t.merchant.address,
        });
        await send({ rpcUrl, payer: giver.signer, instructions: [withReference(gift, intent.reference)] });
      },
    ],
    [
      'the merchant moving money between own accounts',
      async (intent) => {
        const giver = await createWallet(t.chain, { usdcBaseUnits: UNITS });
        const gift = getSetAuthorityInstruction({
          owned: giver.usdcAccount,
          owner: giver.signer,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: t.merchant.address,
        });
        await send({ rpcUrl, payer: giver.signer, instructions: [gift] });
        const shuffle = getTransferInstruction({
          source: giver.usdcAccount,
          destination: t.merchant.usdcAccount,
          authority: t.merchant.signer,
          amount: UNITS,
        });
        await send({
          rpcUrl,
          payer: t.merchant.signer,
          instructions: [withReference(shuffle, intent.reference)],
        });
      },
    ],
    [
      'a memo that claims to have paid',
      (intent) => payIntent(t, intent, { amountBaseUnits: 0n, memo: `paid ${intent.id} 100` }),
    ],
    [
      'somebody else’s reference',
      async (intent) => {
        await newIntent(t.shop);
        const stranger = await generateKeyPairSigner();
        await payIntent(t, { ...intent, reference: stranger.address });
      },
    ],
  ];

  test.each(cheats)('%s', async (_name, act) => {
    const intent = await newIntent(t.shop);
    await act(intent);
    await t.finalize();
    await lookCloserAt(t, intent);
    const { status, cents } = await readIntent(t.shop, intent);
    expect(cents).toBe(0);
    expect(['pending', 'failed']).toContain(status);
  });

  test('one transfer naming two intents is nobody’s, and listed', async () => {
    const [a, b] = [await newIntent(t.shop), await newIntent(t.shop)];
    const signature = await payIntent(t, a, { references: [a.reference, b.reference] });
    await t.finalize();
    expect([(await readIntent(t.shop, a)).cents, (await readIntent(t.shop, b)).cents]).toEqual([0, 0]);
    expect(await exceptionKinds(t, signature)).toEqual(['ambiguous']);
  });

  test('no reference at all: listed as unmatched', async () => {
    const signature = await payIntent(t, await newIntent(t.shop), { references: [] });
    await t.finalize();
    expect(await exceptionKinds(t, signature)).toEqual(['unmatched']);
  });
});

test('after all of it the books balance, and every dollar is explained', () => expectSoundBooks(t));
