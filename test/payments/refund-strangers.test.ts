import { beforeAll, describe, expect, test } from 'vitest';
import { expectSound, listEvents } from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { balances, expectBooksAgree, readJournal } from '../support/journal.ts';
import { UNITS } from '../support/payments.ts';
import {
  newRefund,
  paidIntent,
  type RefundAnswer,
  readRefund,
  sendRefund,
  signPrepared,
} from '../support/refunds.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';

/** Money that is sent with a refund's reference, which everybody can read once the refund has landed. */
let t: TestChain;
let receiver: Wallet;
/** A wallet that the merchant has never been paid at. */
let stranger: Wallet;

beforeAll(async () => {
  t = await testChain();
  await t.chain.mintTo(t.merchant.address, 1_000n * UNITS);
  receiver = await createWallet(t.chain);
  stranger = await createWallet(t.chain, { usdcBaseUnits: 10_000n * UNITS });
  t.chain.advanceSlots(40);
});

const newOne = async () =>
  newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: receiver.address });

async function send(refund: RefundAnswer, from: Wallet, amountBaseUnits = UNITS): Promise<string> {
  const signature = await sendRefund(t, refund, { from, amountBaseUnits });
  await t.finalize();
  // Nobody watches a stranger's wallet: the next lookup might be far off.
  await t.service.db.query('update refunds set check_at = $2 where id = $1', [
    refund.id,
    t.service.clock.now(),
  ]);
  await t.finalize();
  return signature;
}

async function succeeded(): Promise<RefundAnswer> {
  const refund = await newOne();
  const txSignature = await send(refund, t.merchant);
  const read = await readRefund(t, refund);
  expect(read).toMatchObject({ status: 'succeeded', txSignature, amountSentCents: 100 });
  return read;
}

const exceptionsOf = async ({ id }: RefundAnswer) =>
  (await t.shop.call('GET', `/api/v2/exceptions?refundId=${id}`)).body.data;

/** Everything that shows a refund, and every event. */
async function shown({ id, creditNoteId }: RefundAnswer) {
  const pdf = await t.shop.call('GET', `/api/v2/credit-notes/${creditNoteId}/pdf`);
  return {
    refund: await readRefund(t, { id }),
    pdf: pdf.text,
    ledger: await readJournal(t.shop),
    exceptions: await exceptionsOf({ id }),
    events: (await listEvents(t.service, t.shop.id)).length,
    differences: (await t.reconcile()).differences,
  };
}

describe('after a refund has succeeded', () => {
  test.each([
    ['a millionth of a dollar', 1n],
    ['as much again', UNITS],
    ['five hundred times as much', 500n * UNITS],
  ])('%s from a stranger changes nothing', async (_name, units) => {
    const refund = await succeeded();
    const before = await shown(refund);
    expect(before).toMatchObject({ exceptions: [], differences: [] });
    await send(refund, stranger, units);
    await send(refund, stranger, units);
    expect(await shown(refund)).toEqual(before);
    await expectSound(t.service);
  });

  test('it neither hides nor replaces what the merchant sends besides', async () => {
    const refund = await succeeded();
    const before = balances(await readJournal(t.shop));
    await sendRefund(t, refund, { from: stranger, amountBaseUnits: 7n * UNITS });
    const again = await send(refund, t.merchant, 2n * UNITS);
    expect(await readRefund(t, refund)).toMatchObject({
      ...{ status: 'succeeded', amountSentCents: 300, txSignature: refund.txSignature },
    });
    expect(await exceptionsOf(refund)).toMatchObject([{ amountCents: 200, txSignature: again }]);
    const after = balances(await readJournal(t.shop));
    expect(after['USDC wallet']! - before['USDC wallet']!).toBe(-200);
    expect((await t.reconcile()).differences).toEqual([]);
    await expectBooksAgree(t.service.db, t.shop);
    await expectSound(t.service);
  });

  test('less than a cent more of the merchant’s own is in the books, and neither shown nor announced', async () => {
    const refund = await succeeded();
    const { exceptions, ledger, ...before } = await shown(refund);
    const signature = await send(refund, t.merchant, 5_000n);
    const { exceptions: listed, ...after } = await shown(refund);
    expect(after).toMatchObject(before);
    expect(listed).toMatchObject([{ txSignature: signature, status: 'dust' }]);
    await send(refund, t.merchant, 5_000n);
    expect(await readRefund(t, refund)).toMatchObject({
      ...{ amountSentCents: 101, txSignature: refund.txSignature },
    });
    await expectSound(t.service);
  });
});

test('found at once, the transaction that made it complete is the refund’s, and what a stranger added is nobody’s', async () => {
  const refund = await newOne();
  const part = await sendRefund(t, refund, { from: stranger, amountBaseUnits: 400_000n });
  t.chain.advanceSlots(1);
  const rest = await sendRefund(t, refund, { amountBaseUnits: 600_000n });
  t.chain.advanceSlots(1);
  await send(refund, stranger, 3n * UNITS);
  expect(part).not.toBe(rest);
  expect(await readRefund(t, refund)).toMatchObject({
    ...{ status: 'succeeded', amountSentCents: 100, txSignature: rest },
  });
  expect(await exceptionsOf(refund)).toEqual([]);
  expect((await t.reconcile()).differences).toEqual([]);
  await expectSound(t.service);
});

test('from another wallet a refund counts up to what is due', async () => {
  const refund = await newOne();
  const txSignature = await send(refund, stranger, 3n * UNITS);
  expect(await readRefund(t, refund)).toMatchObject({
    ...{ status: 'succeeded', amountSentCents: 100, txSignature },
  });
  expect(await exceptionsOf(refund)).toEqual([]);
  expect((await t.reconcile()).differences).toEqual([]);
  await expectSound(t.service);
});

test('what was sent through the service is the merchant’s, from whichever wallet', async () => {
  const refund = await newOne();
  const prepared = await t.shop.call('POST', '/api/v2/refunds/prepare', {
    ...{ ids: [refund.id], payer: stranger.address },
  });
  const transaction = await signPrepared(prepared.body.transaction, stranger);
  // The customer has been paid by hand in the same moment.
  const txSignature = await sendRefund(t, refund);
  t.chain.advanceSlots(1);
  const sent = await t.shop.call('POST', '/api/v2/refunds/send', { transaction });
  expect([sent.status, sent.text]).toEqual([202, sent.text]);
  await t.finalize();
  expect(await readRefund(t, refund)).toMatchObject({ txSignature, amountSentCents: 200 });
  expect(await exceptionsOf(refund)).toMatchObject([{ amountCents: 100, txSignature: sent.body.signature }]);
  expect((await t.reconcile()).differences).toEqual([]);
  await expectSound(t.service);
});

test('a stranger’s money to a refund that another one has replaced is not booked; the merchant’s is listed', async () => {
  const first = await newOne();
  await t.shop.call('POST', `/api/v2/refunds/${first.id}/cancel`);
  await newRefund(t, { paymentIntentId: first.paymentIntentId, address: receiver.address });
  await send(first, stranger);
  expect(await readRefund(t, first)).toMatchObject({ status: 'canceled', amountSentCents: 0 });
  expect(await exceptionsOf(first)).toEqual([]);
  const signature = await send(first, t.merchant);
  expect(await readRefund(t, first)).toMatchObject({ status: 'canceled', amountSentCents: 100 });
  expect(await exceptionsOf(first)).toMatchObject([{ amountCents: 100, txSignature: signature }]);
  expect((await t.reconcile()).differences).toEqual([]);
  await expectSound(t.service);
});

test('a payout address of the past is the merchant’s own; one that is added later was a stranger’s until then', async () => {
  const wallet = await createWallet(t.chain, { usdcBaseUnits: 100n * UNITS });
  const refund = await succeeded();
  await send(refund, wallet);
  expect(await exceptionsOf(refund)).toEqual([]);
  t.service.clock.setOffsetMs(60_000);
  await t.service.db.query(
    'insert into payout_addresses (merchant_id, address, created_at) values ($1, $2, $3)',
    [t.shop.id, wallet.address, t.service.clock.now()],
  );
  t.service.clock.setOffsetMs(120_000);
  // A block has the time at which its slot began.
  t.chain.advanceSlots(1);
  expect((await t.reconcile()).differences).toEqual([]);
  const signature = await send(refund, wallet);
  expect(await exceptionsOf(refund)).toMatchObject([{ amountCents: 100, txSignature: signature }]);
  expect((await t.reconcile()).differences).toEqual([]);
  await expectSound(t.service);
});

test('in the sandbox, too much can be sent from the wallet that stands for the merchant’s: at once, or besides', async () => {
  const pay = async ({ id }: RefundAnswer, body: object) => {
    const sent = await t.shop.call('POST', `/api/v2/sandbox/refunds/${id}/pay`, body);
    expect([sent.status, sent.text]).toEqual([202, sent.text]);
    await t.finalize();
    return sent.body.signature as string;
  };
  const atOnce = await newOne();
  const all = await pay(atOnce, { amountCents: 250 });
  expect(await readRefund(t, atOnce)).toMatchObject({ txSignature: all, amountSentCents: 250 });
  expect(await exceptionsOf(atOnce)).toMatchObject([{ amountCents: 150, txSignature: all }]);
  const inTurn = await newOne();
  const due = await pay(inTurn, {});
  for (const amountCents of [20, 30]) await pay(inTurn, { amountCents });
  expect(await readRefund(t, inTurn)).toMatchObject({ txSignature: due, amountSentCents: 150 });
  expect((await exceptionsOf(inTurn)).map((each: RefundAnswer) => each.amountCents).sort()).toEqual([20, 30]);
  expect((await t.reconcile()).differences).toEqual([]);
  await expectSound(t.service);
});

test('dust with the reference, before and after, hides no payment of the merchant', async () => {
  const refund = await newOne();
  await send(refund, t.merchant, UNITS / 2n);
  const dust = async (count: number) => {
    for (let i = 1; i <= count; i++) {
      await sendRefund(t, refund, { from: stranger, amountBaseUnits: BigInt(i) });
      t.chain.advanceSlots(1);
    }
  };
  await dust(24);
  await sendRefund(t, refund, { from: t.merchant, amountBaseUnits: UNITS / 2n });
  t.chain.advanceSlots(1);
  await dust(24);
  await t.finalize();
  // Some at each look, which follow each other while something is unread.
  for (let i = 0; i < 60 && (await readRefund(t, refund)).status !== 'succeeded'; i++) await t.look();
  expect(await readRefund(t, refund)).toMatchObject({ status: 'succeeded' });
  expect((await t.reconcile()).differences).toEqual([]);
});

test('dust that is not final keeps nobody from sending or canceling', async () => {
  const [refund, other] = [await newOne(), await newOne()];
  for (const each of [refund, other]) await sendRefund(t, each, { from: stranger, amountBaseUnits: 1n });
  t.chain.advanceSlots(2);
  await t.look();
  expect((await t.shop.call('POST', `/api/v2/refunds/${other.id}/cancel`)).body.status).toBe('canceled');
  expect(await readRefund(t, refund)).toMatchObject({ status: 'ready', amountSentCents: 0 });
  const asked = { ids: [refund.id], payer: t.merchant.address };
  const { body } = await t.shop.call('POST', '/api/v2/refunds/prepare', asked);
  const transaction = await signPrepared(body.transaction, t.merchant);
  expect((await t.shop.call('POST', '/api/v2/refunds/send', { transaction })).status).toBe(202);
  await t.finalize();
  expect(await readRefund(t, refund)).toMatchObject({ status: 'succeeded' });
  expect((await t.reconcile()).differences).toEqual([]);
  await expectSound(t.service);
});

test('what a stranger sends for a canceled refund does not bring it back', async () => {
  const refund = await newOne();
  expect((await t.shop.call('POST', `/api/v2/refunds/${refund.id}/cancel`)).status).toBe(200);
  await send(refund, stranger);
  expect(await readRefund(t, refund)).toMatchObject({ status: 'canceled', amountSentCents: 0 });
  expect((await t.reconcile()).differences).toEqual([]);
});
