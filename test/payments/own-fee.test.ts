import { address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeAll, expect, test } from 'vitest';
import { createRpc } from '../../src/chain/solana/rpc.ts';
import { readBalance } from '../../src/payments/sponsor/create-sponsor.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { signedWith } from '../support/changed-transaction.ts';
import { expectSoundBooks, newIntent, readIntent } from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';

/** Wallets whose sponsored transaction was refused pay their own fee. */
let t: TestChain;
let payer: Wallet;

beforeAll(async () => {
  t = await testChain();
  await t.chain.mintTo(t.merchant.address, 1n);
  payer = await createWallet(t.chain, { lamports: 990_000n, usdcBaseUnits: 10n ** 9n });
  t.chain.advanceSlots(40);
});

const ask = (id: string, more: object = {}) =>
  call(`${t.service.url}/api/public/intents/${id}/transaction`, 'POST', { account: payer.address, ...more });
const send = (id: string, transaction: string) =>
  call(`${t.service.url}/api/public/intents/${id}/send`, 'POST', { transaction });
const sponsorBalance = () => readBalance(createRpc({ urls: [t.chain.rpcUrl] }), t.sponsor.feePayer.address);

test('what a wallet adds is refused with what to do, and with its own fee it may add it', async () => {
  const adds = [
    getTransferSolInstruction({ source: payer.signer, destination: address(t.merchant.address), amount: 1n }),
  ];
  const intent = await newIntent(t.shop);
  const before = await sponsorBalance();
  const { body: sponsored } = await ask(intent.id);
  expect(sponsored).toMatchObject({ isSponsored: true, feePayer: t.sponsor.feePayer.address });
  const refused = await send(intent.id, await signedWith(adds, sponsored.transaction, payer.signer));
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    'transaction must do nothing but pay exactly the amount due in USDC (program). A wallet that adds something pays its own fee: ask for a transaction with paysFee.',
  ]);
  const { body: own } = await ask(intent.id, { paysFee: true });
  expect(own).toMatchObject({ isSponsored: false, feePayer: payer.address });
  expect((await send(intent.id, await signedWith(adds, own.transaction, payer.signer))).status).toBe(202);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  expect(await sponsorBalance()).toBe(before);
  await expectSoundBooks(t);
});

test('409 with Retry-After for its own fee while the sponsored one may still land: nobody pays twice', async () => {
  const intent = await newIntent(t.shop);
  const { body: sponsored } = await ask(intent.id);
  const { body: own } = await ask(intent.id, { paysFee: true });
  expect((await send(intent.id, await signedWith([], sponsored.transaction, payer.signer))).status).toBe(202);
  const again = await ask(intent.id, { paysFee: true });
  expect([again.status, again.headers.get('retry-after')]).toEqual([409, expect.stringMatching(/^\d+$/)]);
  const late = await send(intent.id, await signedWith([], own.transaction, payer.signer));
  expect(late.status).toBe(409);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  await expectSoundBooks(t);
});

test('400 for anything but a yes or no', async () => {
  const intent = await newIntent(t.shop);
  expect((await ask(intent.id, { paysFee: 'yes' })).status).toBe(400);
  expect((await ask(intent.id, { paysFee: false })).body.isSponsored).toBe(true);
});
