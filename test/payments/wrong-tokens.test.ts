import { address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getSyncNativeInstruction,
  getTransferCheckedInstruction,
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
import { createToken2022, TOKEN_2022, token2022AccountOf } from '../support/tokens.ts';
import { createMint, tokenAccountOf } from '../support/wallet.ts';

/** Tokens that are not the money asked for, however much they look like it. */
let t: TestChain;
let rpcUrl: string;

beforeAll(async () => {
  t = await testChain();
  rpcUrl = t.chain.rpcUrl;
});

const WSOL = address('So11111111111111111111111111111111111111112');

/** Pays tokens of the newer program to the merchant. */
async function payToken2022({ reference }: NewIntent, mint: Awaited<ReturnType<typeof createToken2022>>) {
  const payment = getTransferCheckedInstruction(
    {
      source: await token2022AccountOf(t.customer.address, mint),
      mint,
      destination: await token2022AccountOf(t.merchant.address, mint),
      authority: t.customer.signer,
      amount: UNITS,
      decimals: 6,
    },
    { programAddress: TOKEN_2022 },
  );
  const creation = await getCreateAssociatedTokenIdempotentInstructionAsync({
    payer: t.customer.signer,
    owner: t.merchant.address,
    mint,
    tokenProgram: TOKEN_2022,
  });
  return sendFrom(t, creation, withReference(payment, reference));
}

describe('credited with nothing', () => {
  const tricks: [string, (intent: NewIntent) => Promise<unknown>][] = [
    [
      'a look-alike of the newer token program',
      async (intent) => payToken2022(intent, await createToken2022(rpcUrl, t.customer.signer, UNITS)),
    ],
    [
      'a look-alike that keeps a fee of each transfer',
      async (intent) => payToken2022(intent, await createToken2022(rpcUrl, t.customer.signer, UNITS, 500)),
    ],
    [
      'a fake mint with other decimals',
      async (intent) => {
        const mint = await createMint(rpcUrl, t.customer.signer, UNITS, 2);
        await payIntent(t, intent, { mint, decimals: 2 });
      },
    ],
    [
      'USDC stated with other decimals',
      (intent) => payIntent(t, intent, { decimals: 5, skipPreflight: true }),
    ],
    [
      'wrapped SOL',
      async (intent) => {
        const [mine, theirs] = [
          await tokenAccountOf(t.customer.address, WSOL),
          await tokenAccountOf(t.merchant.address, WSOL),
        ];
        const created = await Promise.all(
          [t.customer.address, t.merchant.address].map((owner) =>
            getCreateAssociatedTokenIdempotentInstructionAsync({
              payer: t.customer.signer,
              owner,
              mint: WSOL,
            }),
          ),
        );
        const fill = getTransferSolInstruction({
          source: t.customer.signer,
          destination: mine,
          amount: UNITS,
        });
        const payment = getTransferInstruction({
          source: mine,
          destination: theirs,
          authority: t.customer.signer,
          amount: UNITS,
        });
        await sendFrom(
          t,
          ...created,
          fill,
          getSyncNativeInstruction({ account: mine }),
          withReference(payment, intent.reference),
        );
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

test('wrong tokens that name the intent are listed for the merchant', async () => {
  const intent = await newIntent(t.shop);
  const mint = await createToken2022(rpcUrl, t.customer.signer, UNITS);
  const signature = await payToken2022(intent, mint);
  await t.finalize();
  await lookCloserAt(t, intent);
  expect(await exceptionKinds(t, signature)).toEqual(['wrong_mint']);
  expect((await readIntent(t.shop, intent)).status).toBe('failed');
});

test('after all of it the books balance', () => expectSoundBooks(t));
