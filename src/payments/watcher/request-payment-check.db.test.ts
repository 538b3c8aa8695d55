import { expect, test } from 'vitest';
import { testChain } from '../../../test/support/chain.ts';
import { newSignature } from '../../../test/support/lying-node.ts';
import { newIntent } from '../../../test/support/payments.ts';
import { findIntentAnywhere, hasPaymentUnderWay } from '../../intents/queries.ts';
import { addSeconds } from '../../platform/lib/clock.ts';
import { noteSentPayment, requestPaymentCheck } from './request-payment-check.ts';

test('a payment is awaited until the chain shows that it lapsed, however long ago by the clock it was named or sent', async () => {
  const t = await testChain();
  const { db, clock } = t.service;
  const intent = (await findIntentAnywhere(db, (await newIntent(t.shop)).id))!;
  const [signature, reported] = [newSignature(), clock.now()];
  await db.transaction((tx) => requestPaymentCheck(tx, intent, signature, reported));
  clock.setOffsetMs(110_000);
  await db.transaction((tx) => noteSentPayment(tx, intent, signature, addSeconds(reported, 110)));
  clock.setOffsetMs(140_000);
  await t.lookCloser();
  expect(await hasPaymentUnderWay(db, intent)).toBe(true);
  clock.setOffsetMs(6 * 3_600_000);
  await t.lookCloser();
  expect(await hasPaymentUnderWay(db, intent)).toBe(true);
  // 182 blocks past the first look it cannot land, and 32 later that block is final.
  t.chain.advanceSlots(213);
  clock.setOffsetMs(7 * 3_600_000);
  await t.lookCloser();
  expect(await hasPaymentUnderWay(db, intent)).toBe(true);
  t.chain.advanceSlots(2);
  clock.setOffsetMs(8 * 3_600_000);
  await t.lookCloser();
  expect(await hasPaymentUnderWay(db, intent)).toBe(false);
});
