import { address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getApproveInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import {
  expectSoundBooks,
  type NewIntent,
  newIntent,
  payIntent,
  readIntent,
  UNITS,
  withReference,
} from '../support/payments.ts';
import { createLookupTable, createWallet, paymentInstructions, send, usdcMint } from '../support/wallet.ts';

/** Every way to pay that must be credited, as real transactions. */
let t: TestChain;
let rpcUrl: string;

beforeAll(async () => {
  t = await testChain();
  rpcUrl = t.chain.rpcUrl;
});

describe('legal shapes are credited', () => {
  const legal: [string, (intent: NewIntent) => Promise<unknown>][] = [
    ['TransferChecked with the account made in the same transaction', (intent) => payIntent(t, intent)],
    ['a legacy transaction', (intent) => payIntent(t, intent, { version: 'legacy' })],
    ['a version 1 transaction', (intent) => payIntent(t, intent, { version: 1 })],
    ['with a memo', (intent) => payIntent(t, intent, { memo: 'thanks' })],
    [
      'plain Transfer',
      async (intent) => {
        const transfer = getTransferInstruction({
          source: t.customer.usdcAccount,
          destination: t.merchant.usdcAccount,
          authority: t.customer.signer,
          amount: UNITS,
        });
        await send({
          rpcUrl,
          payer: t.customer.signer,
          instructions: [withReference(transfer, intent.reference)],
        });
      },
    ],
    [
      'the reference in another instruction',
      async (intent) => {
        const transfer = getTransferInstruction({
          source: t.customer.usdcAccount,
          destination: t.merchant.usdcAccount,
          authority: t.customer.signer,
          amount: UNITS,
        });
        const dust = getTransferSolInstruction({
          source: t.customer.signer,
          destination: intent.reference,
          amount: 1_000_000n,
        });
        await send({ rpcUrl, payer: t.customer.signer, instructions: [dust, transfer] });
      },
    ],
    [
      'guard instructions around the transfer',
      async (intent) => {
        const guard = getTransferSolInstruction({
          source: t.customer.signer,
          destination: t.customer.address,
          amount: 1n,
        });
        await payIntent(t, intent, { before: [guard], after: [guard] });
      },
    ],
    [
      'somebody else pays the fee',
      async (intent) => {
        const sponsor = await createWallet(t.chain);
        await payIntent(t, intent, { payer: sponsor.signer });
      },
    ],
    [
      'accounts from a lookup table',
      async (intent) => {
        const lookupTables = await createLookupTable(rpcUrl, t.customer.signer, [
          t.merchant.usdcAccount,
          intent.reference,
          usdcMint,
        ]);
        t.chain.advanceSlots(2);
        await payIntent(t, intent, { lookupTables });
      },
    ],
    [
      'a delegate spends',
      async (intent) => {
        const delegate = await createWallet(t.chain);
        const approve = getApproveInstruction({
          source: t.customer.usdcAccount,
          delegate: delegate.address,
          owner: t.customer.signer,
          amount: UNITS,
        });
        await send({ rpcUrl, payer: t.customer.signer, instructions: [approve] });
        const transfer = getTransferCheckedInstruction({
          source: t.customer.usdcAccount,
          mint: usdcMint,
          destination: t.merchant.usdcAccount,
          authority: delegate.signer,
          amount: UNITS,
          decimals: 6,
        });
        await send({
          rpcUrl,
          payer: delegate.signer,
          instructions: [withReference(transfer, intent.reference)],
        });
      },
    ],
    [
      'the same reference twice in one transaction',
      async (intent) => payIntent(t, intent, { references: [intent.reference, intent.reference] }),
    ],
    [
      'two transfers that add up',
      async (intent) => {
        const half = () =>
          paymentInstructions({
            rpcUrl,
            from: t.customer.signer,
            destinationOwner: t.merchant.address,
            amountBaseUnits: UNITS / 2n,
            references: [intent.reference],
          });
        await send({
          rpcUrl,
          payer: t.customer.signer,
          instructions: [...(await half()), ...(await half())],
        });
      },
    ],
    [
      'the merchant’s own wallet as payer of a customer’s transfer',
      (intent) => payIntent(t, intent, { payer: t.merchant.signer }),
    ],
  ];

  test.each(legal)('%s', async (_name, act) => {
    const intent = await newIntent(t.shop);
    await act(intent);
    t.chain.advanceSlots(3);
    await t.look();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'processing', cents: 0 });
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  });

  test('two merchants paid in one transaction', async () => {
    const otherWallet = await createWallet(t.chain);
    const other = await t.service.createMerchant('Other', otherWallet.address);
    const theirs = (await other.call('POST', '/api/merchants/intents', { amountCents: 50, orderId: 'x' }))
      .body;
    const ours = await newIntent(t.shop);
    const base = { rpcUrl, from: t.customer.signer };
    await send({
      rpcUrl,
      payer: t.customer.signer,
      instructions: [
        ...(await paymentInstructions({
          ...base,
          destinationOwner: t.merchant.address,
          amountBaseUnits: UNITS,
          references: [ours.reference],
        })),
        ...(await paymentInstructions({
          ...base,
          destinationOwner: otherWallet.address,
          amountBaseUnits: UNITS / 2n,
          references: [address(theirs.referenceAddress)],
        })),
      ],
    });
    await t.finalize();
    expect(await readIntent(t.shop, ours)).toEqual({ status: 'succeeded', cents: 100 });
    expect((await other.call('GET', `/api/merchants/intents/${theirs.id}`)).body).toMatchObject({
      status: 'succeeded',
      amountReceivedCents: 50,
    });
  });

  test('two transfers for two intents in one transaction', async () => {
    const [a, b] = [await newIntent(t.shop, 100), await newIntent(t.shop, 50)];
    const base = { rpcUrl, from: t.customer.signer, destinationOwner: t.merchant.address };
    await send({
      rpcUrl,
      payer: t.customer.signer,
      instructions: [
        ...(await paymentInstructions({ ...base, amountBaseUnits: UNITS, references: [a.reference] })),
        ...(await paymentInstructions({ ...base, amountBaseUnits: UNITS / 2n, references: [b.reference] })),
      ],
    });
    await t.finalize();
    expect([await readIntent(t.shop, a), await readIntent(t.shop, b)]).toEqual([
      { status: 'succeeded', cents: 100 },
      { status: 'succeeded', cents: 50 },
    ]);
  });
});

test('after all of it the books balance, and every dollar is explained', () => expectSoundBooks(t));
