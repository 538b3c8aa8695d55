import { AccountRole, address, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getApproveInstruction,
  getBurnInstruction,
  getSetAuthorityInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import {
  expectSound,
  newProject,
  newSession,
  newTopUp,
  paySession,
  readCustomer,
} from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { newIntent, payIntent, readIntent, UNITS } from '../support/payments.ts';
import {
  askRefund,
  newRefund,
  paidIntent,
  type RefundAnswer,
  readRefund,
  sendRefund,
} from '../support/refunds.ts';
import { newAddress } from '../support/service.ts';
import { createWallet, paymentInstructions, sign, usdcMint, type Wallet } from '../support/wallet.ts';

/** Refunds that a thief would have the merchant sign, and those of an impatient merchant. */
let t: TestChain;
let stranger: Wallet;

beforeAll(async () => {
  t = await testChain({}, undefined, 60_000);
  await t.chain.mintTo(t.merchant.address, 10n ** 10n);
  stranger = await createWallet(t.chain, { usdcBaseUnits: 1n });
  await t.finalize();
});

/** The refund's own transaction, with more in it. */
async function signed(refund: RefundAnswer, more: readonly Instruction[], references: string[] = []) {
  const instructions = await paymentInstructions({
    rpcUrl: t.chain.rpcUrl,
    from: t.merchant.signer,
    destinationOwner: address(refund.address),
    amountBaseUnits: centsToBaseUnits(BigInt(refund.amountCents)),
    references: [address(refund.referenceAddress), ...references.map((name) => address(name))],
    memo: refund.number,
  });
  const payer = t.merchant.signer;
  return sign({ rpcUrl: t.chain.rpcUrl, payer, instructions: [...instructions, ...more] });
}

const send = (transaction: string) => t.shop.call('POST', '/api/v2/refunds/send', { transaction });

describe('a transaction that does more than send refunds is not passed on', () => {
  const owner = () => t.merchant.signer;
  const account = () => t.merchant.usdcAccount;
  const extras: [string, () => Instruction][] = [
    [
      'a plain transfer to a stranger',
      () =>
        getTransferInstruction({
          source: account(),
          destination: stranger.usdcAccount,
          authority: owner(),
          amount: 5n,
        }),
    ],
    [
      'handing the account over',
      () =>
        getSetAuthorityInstruction({
          owned: account(),
          owner: owner(),
          authorityType: 2,
          newAuthority: stranger.address,
        }),
    ],
    [
      'burning',
      () => getBurnInstruction({ account: account(), mint: usdcMint, authority: owner(), amount: 5n }),
    ],
    [
      'approving a stranger',
      () =>
        getApproveInstruction({ source: account(), delegate: stranger.address, owner: owner(), amount: 5n }),
    ],
    [
      'SOL for a stranger',
      () => getTransferSolInstruction({ source: owner(), destination: stranger.address, amount: 5n }),
    ],
    [
      'a program nobody knows',
      () => ({
        programAddress: address('Vote111111111111111111111111111111111111111'),
        data: new Uint8Array([1]),
      }),
    ],
    [
      'a token account for somebody else',
      () => ({
        programAddress: address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
        accounts: [
          { address: t.merchant.address, role: AccountRole.WRITABLE_SIGNER },
          { address: stranger.usdcAccount, role: AccountRole.WRITABLE },
          { address: stranger.address, role: AccountRole.READONLY },
        ],
        data: new Uint8Array([1]),
      }),
    ],
  ];

  test.each(extras)('%s', async (_name, extra) => {
    const refund = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: newAddress() });
    const answer = await send(await signed(refund, [extra()]));
    expect([answer.status, answer.body.error?.message]).toEqual([
      400,
      'transaction must send nothing but refunds that are ready, each exactly what is due',
    ]);
    await t.finalize();
    expect(await readRefund(t, refund)).toMatchObject({ status: 'ready', amountSentCents: 0 });
    expect((await send(await signed(refund, []))).status, 'alone it is').toBe(202);
    await t.finalize();
    expect(await readRefund(t, refund)).toMatchObject({ status: 'succeeded' });
  });

  test('one transfer that names two refunds would count for neither', async () => {
    const to = newAddress();
    const [one, other] = [
      await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: to }),
      await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: to }),
    ];
    const answer = await send(await signed(one, [], [other.referenceAddress]));
    expect(answer.status).toBe(400);
    await t.finalize();
    expect(await readRefund(t, one)).toMatchObject({ status: 'ready' });
  });
});

test('sent once, from any tab or program: a second transaction waits until the first has landed or lapsed', async () => {
  const refund = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: newAddress() });
  const [one, other] = [await signed(refund, []), await signed(refund, [])];
  const answers = [await send(one), ...(await Promise.all([send(other), send(one)]))];
  expect(answers.map(({ status }) => status)).toEqual([202, 409, 202]);
  const prepare = { ids: [refund.id], payer: t.merchant.address };
  expect((await t.shop.call('POST', '/api/v2/refunds/prepare', prepare)).status).toBe(409);
  const { status } = await t.shop.call('POST', `/api/v2/sandbox/refunds/${refund.id}/pay`, {});
  expect(status).toBe(409);
  await t.finalize();
  expect(await readRefund(t, refund)).toMatchObject({ status: 'succeeded', amountSentCents: 100 });

  const again = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: newAddress() });
  const pay = () => t.shop.call('POST', `/api/v2/sandbox/refunds/${again.id}/pay`, {});
  expect((await Promise.all([pay(), pay(), pay()])).map((answer) => answer.status).sort()).toEqual([
    202, 409, 409,
  ]);
  await t.finalize();
  expect(await readRefund(t, again)).toMatchObject({ status: 'succeeded', amountSentCents: 100 });
});

test('a transaction that every node refused makes room for another, unless it was sent another time too', async () => {
  const refund = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: newAddress() });
  const [one, other] = [await signed(refund, []), await signed(refund, [])];
  const fail = async (kind: 'httpError' | 'rpcError', transaction: string) => {
    const rule = { kind, methods: ['sendTransaction'], ...(kind === 'rpcError' && { code: -32002 }) };
    t.chain.faults.set({ rules: [rule] });
    const answer = await send(transaction);
    t.chain.faults.clear();
    return answer;
  };
  const refused = await fail('rpcError', other);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, null]);
  expect((await fail('httpError', one)).status).toBe(503);
  for (const waits of [await fail('rpcError', one), await send(other)]) {
    expect([waits.status, waits.body.error.message, waits.headers.get('retry-after')]).toEqual([
      409,
      expect.stringContaining('already under way'),
      '5',
    ]);
  }
  expect((await send(one)).status).toBe(202);
  await t.finalize();
  expect(await readRefund(t, refund)).toMatchObject({ status: 'succeeded', amountSentCents: 100 });
});

test('a transaction that has lapsed makes room for the next one', async () => {
  const refund = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: newAddress() });
  t.chain.faults.set({ rules: [{ kind: 'httpError', methods: ['sendTransaction'] }] });
  expect((await send(await signed(refund, []))).status).toBe(503);
  t.chain.faults.clear();
  const { clock } = t.service;
  await t.look();
  clock.setOffsetMs(150_000);
  await t.look();
  const others = await signed(refund, []);
  expect((await send(others)).status).toBe(409);
  t.chain.advanceSlots(300);
  await t.look();
  const prepare = { ids: [refund.id], payer: t.merchant.address };
  expect((await t.shop.call('POST', '/api/v2/refunds/prepare', prepare)).status).toBe(200);
  expect((await send(await signed(refund, []))).status).toBe(202);
  await t.finalize();
  expect(await readRefund(t, refund)).toMatchObject({ status: 'succeeded', amountSentCents: 100 });
});

test('what another merchant calls a reference keeps no refund from being made, sent or proven', async () => {
  const wallet = await createWallet(t.chain, { usdcBaseUnits: 1n });
  const odd = { ...t, merchant: wallet, shop: await t.service.createMerchant('Odd', wallet.address) };
  const setReference = (id: string, reference: string) =>
    t.service.db.query('update refunds set reference_address = $2 where id = $1', [id, reference]);
  const own = new Map<string, string>();
  const to = newAddress();
  const refund = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: newAddress() });
  for (const reference of [USDC_MINTS.sandbox, to]) {
    const { id, referenceAddress } = await newRefund(odd, {
      paymentIntentId: (await paidIntent(odd)).id,
      address: refund.address,
    });
    await setReference(id, reference);
    own.set(id, referenceAddress);
  }
  const toCustomer = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: to });
  for (const one of [refund, toCustomer]) {
    expect((await send(await signed(one, []))).status).toBe(202);
    await t.finalize();
    expect(await readRefund(t, one)).toMatchObject({ status: 'succeeded', amountSentCents: 100 });
  }
  // One that money was found for under the odd reference has an event that says so.
  for (const [id, reference] of own)
    if ((await readRefund(odd, { id })).status === 'ready') await setReference(id, reference);
});

test('reading a refund that has waited long looks at the chain: it may have been sent', async () => {
  const refund = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: newAddress() });
  const later = new Date(t.service.clock.now().getTime() + 3_600_000);
  const checkAt = async () =>
    (
      await t.service.db.query<{ at: Date }>('select check_at as at from refunds where id = $1', [refund.id])
    )[0]!.at;
  await t.service.db.query('update refunds set check_at = $2 where id = $1', [refund.id, later]);
  await readRefund(t, refund);
  expect(await checkAt()).not.toEqual(later);
  await t.service.db.query('update refunds set check_at = $2 where id = $1', [refund.id, later]);
  await readRefund(t, refund);
  expect(await checkAt(), 'not at every read').toEqual(later);
});

test('a part payment that goes back completes nothing: the rest that is paid all the same needs a person', async () => {
  const intent = await newIntent(t.shop);
  await payIntent(t, intent, { amountBaseUnits: 400_000n });
  await t.finalize();
  const refund = await newRefund(t, { paymentIntentId: intent.id, address: newAddress() });
  const { body } = await t.shop.call('GET', `/api/public/intents/${intent.id}`);
  expect(body.paymentUrl).toBeNull();
  await sendRefund(t, refund);
  await t.finalize();
  const signature = await payIntent(t, intent, { amountBaseUnits: 600_000n });
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'underpaid', cents: 40 });
  const { body: listed } = await t.shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`);
  expect(listed.data).toMatchObject([{ kind: 'late', status: 'open', amountCents: 60 }]);
  const link = { paymentIntentId: intent.id };
  expect((await t.shop.call('POST', `/api/v2/exceptions/${listed.data[0].id}/link`, link)).status).toBe(409);
  await expectSound(t.service);
});

test('canceling the refund of a part payment opens the payment again', async () => {
  const intent = await newIntent(t.shop);
  await payIntent(t, intent, { amountBaseUnits: 400_000n });
  await t.finalize();
  const refund = await newRefund(t, { paymentIntentId: intent.id, address: newAddress() });
  await t.shop.call('POST', `/api/v2/refunds/${refund.id}/cancel`);
  await payIntent(t, intent, { amountBaseUnits: 600_000n });
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  await expectSound(t.service);
});

test('what was sent beyond a refund is not promised a second time', async () => {
  const intent = await newIntent(t.shop, 300);
  await payIntent(t, intent, { amountBaseUnits: 3n * UNITS });
  await t.finalize();
  const first = await newRefund(t, { paymentIntentId: intent.id, address: newAddress() });
  await t.shop.call('POST', `/api/v2/refunds/${first.id}/cancel`);
  for (const amountBaseUnits of [UNITS, 2n * UNITS]) {
    await sendRefund(t, first, { amountBaseUnits });
    await t.finalize();
  }
  expect(await readRefund(t, first)).toMatchObject({ status: 'succeeded', amountSentCents: 300 });
  const again = await askRefund(t, { paymentIntentId: intent.id, address: newAddress() });
  expect(again.status, 'the customer has all of it').toBe(409);
  await expectSound(t.service);
});

test('credits go with the money, however small the parts', async () => {
  const project = await newProject(t.shop);
  const price = await newTopUp(t.shop, project.id, { unitAmountCents: 999, creditAmount: 100 });
  const session = await newSession(t.shop, project.id, {
    mode: 'balance_top_up',
    priceId: price.id,
    externalCustomerId: 'small parts',
  });
  await paySession(t, session);
  await t.finalize();
  const effects = { revokeCredits: true };
  const fields = { paymentIntentId: session.paymentIntentId, address: newAddress(), effects };
  const left = async () => (await readCustomer(t.shop, session.customerId)).creditBalance;
  const expected = [67, 34, 0];
  for (const credits of expected) {
    await sendRefund(t, await newRefund(t, { ...fields, amountCents: 333 }));
    await t.finalize();
    await t.expire();
    expect(await left()).toBe(credits);
  }
  await expectSound(t.service);
});
