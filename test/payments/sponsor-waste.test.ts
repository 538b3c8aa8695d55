import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { type NewIntent, newIntent, readIntent, signed } from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';

/** Transactions that fail on chain cost the sponsor their fee, so a wallet cannot make many of them. */
let t: TestChain;

beforeAll(async () => {
  t = await testChain({ RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  t.chain.advanceSlots(40);
});

const path = (id: string, step: string) => `${t.service.url}/api/public/intents/${id}/${step}`;

async function prepare(wallet: Wallet, { id }: NewIntent): Promise<string> {
  const { body } = await call(path(id, 'transaction'), 'POST', { account: wallet.address });
  expect(body.isSponsored).toBe(true);
  return signed(body.transaction, wallet.signer);
}

const send = ({ id }: NewIntent, transaction: string) => call(path(id, 'send'), 'POST', { transaction });

async function statesOf({ address }: Wallet): Promise<boolean[]> {
  const rows = await t.service.db.query<{ failed: boolean }>(
    'select has_failed as failed from sponsored_transactions where payer = $1 order by has_failed',
    [address],
  );
  return rows.map(({ failed }) => failed);
}

test('money for one payment promised to twelve at once: no more are signed than it can pay', async () => {
  const poor = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 2_500_000n });
  t.chain.advanceSlots(2);
  const intents = await Promise.all(Array.from({ length: 12 }, () => newIntent(t.shop)));
  const transactions: string[] = [];
  for (const intent of intents) transactions.push(await prepare(poor, intent));
  // None lands before the last one has been looked at: each of them alone could still be paid.
  t.chain.faults.set({ rules: [{ kind: 'httpError', status: 500, methods: ['sendTransaction'] }] });
  const answers = await Promise.all(intents.map((intent, i) => send(intent, transactions[i]!)));
  t.chain.faults.clear();
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(2);
  for (const { status, body } of answers)
    if (status !== 202) expect(body.error.message).toMatch(/other payments under way/);
  await t.follow();
  await t.finalize();
  await t.follow();
  expect(await statesOf(poor)).toEqual([false, false]);
  const paid = await Promise.all(intents.map((intent) => readIntent(t.shop, intent)));
  expect(paid.filter(({ status }) => status === 'succeeded')).toHaveLength(2);
});

test('a wallet whose payments fail on chain pays its own fees for a day after the second time', async () => {
  const sly = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 9_000_000n });
  t.chain.advanceSlots(2);
  for (let i = 0; i < 2; i++) {
    const intent = await newIntent(t.shop);
    expect((await send(intent, await prepare(sly, intent))).status).toBe(202);
    await t.finalize();
    await t.follow();
  }
  // Pretends that its money left between the simulation and the block.
  await t.service.db.query('update sponsored_transactions set has_failed = true where payer = $1', [
    sly.address,
  ]);
  const next = await newIntent(t.shop);
  const refused = await send(next, await prepare(sly, next));
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringMatching(/have failed/)]);
  expect(await statesOf(sly)).toHaveLength(2);
});

test('a wallet that pays its way pays as often as it likes', async () => {
  const good = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 50_000_000n });
  t.chain.advanceSlots(2);
  // Few slots each: the blockhash of the next one is remembered for a moment.
  for (let i = 0; i < 5; i++) {
    const intent = await newIntent(t.shop);
    expect((await send(intent, await prepare(good, intent))).status).toBe(202);
    t.chain.advanceSlots(2);
    await t.look();
    expect((await readIntent(t.shop, intent)).status).toBe('processing');
  }
});
