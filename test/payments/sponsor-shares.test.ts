import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
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
import { getTransferCheckedInstruction } from '@solana-program/token';
import { beforeAll, expect, test } from 'vitest';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { newIntent, signed } from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createWallet, tokenAccountOf, usdcMint, type Wallet } from '../support/wallet.ts';

/** Limits on the common fees for one wallet, one price and one merchant. */
let t: TestChain;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 10n ** 9n);
  t.chain.advanceSlots(40);
});

const newPayer = async (): Promise<Wallet> => {
  const payer = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 10n ** 12n });
  t.chain.advanceSlots(40);
  return payer;
};

const ask = (id: string, account: string) =>
  call(`${t.service.url}/api/public/intents/${id}/transaction`, 'POST', { account });
const send = (id: string, transaction: string) =>
  call(`${t.service.url}/api/public/intents/${id}/send`, 'POST', { transaction });

/** A payment of the wallet's own making, which offers this much to be put first. */
async function dear(wallet: Wallet, cents: number, priorityLamports: bigint) {
  const { value } = await createSolanaRpc(t.chain.rpcUrl)
    .getLatestBlockhash({ commitment: 'processed' })
    .send();
  const units = 100_000;
  const transfer = getTransferCheckedInstruction({
    source: await tokenAccountOf(wallet.address),
    mint: usdcMint,
    destination: await tokenAccountOf(t.merchant.address),
    authority: wallet.signer,
    amount: centsToBaseUnits(BigInt(cents)),
    decimals: 6,
  });
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) =>
      setTransactionMessageFeePayerSigner(createNoopSigner(address(t.sponsor.feePayer.address)), empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: value.blockhash as Blockhash, lastValidBlockHeight: value.lastValidBlockHeight },
        paid,
      ),
    (timed) =>
      appendTransactionMessageInstructions(
        [
          getSetComputeUnitLimitInstruction({ units }),
          getSetComputeUnitPriceInstruction({
            microLamports: (priorityLamports * 1_000_000n) / BigInt(units),
          }),
          transfer,
        ],
        timed,
      ),
  );
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(message));
}

/** Buys, so that the wallet has paid here from now on. */
async function buy(payer: Wallet): Promise<void> {
  const { id } = await newIntent(t.shop);
  const { body } = await ask(id, payer.address);
  const answer = await send(id, await signed(body.transaction, payer.signer));
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  await t.finalize();
  await t.follow();
}

test('a wallet has a few payments under way at most, however many it signs', async () => {
  const payer = await newPayer();
  const prepared = await Promise.all(
    Array.from({ length: 39 }, async () => {
      const { id } = await newIntent(t.shop);
      const { body } = await ask(id, payer.address);
      expect(body.isSponsored).toBe(true);
      return { id, transaction: await signed(body.transaction, payer.signer) };
    }),
  );
  // A few at a time: nothing here is about how many connections the database has.
  const answers: Awaited<ReturnType<typeof send>>[] = [];
  for (let i = 0; i < prepared.length; i += 4)
    answers.push(
      ...(await Promise.all(prepared.slice(i, i + 4).map(({ id, transaction }) => send(id, transaction)))),
    );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status !== 202);
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.error.message}`))).toEqual(
    new Set([expect.stringContaining('409 This wallet has several payments under way')]),
  );
  // Once they have arrived there is room again.
  await t.finalize();
  await t.follow();
  const again = prepared[answers.findIndex(({ status }) => status !== 202)]!;
  expect((await send(again.id, again.transaction)).status).toBe(202);
  await t.finalize();
  await t.follow();
});

test.each([
  [5, 50_000n, 400],
  [5, 16_000n, 400],
  [5, 14_000n, 202],
  [1, 1_000n, 202],
  [1, 5_000n, 400],
  [100, 50_000n, 202],
])('a payment of %i cents that offers %i lamports to be put first: %i', async (cents, lamports, status) => {
  const payer = await newPayer();
  await buy(payer);
  const { id } = await newIntent(t.shop, cents);
  const answer = await send(id, await dear(payer, cents, lamports));
  expect([answer.status, answer.text]).toEqual([
    status,
    status === 202 ? expect.any(String) : expect.stringContaining('(fee)'),
  ]);
});

test('a wallet that has paid nothing here offers no priority', async () => {
  const payer = await newPayer();
  const { id } = await newIntent(t.shop, 100);
  const refused = await send(id, await dear(payer, 100, 5_000n));
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    expect.stringContaining('has not paid here before'),
  ]);
  expect((await send(id, await dear(payer, 100, 1_000n))).status).toBe(202);
});

test('the merchant’s own wallets buy at their own expense, also one it was paid at before', async () => {
  const former = await newPayer();
  const { id } = await newIntent(t.shop);
  const { body } = await ask(id, former.address);
  expect(body.isSponsored).toBe(true);
  await t.service.db.query(
    'insert into payout_addresses (merchant_id, address, created_at) values ($1, $2, now())',
    [t.shop.id, former.address],
  );
  expect((await ask(id, former.address)).body.isSponsored).toBe(false);
  const answer = await send(id, await signed(body.transaction, former.signer));
  expect([answer.status, answer.body.error.message]).toEqual([
    409,
    expect.stringContaining('the merchant’s own'),
  ]);
});

test('one of several merchants has a quarter of the day; one that is alone has all of it', async () => {
  const read = async () => (await t.shop.call('GET', '/api/v2/sponsor')).body;
  expect(await read()).toMatchObject({ isOn: true, merchantLimitLamportsPerDay: null });
  const other = await t.service.createMerchant('Other');
  const { limitLamportsPerDay } = t.sponsor;
  expect(await read()).toMatchObject({ merchantLimitLamportsPerDay: Number(limitLamportsPerDay / 4n) });
  const [spent] = await t.service.db.query<{ spent: bigint }>(
    'select sum(fee_lamports)::bigint as spent from sponsored_transactions where merchant_id = $1',
    [t.shop.id],
  );
  t.sponsor.limitLamportsPerDay = 4n * spent!.spent;
  expect(await read()).toMatchObject({ isOn: false, reasonOff: 'merchant_limit_reached' });
  expect((await other.call('GET', '/api/v2/sponsor')).body.isOn).toBe(true);
  t.sponsor.limitLamportsPerDay = limitLamportsPerDay;
});
