import {
  address,
  appendTransactionMessageInstructions,
  createNoopSigner,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks } from '../support/payments.ts';
import { memoInstruction, paymentInstructions, type Wallet } from '../support/wallet.ts';
import * as mpp from './mpp-client.ts';
import * as x402 from './x402-client.ts';

/** A transaction that has paid a seller’s own server, shown at the place that it was signed for. */
let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' }, undefined, undefined, { settleWaitMs: 300 });
  await t.chain.mintTo(t.merchant.address, 1n);
  projectId = (await t.shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body.id;
  t.chain.advanceSlots(40);
});

async function newPaywall(): Promise<string> {
  const setUp = { projectId, productName: 'Report', billingMode: 'one_time', unitAmountCents: 50 };
  const { body } = await t.shop.call('POST', '/api/v2/payment-links/setup', setUp);
  const sold = { projectId, priceId: body.price.id, description: 'Report' };
  return (await t.shop.call('POST', '/api/v2/x402/paywalls', sold)).body.url;
}

/** A payment that both protocols take: the limit and the price first, and the memo of the challenge. */
async function signFor({ signer }: Wallet, { request }: ReturnType<typeof mpp.challengeOf>): Promise<string> {
  const { amount, recipient, externalId } = request as Record<'amount' | 'recipient' | 'externalId', string>;
  const { value: latest } = await createSolanaRpc(t.chain.rpcUrl)
    .getLatestBlockhash({ commitment: 'confirmed' })
    .send();
  const payment = {
    ...{ rpcUrl: t.chain.rpcUrl, from: signer, createAccount: false },
    ...{ destinationOwner: address(recipient), amountBaseUnits: BigInt(amount) },
  };
  const instructions = [
    getSetComputeUnitLimitInstruction({ units: 20_000 }),
    getSetComputeUnitPriceInstruction({ microLamports: 1n }),
    ...(await paymentInstructions(payment)),
    memoInstruction(externalId),
  ];
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) =>
      setTransactionMessageFeePayerSigner(createNoopSigner(address(t.sponsor.feePayer.address)), draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(latest, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(message));
}

const PAID_ELSEWHERE =
  'This transaction has paid for something else: show it with the offer that it was signed for.';

test.each(['settled', 'under way'])(
  'MPP, our fee: one that is %s there is never asked for again',
  async (state) => {
    const url = (await newPaywall()).replace(/^https?:\/\/[^/]+/, t.service.url);
    const wallet = await x402.programWallet(t, 10_000_000n);
    t.chain.advanceSlots(2);
    const offered = await fetch(url, x402.JSON_ONLY);
    const { payload } = await x402.signOffered(t, wallet, offered);
    const challenge = mpp.challengesOf(offered)[0]!;
    const transaction = await signFor(wallet, challenge);
    const authorization = mpp.changed(await mpp.accept(t, wallet, challenge), () => ({
      payload: { type: 'transaction', transaction },
    }));
    const { memo: _, ...terms } = payload.accepted.extra;
    const accepted = { ...payload.accepted, extra: { ...terms, projectId } };
    const settle = () =>
      t.shop.call('POST', '/x402/settle', {
        x402Version: 2,
        paymentPayload: { x402Version: 2, accepted, payload: { transaction } },
        paymentRequirements: accepted,
      });
    if (state === 'under way') {
      expect((await settle()).status).toBe(503);
      const waits = await fetch(url, { headers: { authorization } });
      expect([waits.status, waits.headers.get('www-authenticate')]).toEqual([503, null]);
    }
    expect((await mpp.withSlots(t, settle())).body).toMatchObject({ success: true });
    for (const step of ['confirmed', 'final', 'booked']) {
      const shown = await fetch(url, { headers: { authorization } });
      expect([step, shown.status, shown.headers.get('www-authenticate')]).toEqual([step, 409, null]);
      const told = await shown.text();
      expect(told).toContain(`${PAID_ELSEWHERE} Do not pay again.`);
      // Its order has it: nothing is listed, and nothing is to be sent back.
      expect(told).not.toMatch(/listed|send it back/);
      await t.finalize();
      await t.follow();
    }
    expect((await t.shop.call('GET', '/api/v2/exceptions')).body.data).toEqual([]);
    await expectSoundBooks(t);
  },
);
