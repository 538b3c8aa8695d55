import { AuthorityType, getSetAuthorityInstruction, getTransferInstruction } from '@solana-program/token';
import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import {
  exceptionKinds,
  expectSoundBooks,
  newIntent,
  payIntent,
  readIntent,
  sendFrom,
  UNITS,
  withReference,
} from '../support/payments.ts';
import { createWallet, send } from '../support/wallet.ts';

/** Money counts to the base unit, and each part of it goes to one place. */
let t: TestChain;
let rpcUrl: string;

beforeAll(async () => {
  t = await testChain();
  rpcUrl = t.chain.rpcUrl;
  await t.chain.mintTo(t.merchant.address, 1n);
});

const transfer = (amount: bigint) =>
  getTransferInstruction({
    source: t.customer.usdcAccount,
    destination: t.merchant.usdcAccount,
    authority: t.customer.signer,
    amount,
  });

test('one base unit too little is underpaid, with it the intent is paid, one more is listed', async () => {
  const intent = await newIntent(t.shop);
  await payIntent(t, intent, { amountBaseUnits: UNITS - 1n });
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'underpaid', cents: 99 });
  const last = await payIntent(t, intent, { amountBaseUnits: 2n });
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  expect(await exceptionKinds(t, last)).toEqual(['surplus']);
});

test('what stays after the merchant took a part back in the same transaction', async () => {
  const intent = await newIntent(t.shop);
  const back = getTransferInstruction({
    source: t.merchant.usdcAccount,
    destination: t.customer.usdcAccount,
    authority: t.merchant.signer,
    amount: 300_000n,
  });
  await sendFrom(t, withReference(transfer(UNITS), intent.reference), back);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'underpaid', cents: 70 });
});

test('two intents by their own transfers, and what names neither is listed', async () => {
  const [a, b] = [await newIntent(t.shop, 100), await newIntent(t.shop, 30)];
  const signature = await sendFrom(
    t,
    withReference(transfer(UNITS), a.reference),
    transfer(70_000n),
    withReference(transfer(300_000n), b.reference),
  );
  await t.finalize();
  expect(await readIntent(t.shop, a)).toEqual({ status: 'succeeded', cents: 100 });
  expect(await readIntent(t.shop, b)).toEqual({ status: 'succeeded', cents: 30 });
  expect(await exceptionKinds(t, signature)).toEqual(['ambiguous']);
});

test('a second payment under a reference that is paid already is surplus, all of it', async () => {
  const intent = await newIntent(t.shop);
  await payIntent(t, intent);
  await t.finalize();
  const again = await payIntent(t, intent);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  expect(await exceptionKinds(t, again)).toEqual(['surplus']);
});

test('money for a canceled intent is listed, and never brings it back', async () => {
  const intent = await newIntent(t.shop);
  await t.shop.call('POST', `/api/merchants/intents/${intent.id}/cancel`);
  const signature = await payIntent(t, intent);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'canceled', cents: 0 });
  expect(await exceptionKinds(t, signature)).toEqual(['canceled']);
});

test('a merchant who gave the account away is paid nothing there', async () => {
  const wallet = await createWallet(t.chain, { usdcBaseUnits: 1n });
  const shop = await t.service.createMerchant('Careless', wallet.address);
  const gift = getSetAuthorityInstruction({
    owned: wallet.usdcAccount,
    owner: wallet.signer,
    authorityType: AuthorityType.AccountOwner,
    newAuthority: t.customer.address,
  });
  await send({ rpcUrl, payer: wallet.signer, instructions: [gift] });
  const intent = await newIntent(shop);
  const payment = getTransferInstruction({
    source: t.customer.usdcAccount,
    destination: wallet.usdcAccount,
    authority: t.customer.signer,
    amount: UNITS,
  });
  await sendFrom(t, withReference(payment, intent.reference));
  await t.finalize();
  expect((await readIntent(shop, intent)).cents).toBe(0);
});

test('after all of it the books balance, and every dollar is explained', () => expectSoundBooks(t));
