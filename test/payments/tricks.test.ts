import { getTransferSolInstruction } from '@solana-program/system';
import {
  getApproveInstruction,
  getBatchInstruction,
  getBurnInstruction,
  getCloseAccountInstruction,
  getFreezeAccountInstruction,
  getThawAccountInstruction,
  getTransferInstruction,
} from '@solana-program/token';
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
  sendFrom,
  UNITS,
  withReference,
} from '../support/payments.ts';
import { createOtherAccount, usdcAuthority } from '../support/tokens.ts';
import { createWallet, memoInstruction, send, usdcMint } from '../support/wallet.ts';

/** Cheats that take some knowledge of the token programs, as real transactions. */
let t: TestChain;
let rpcUrl: string;

beforeAll(async () => {
  t = await testChain();
  rpcUrl = t.chain.rpcUrl;
  await t.chain.mintTo(t.merchant.address, 10n * UNITS);
});

const transfer = (amount: bigint, destination = t.merchant.usdcAccount) =>
  getTransferInstruction({
    source: t.customer.usdcAccount,
    destination,
    authority: t.customer.signer,
    amount,
  });
const fromMerchant = (amount: bigint) =>
  getTransferInstruction({
    source: t.merchant.usdcAccount,
    destination: t.customer.usdcAccount,
    authority: t.merchant.signer,
    amount,
  });

describe('credited with nothing', () => {
  const tricks: [string, (intent: NewIntent) => Promise<unknown>][] = [
    [
      'SOL on the token account itself',
      ({ reference }) => {
        const gift = getTransferSolInstruction({
          source: t.customer.signer,
          destination: t.merchant.usdcAccount,
          amount: UNITS,
        });
        return sendFrom(t, withReference(gift, reference));
      },
    ],
    [
      'an account of the merchant’s that is not the canonical one',
      async ({ reference }) => {
        const other = await createOtherAccount(rpcUrl, t.customer.signer, t.merchant.address);
        await sendFrom(t, withReference(transfer(UNITS, other), reference));
      },
    ],
    [
      'an account that is closed into the merchant’s wallet',
      async ({ reference }) => {
        const empty = await createOtherAccount(rpcUrl, t.customer.signer, t.customer.address);
        const close = getCloseAccountInstruction({
          account: empty,
          destination: t.merchant.usdcAccount,
          owner: t.customer.signer,
        });
        await sendFrom(t, withReference(close, reference));
      },
    ],
    [
      'the right to take money, instead of money',
      ({ reference }) => {
        const approve = getApproveInstruction({
          source: t.customer.usdcAccount,
          delegate: t.merchant.address,
          owner: t.customer.signer,
          amount: UNITS,
        });
        return sendFrom(t, withReference(approve, reference));
      },
    ],
    [
      'paid and taken back by somebody the merchant once trusted',
      async ({ reference }) => {
        const trusted = await createWallet(t.chain);
        const approve = getApproveInstruction({
          source: t.merchant.usdcAccount,
          delegate: trusted.address,
          owner: t.merchant.signer,
          amount: UNITS,
        });
        await send({ rpcUrl, payer: t.merchant.signer, instructions: [approve] });
        const back = getTransferInstruction({
          source: t.merchant.usdcAccount,
          destination: t.customer.usdcAccount,
          authority: trusted.signer,
          amount: UNITS,
        });
        await sendFrom(t, withReference(transfer(UNITS), reference), back);
      },
    ],
    [
      'paid and taken back inside one Batch',
      ({ reference }) =>
        sendFrom(t, getBatchInstruction([withReference(transfer(UNITS), reference), fromMerchant(UNITS)])),
    ],
    [
      'paid and burned in the same transaction',
      ({ reference }) => {
        const burn = getBurnInstruction({
          account: t.merchant.usdcAccount,
          mint: usdcMint,
          authority: t.merchant.signer,
          amount: UNITS,
        });
        return sendFrom(t, withReference(transfer(UNITS), reference), burn);
      },
    ],
    [
      'out first and back in again',
      ({ reference }) => sendFrom(t, fromMerchant(UNITS), withReference(transfer(UNITS), reference)),
    ],
    [
      'the merchant’s account onto itself',
      async ({ reference }) => {
        const itself = getTransferInstruction({
          source: t.merchant.usdcAccount,
          destination: t.merchant.usdcAccount,
          authority: t.merchant.signer,
          amount: UNITS,
        });
        await sendFrom(t, withReference(itself, reference));
      },
    ],
    [
      'many transfers of nothing',
      ({ reference }) =>
        sendFrom(t, ...Array.from({ length: 5 }, () => withReference(transfer(0n), reference))),
    ],
    [
      'while the account is frozen',
      async (intent) => {
        const owner = await usdcAuthority();
        const accounts = { account: t.merchant.usdcAccount, mint: usdcMint, owner };
        await sendFrom(t, getFreezeAccountInstruction(accounts));
        await payIntent(t, intent, { skipPreflight: true });
        await sendFrom(t, getThawAccountInstruction(accounts));
      },
    ],
    [
      'the transfer fails because what comes after it does',
      ({ reference }) =>
        send({
          rpcUrl,
          payer: t.customer.signer,
          instructions: [withReference(transfer(UNITS), reference), transfer(10n ** 18n)],
          skipPreflight: true,
        }),
    ],
    [
      'the reference written into the memo only',
      async ({ id, reference }) => {
        const signature = await sendFrom(t, memoInstruction(`${reference} ${id}`), transfer(UNITS));
        await t.finalize();
        expect(await exceptionKinds(t, signature)).toEqual(['unmatched']);
      },
    ],
    [
      'its reference with another merchant’s money',
      async (intent) => {
        const wallet = await createWallet(t.chain);
        const other = await t.service.createMerchant('Other', wallet.address);
        await newIntent(other);
        const signature = await payIntent(t, intent, { destinationOwner: wallet.address });
        await t.finalize();
        expect(await exceptionKinds(t, signature)).toEqual(['unmatched']);
      },
    ],
    [
      'another merchant’s reference',
      async () => {
        const wallet = await createWallet(t.chain);
        const other = await t.service.createMerchant('Other', wallet.address);
        const theirs = await newIntent(other);
        const signature = await payIntent(t, theirs);
        await t.finalize();
        expect(await readIntent(other, theirs)).toEqual({ status: 'pending', cents: 0 });
        expect(await exceptionKinds(t, signature)).toEqual(['unmatched']);
      },
    ],
  ];

  test.each(tricks)('%s', async (_name, act) => {
    const intent = await newIntent(t.shop);
    await act(intent);
    await t.finalize();
    await lookCloserAt(t, intent);
    const { status, cents } = await readIntent(t.shop, intent);
    expect(cents).toBe(0);
    expect(['pending', 'failed']).toContain(status);
  });
});

test('two intents in one Batch are not told apart: listed, not guessed', async () => {
  const [a, b] = [await newIntent(t.shop), await newIntent(t.shop)];
  const signature = await sendFrom(
    t,
    getBatchInstruction([
      withReference(transfer(UNITS), a.reference),
      withReference(transfer(UNITS), b.reference),
    ]),
  );
  await t.finalize();
  expect([(await readIntent(t.shop, a)).cents, (await readIntent(t.shop, b)).cents]).toEqual([0, 0]);
  expect(await exceptionKinds(t, signature)).toEqual(['ambiguous']);
});

test('a transfer stated twice, once for each of two intents, is credited once at most', async () => {
  const [a, b] = [await newIntent(t.shop), await newIntent(t.shop)];
  await sendFrom(
    t,
    withReference(transfer(UNITS), a.reference),
    fromMerchant(UNITS),
    withReference(transfer(UNITS), b.reference),
  );
  await t.finalize();
  const credited = [(await readIntent(t.shop, a)).cents, (await readIntent(t.shop, b)).cents];
  expect(credited).toEqual([0, 0]);
});

test('after all of it the books balance, and every dollar is explained', () => expectSoundBooks(t));
