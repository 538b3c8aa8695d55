import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { newIntent, signed } from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createWallet, pay, type Wallet } from '../support/wallet.ts';

/** Buyers who sign a payment and move the money away before it lands waste the sponsor's fee: how much of it in a day. */
const LIMIT = 1_200_000n;
const BOUND = LIMIT / 10n;
const PRICE = 1_000_000n;

let t: TestChain;
let sink: Wallet;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  sink = await createWallet(t.chain, { usdcBaseUnits: 1n });
  t.sponsor.limitLamportsPerDay = LIMIT;
  t.chain.advanceSlots(40);
});

const ask = (id: string, account: string) =>
  call(`${t.service.url}/api/public/intents/${id}/transaction`, 'POST', { account });
const send = (id: string, transaction: string) =>
  call(`${t.service.url}/api/public/intents/${id}/send`, 'POST', { transaction });

async function newPayer(): Promise<Wallet> {
  // Enough SOL to move the money away, and too little to pay the fee oneself.
  const payer = await createWallet(t.chain, { lamports: 990_000n, usdcBaseUnits: 10n * PRICE });
  t.chain.advanceSlots(2);
  return payer;
}

interface Prepared {
  id: string;
  transaction: string;
}

async function prepare(wallet: Wallet): Promise<Prepared> {
  const { id } = await newIntent(t.shop, 100);
  const { body } = await ask(id, wallet.address);
  return { id, transaction: await signed(body.transaction, wallet.signer) };
}

async function buy(wallet: Wallet): Promise<void> {
  const { id, transaction } = await prepare(wallet);
  expect((await send(id, transaction)).status).toBe(202);
  await t.finalize();
  await t.follow();
}

/** Signed here and not sent yet when the wallet's money leaves, so that all of them fail on chain. */
async function waste(wallet: Wallet, prepared: readonly Prepared[], amountBaseUnits = 10n * PRICE) {
  t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['sendTransaction'] }] });
  const answers: Awaited<ReturnType<typeof send>>[] = [];
  for (const { id, transaction } of prepared) answers.push(await send(id, transaction));
  t.chain.faults.clear();
  const { rpcUrl } = t.chain;
  await pay({
    ...{ rpcUrl, from: wallet.signer, destinationOwner: sink.address },
    amountBaseUnits,
  });
  await followLater();
  await t.finalize();
  await followLater();
  return answers;
}

/** Follows once what was looked at a moment ago is due again. */
async function followLater(): Promise<void> {
  t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + 3_000);
  await t.follow();
}

/** Asks as the page does before anything is signed. */
async function isOffered({ address }: Wallet): Promise<boolean> {
  return (await ask((await newIntent(t.shop)).id, address)).body.isSponsored;
}

async function wasted(): Promise<bigint> {
  const [row] = await t.service.db.query<{ lamports: bigint }>(
    'select coalesce(sum(fee_lamports), 0)::bigint as lamports from sponsored_transactions where has_failed',
  );
  return row!.lamports;
}

test('wallets that have not paid here waste a tenth of the day at most; those that have go on, each for what it has paid', async () => {
  const [honest, sly] = [await newPayer(), await newPayer()];
  await buy(honest);
  await buy(sly);
  const refused: string[] = [];
  for (let i = 0; i < 20 && refused.length === 0; i++) {
    const wallet = await newPayer();
    const all = await Promise.all([prepare(wallet), prepare(wallet)]);
    for (const { status, body } of await waste(wallet, all))
      if (status !== 202) refused.push(body.error.message);
  }
  expect(refused[0]).toMatch(/only for wallets that have paid here before/);
  expect(await wasted()).toBeGreaterThan(BOUND / 2n);
  expect(await wasted()).toBeLessThanOrEqual(BOUND);
  expect(await isOffered(await newPayer())).toBe(false);
  await buy(honest);
  await buy(honest);
  const before = await wasted();
  const three = [await prepare(sly), await prepare(sly), await prepare(sly)];
  const answers = await waste(sly, three, 9n * PRICE);
  expect(answers.map(({ status }) => status)).toEqual([202, 409, 409]);
  const plain = (await wasted()) - before;
  expect([plain > 0n, plain <= 12_000n]).toEqual([true, true]);
  expect(await isOffered(sly)).toBe(false);
  expect(await isOffered(honest)).toBe(true);
});
