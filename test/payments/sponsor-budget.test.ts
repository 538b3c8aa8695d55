import { randomUUID } from 'node:crypto';
import type { KeyPairSigner } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { signed } from '../support/payments.ts';
import { call, type TestMerchant } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';

/** One merchant's payers cannot use up what the fee payer gives in a day to all. */
let t: TestChain;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  t.chain.advanceSlots(40);
});

async function prepare(shop: TestMerchant) {
  const order = { amountCents: 100, orderId: randomUUID() };
  const { body: intent } = await shop.call('POST', '/api/merchants/intents', order);
  const path = `${t.service.url}/api/public/intents/${intent.id}`;
  // Each pays from a wallet of their own: one may have only a few payments under way.
  const payer = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 10n ** 8n });
  t.chain.advanceSlots(1);
  const { body } = await call(`${path}/transaction`, 'POST', { account: payer.address });
  return { path, signer: payer.signer, ...body };
}

interface Prepared {
  path: string;
  transaction: string;
  signer: KeyPairSigner;
}

const send = async ({ path, transaction, signer }: Prepared) =>
  (await call(`${path}/send`, 'POST', { transaction: await signed(transaction, signer) })).status;

const spentFor = async ({ id }: TestMerchant) =>
  (
    await t.service.db.query<{ spent: bigint }>(
      `select coalesce(sum(fee_lamports), 0)::bigint as spent from sponsored_transactions
        where merchant_id = $1 and state <> 'dropped'`,
      [id],
    )
  )[0]!.spent;

test('503 beyond the merchant’s own limit, however many come at once; others go on', async () => {
  const prepared = await Promise.all(Array.from({ length: 10 }, () => prepare(t.shop)));
  expect(prepared.every(({ isSponsored }) => isSponsored)).toBe(true);
  const [first, ...rest] = prepared;
  expect(await send(first!)).toBe(202);
  const fee = await spentFor(t.shop);
  // Room for four and a bit: whether it is enough is asked with the most that one may cost.
  t.sponsor.merchantLimitLamportsPerDay = 4n * fee + 60_000n;
  const limit = t.sponsor.merchantLimitLamportsPerDay;
  const statuses = await Promise.all(rest.map(send));
  expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
  expect(await spentFor(t.shop)).toBeLessThanOrEqual(limit);

  t.sponsor.merchantLimitLamportsPerDay = await spentFor(t.shop);
  const { body } = await t.shop.call('GET', '/api/v2/sponsor');
  expect(body).toMatchObject({
    isOn: false,
    reasonOff: 'merchant_limit_reached',
    merchantLimitLamportsPerDay: Number(t.sponsor.merchantLimitLamportsPerDay),
  });
  expect((await prepare(t.shop)).isSponsored).toBe(false);
  const other = await t.service.createMerchant('Other', (await newPayee()).address);
  const own = await prepare(other);
  expect([own.isSponsored, await send(own)]).toEqual([true, 202]);
});

test('exactly at the limit: the last that fits is paid, one more is not, also at the same time', async () => {
  const shop = await t.service.createMerchant('Exact', (await newPayee()).address);
  t.sponsor.merchantLimitLamportsPerDay = null;
  const prepared = await Promise.all(Array.from({ length: 8 }, () => prepare(shop)));
  expect(await send(prepared[0]!)).toBe(202);
  const fee = await spentFor(shop);
  // The check before the network is asked is generous by a fee; the one in the transaction is exact.
  t.sponsor.merchantLimitLamportsPerDay = 3n * fee + 59_999n;
  await Promise.all(prepared.slice(1).map(send));
  const spent = await spentFor(shop);
  expect(spent).toBeLessThanOrEqual(3n * fee + 59_999n);
  expect(spent % fee).toBe(0n);
});

async function newPayee(): Promise<Wallet> {
  const payee = await createWallet(t.chain);
  await t.chain.mintTo(payee.address, 1n);
  t.chain.advanceSlots(40);
  return payee;
}
