import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newProject,
  newSession,
  newTopUp,
  paySession,
  readCustomer,
} from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { newIntent } from '../support/payments.ts';
import {
  askRefund,
  newRefund,
  paidIntent,
  readRefund,
  sendRefund,
  signPrepared,
} from '../support/refunds.ts';
import { createMint, createWallet, pay, type Wallet } from '../support/wallet.ts';

/** Money that goes back, as real transactions, and everything that can go wrong with it. */
let t: TestChain;
let receiver: Wallet;

beforeAll(async () => {
  t = await testChain();
  receiver = await createWallet(t.chain);
  await t.chain.mintTo(t.merchant.address, 10n ** 12n);
});

const exceptionsOf = async (filter: string) =>
  (await t.shop.call('GET', `/api/v2/exceptions?${filter}`)).body.data;
const eventsOf = async (id: string) =>
  (
    await t.service.db.query<{ event: string }>(
      'select event from events where object_id = $1 order by sequence',
      [id],
    )
  ).map(({ event }) => event);
const confirm = async () => {
  t.chain.advanceSlots(3);
  await t.look();
};

describe('the way of a refund', () => {
  test('ready, processing, succeeded: found by its reference without any call', async () => {
    const intent = await paidIntent(t);
    const refund = await newRefund(t, { paymentIntentId: intent.id, address: receiver.address });
    expect(refund).toMatchObject({
      status: 'ready',
      amountCents: 100,
      amountSentCents: 0,
      payerAddress: t.customer.address,
    });
    const signature = await sendRefund(t, refund);
    await confirm();
    expect(await readRefund(t, refund)).toMatchObject({
      status: 'processing',
      amountSentCents: 0,
      paymentUrl: null,
    });
    await t.finalize();
    expect(await readRefund(t, refund)).toMatchObject({
      status: 'succeeded',
      amountSentCents: 100,
      txSignature: signature,
      creditNoteNumber: expect.stringMatching(/^CN-\d{6}$/),
    });
    expect(await eventsOf(refund.id)).toEqual(['refund.created', 'refund.processing', 'refund.succeeded']);
    await expectSound(t.service);
  });

  test('confirmed and then dropped by the chain: ready again; sent again it counts', async () => {
    const intent = await paidIntent(t);
    const refund = await newRefund(t, { paymentIntentId: intent.id, address: receiver.address });
    await sendRefund(t, refund);
    await confirm();
    expect((await readRefund(t, refund)).status).toBe('processing');
    expect(t.chain.rollBack(4)).toHaveLength(1);
    await t.finalize();
    await t.finalize();
    expect(await readRefund(t, refund)).toMatchObject({ status: 'ready', amountSentCents: 0 });
    await sendRefund(t, refund);
    await t.finalize();
    expect((await readRefund(t, refund)).status).toBe('succeeded');
    await expectSound(t.service);
  });

  test('the customer names the address, and the merchant approves what they have seen', async () => {
    const intent = await paidIntent(t);
    const refund = await newRefund(t, { paymentIntentId: intent.id });
    expect(refund).toMatchObject({ status: 'awaiting_address', address: null, paymentUrl: null });
    const link = (await t.shop.call('POST', `/api/v2/refunds/${refund.id}/claim-link`)).body;
    const path = `/api/public/refunds/${link.url.split('/').pop()}`;
    const shown = await t.shop.call('GET', path);
    expect(shown.body).toMatchObject({
      amountCents: 100,
      status: 'awaiting_address',
      payerAddress: t.customer.address,
    });
    const other = await createWallet(t.chain);
    expect((await t.shop.call('POST', path, { address: other.address })).body.address).toBe(other.address);
    // Between the look and the approval the customer changes it: nothing is approved unseen.
    expect((await t.shop.call('POST', path, { address: receiver.address })).status).toBe(200);
    const approve = (to: string) =>
      t.shop.call('POST', `/api/v2/refunds/${refund.id}/approve-address`, { address: to });
    expect(await approve(other.address)).toMatchObject({
      status: 409,
      body: { error: { code: 'INVALID_STATE' } },
    });
    expect((await approve(receiver.address)).body).toMatchObject({
      status: 'ready',
      addressSource: 'customer',
    });
    expect(await approve(receiver.address)).toMatchObject({ status: 409 });
    expect(await t.shop.call('POST', path, { address: other.address })).toMatchObject({ status: 409 });
    expect((await readRefund(t, refund)).address).toBe(receiver.address);
  });

  test('a new claim link ends the one before; a forged one finds nothing', async () => {
    const { id } = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id });
    const tokenOf = async () =>
      (await t.shop.call('POST', `/api/v2/refunds/${id}/claim-link`)).body.url.split('/').pop() as string;
    const first = await tokenOf();
    const second = await tokenOf();
    const read = async (token: string) => (await t.shop.call('GET', `/api/public/refunds/${token}`)).status;
    expect([await read(first), await read(second)]).toEqual([404, 200]);
    expect(await read(`refund_${'a'.repeat(43)}`)).toBe(404);
    expect(t.service.log.join('')).not.toContain(second);
  });

  test('signed by the wallet that paid, the address needs no approval; by another it does', async () => {
    const refund = await newRefund(t, { paymentIntentId: (await paidIntent(t)).id });
    const link = (await t.shop.call('POST', `/api/v2/refunds/${refund.id}/claim-link`)).body;
    const path = `/api/public/refunds/${link.url.split('/').pop()}`;
    const { proofMessage } = (await t.shop.call('GET', path)).body;
    const sign = async (wallet: Wallet, text: string) => {
      const [signed] = await wallet.signer.signMessages([
        { content: new TextEncoder().encode(text), signatures: {} },
      ] as never);
      const { encodeBase58 } = await import('../../src/platform/lib/base58.ts');
      return encodeBase58(Object.values(signed as unknown as Record<string, Uint8Array>)[0]!);
    };
    const forged = await t.shop.call('POST', path, {
      address: t.customer.address,
      signature: await sign(receiver, proofMessage),
    });
    expect(forged).toMatchObject({ status: 400 });
    const proven = await t.shop.call('POST', path, {
      address: t.customer.address,
      signature: await sign(t.customer, proofMessage),
    });
    expect(proven.body).toMatchObject({ status: 'ready', addressSource: 'payer', isAddressApproved: true });
  });
});

describe('never more than was received', () => {
  test('fifty at once of one payment: as many as fit', async () => {
    const intent = await paidIntent(t);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        askRefund(t, { paymentIntentId: intent.id, amountCents: 10, address: receiver.address }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(10);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ status }) => status))).toEqual(
      new Set([409]),
    );
    expect(new Set(made.map(({ body }) => body.number)).size).toBe(10);
    await expectSound(t.service);
  });

  test('a double click with one key is one refund', async () => {
    const intent = await paidIntent(t);
    const body = { paymentIntentId: intent.id, amountCents: 60, reason: 'duplicate' };
    const both = await Promise.all(
      [1, 2].map(() => t.shop.call('POST', '/api/v2/refunds', body, { 'Idempotency-Key': 'click-1' })),
    );
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both[0]!.text).toBe(both[1]!.text);
  });

  test('the amount that is left is said; what was canceled counts again', async () => {
    const intent = await paidIntent(t);
    const first = await newRefund(t, {
      paymentIntentId: intent.id,
      amountCents: 70,
      address: receiver.address,
    });
    const more = await askRefund(t, { paymentIntentId: intent.id, amountCents: 31 });
    expect(more).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('amountCents must be at most 30') } },
    });
    expect((await t.shop.call('POST', `/api/v2/refunds/${first.id}/cancel`)).body.status).toBe('canceled');
    expect((await t.shop.call('POST', `/api/v2/refunds/${first.id}/cancel`)).status).toBe(409);
    expect((await newRefund(t, { paymentIntentId: intent.id })).amountCents).toBe(100);
  });
});

describe('sending', () => {
  test('several in one transaction: prepared, signed by the wallet, sent, each proven by its own reference', async () => {
    const others = await Promise.all([1, 2, 3].map(() => createWallet(t.chain)));
    const refunds = [];
    // Two of them go to the same address: the reference tells the amounts apart.
    for (const to of [...others, others[0]!]) {
      const intent = await paidIntent(t);
      refunds.push(
        await newRefund(t, {
          paymentIntentId: intent.id,
          amountCents: 25 + refunds.length,
          address: to.address,
        }),
      );
    }
    const ids = refunds.map(({ id }) => id);
    const prepared = await t.shop.call('POST', '/api/v2/refunds/prepare', { ids, payer: t.merchant.address });
    expect([prepared.status, prepared.text]).toEqual([200, prepared.text]);
    const send = (transaction: string) => t.shop.call('POST', '/api/v2/refunds/send', { transaction });
    expect(await send(prepared.body.transaction)).toMatchObject({ status: 400 });
    const signed = await signPrepared(prepared.body.transaction, t.merchant);
    const sent = await send(signed);
    expect([sent.status, sent.body.refundIds]).toEqual([202, ids]);
    expect((await send(signed)).status).toBe(202);
    await t.finalize();
    for (const refund of refunds)
      expect(await readRefund(t, refund)).toMatchObject({
        status: 'succeeded',
        amountSentCents: refund.amountCents,
        txSignature: sent.body.signature,
      });
    await expectSound(t.service);
  });

  test('ten fit into one transaction where the accounts exist', async () => {
    const wallets = await Promise.all(
      Array.from({ length: 10 }, () => createWallet(t.chain, { usdcBaseUnits: 1n })),
    );
    const ids: string[] = [];
    for (const wallet of wallets)
      ids.push(
        (await newRefund(t, { paymentIntentId: (await paidIntent(t)).id, address: wallet.address })).id,
      );
    const prepared = await t.shop.call('POST', '/api/v2/refunds/prepare', { ids, payer: t.merchant.address });
    expect([prepared.status, prepared.text]).toEqual([200, prepared.text]);
    const sent = await t.shop.call('POST', '/api/v2/refunds/send', {
      transaction: await signPrepared(prepared.body.transaction, t.merchant),
    });
    expect(sent.status).toBe(202);
    await t.finalize();
    for (const id of ids) expect((await readRefund(t, { id })).status).toBe('succeeded');
  });

  test('another token, another owner or a failed transfer sends nothing', async () => {
    const refund = await newRefund(t, {
      paymentIntentId: (await paidIntent(t)).id,
      address: receiver.address,
    });
    const fake = await createMint(t.chain.rpcUrl, t.merchant.signer, 10n ** 9n);
    await sendRefund(t, refund, { mint: fake });
    await sendRefund(t, refund, { destinationOwner: t.customer.address });
    // The merchant's own money from one account to the same one.
    await sendRefund(t, refund, { destinationOwner: t.merchant.address });
    await t.finalize();
    expect(await readRefund(t, refund)).toMatchObject({ status: 'ready', amountSentCents: 0 });
    await expectSound(t.service);
  });

  test('in parts, from two wallets; the rest can be canceled', async () => {
    const refund = await newRefund(t, {
      paymentIntentId: (await paidIntent(t)).id,
      address: receiver.address,
    });
    await sendRefund(t, refund, { amountBaseUnits: 300_000n });
    await t.finalize();
    expect(await readRefund(t, refund)).toMatchObject({ status: 'ready', amountSentCents: 30 });
    expect((await readRefund(t, refund)).paymentUrl).toContain('amount=0.7&');
    await sendRefund(t, refund, { from: t.customer, amountBaseUnits: 200_000n });
    await t.finalize();
    const { body } = await t.shop.call('POST', `/api/v2/refunds/${refund.id}/cancel`);
    expect(body).toMatchObject({ status: 'succeeded', amountCents: 50, amountSentCents: 50 });
    await expectSound(t.service);
  });

  test('sent twice: the second is an exception that names the refund', async () => {
    const refund = await newRefund(t, {
      paymentIntentId: (await paidIntent(t)).id,
      address: receiver.address,
    });
    await sendRefund(t, refund);
    await t.finalize();
    const second = await sendRefund(t, refund);
    await t.finalize();
    expect(await readRefund(t, refund)).toMatchObject({
      status: 'succeeded',
      amountCents: 100,
      amountSentCents: 200,
    });
    expect(await exceptionsOf(`txSignature=${second}`)).toMatchObject([
      { kind: 'over_refunded', amountCents: 100, refundId: refund.id, status: 'open' },
    ]);
    await expectSound(t.service);
  });

  test('sent after it was canceled: it counts while nothing took its place, and is an exception otherwise', async () => {
    const intent = await paidIntent(t);
    const refund = await newRefund(t, { paymentIntentId: intent.id, address: receiver.address });
    await t.shop.call('POST', `/api/v2/refunds/${refund.id}/cancel`);
    await sendRefund(t, refund);
    await t.finalize();
    expect(await readRefund(t, refund)).toMatchObject({ status: 'succeeded', amountCents: 100 });

    const replaced = await newRefund(t, {
      paymentIntentId: (await paidIntent(t)).id,
      address: receiver.address,
    });
    await t.shop.call('POST', `/api/v2/refunds/${replaced.id}/cancel`);
    await newRefund(t, { paymentIntentId: replaced.paymentIntentId, address: receiver.address });
    const late = await sendRefund(t, replaced);
    await t.finalize();
    expect(await readRefund(t, replaced)).toMatchObject({ status: 'canceled', amountSentCents: 100 });
    expect(await exceptionsOf(`txSignature=${late}`)).toMatchObject([
      { kind: 'over_refunded', refundId: replaced.id },
    ]);
    await expectSound(t.service);
  });

  test('one that is on its way cannot be canceled, and cannot be prepared again', async () => {
    const refund = await newRefund(t, {
      paymentIntentId: (await paidIntent(t)).id,
      address: receiver.address,
    });
    await sendRefund(t, refund);
    await confirm();
    expect((await t.shop.call('POST', `/api/v2/refunds/${refund.id}/cancel`)).status).toBe(409);
    const again = await t.shop.call('POST', '/api/v2/refunds/prepare', {
      ids: [refund.id],
      payer: t.merchant.address,
    });
    expect(again).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining(refund.number) } },
    });
    await t.finalize();
  });
});

describe('exceptions', () => {
  test('a surplus goes back and ends as returned, with its transaction', async () => {
    const intent = await paidIntent(t, 1_500_000n);
    const [surplus] = await exceptionsOf(`txSignature=${intent.signature}`);
    const refund = await newRefund(t, { exceptionId: surplus.id, address: receiver.address });
    expect(refund).toMatchObject({ amountCents: 50, exceptionId: surplus.id, paymentIntentId: intent.id });
    const markReturned = await t.shop.call('POST', `/api/v2/exceptions/${surplus.id}/mark-returned`);
    expect(markReturned).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('refund') } },
    });
    expect((await askRefund(t, { paymentIntentId: intent.id, amountCents: 101 })).status).toBe(400);
    const signature = await sendRefund(t, refund);
    await t.finalize();
    const [after] = await exceptionsOf(`txSignature=${intent.signature}`);
    expect(after).toMatchObject({
      status: 'returned',
      refundId: refund.id,
      note: `${refund.number}: ${signature}`,
    });
    await expectSound(t.service);
  });

  test('of money that matched nothing a part goes back, and the rest is returned by hand', async () => {
    const { chain, customer, merchant, shop } = t;
    const signature = await pay({
      rpcUrl: chain.rpcUrl,
      from: customer.signer,
      destinationOwner: merchant.address,
      amountBaseUnits: 500_000n,
    });
    await t.finalize();
    const [unmatched] = await exceptionsOf(`txSignature=${signature}`);
    const refund = await newRefund(t, {
      exceptionId: unmatched.id,
      amountCents: 20,
      address: receiver.address,
    });
    const markReturned = () => shop.call('POST', `/api/v2/exceptions/${unmatched.id}/mark-returned`);
    expect((await markReturned()).status).toBe(409);
    await sendRefund(t, refund);
    await t.finalize();
    expect((await exceptionsOf(`txSignature=${signature}`))[0].status).toBe('open');
    const intent = await newIntent(shop, 50);
    const linked = await shop.call('POST', `/api/v2/exceptions/${unmatched.id}/link`, {
      paymentIntentId: intent.id,
    });
    expect(linked.status).toBe(409);
    expect((await markReturned()).body).toMatchObject({ status: 'returned', refundId: refund.id });
    expect((await askRefund(t, { exceptionId: unmatched.id })).status).toBe(409);
    await expectSound(t.service);
  });

  test('money that matched nothing goes back; it cannot be linked meanwhile, and can again afterwards', async () => {
    const { chain, customer, merchant, shop } = t;
    await newIntent(shop);
    const signature = await pay({
      rpcUrl: chain.rpcUrl,
      from: customer.signer,
      destinationOwner: merchant.address,
      amountBaseUnits: 420_000n,
    });
    await t.finalize();
    const [unmatched] = await exceptionsOf(`txSignature=${signature}`);
    const refund = await newRefund(t, { exceptionId: unmatched.id, address: receiver.address });
    expect(refund).toMatchObject({ amountCents: 42, paymentIntentId: null, payerAddress: customer.address });
    const intent = await newIntent(shop, 42);
    const link = () =>
      shop.call('POST', `/api/v2/exceptions/${unmatched.id}/link`, { paymentIntentId: intent.id });
    expect((await link()).status).toBe(409);
    await shop.call('POST', `/api/v2/refunds/${refund.id}/cancel`);
    expect((await link()).body.status).toBe('linked');
    // Linked money belongs to the intent: money sent now for the canceled refund is too much.
    const late = await sendRefund(t, refund);
    await t.finalize();
    expect(await exceptionsOf(`txSignature=${late}`)).toMatchObject([{ kind: 'over_refunded' }]);
    await expectSound(t.service);
  });
});

describe('invoices', () => {
  test('show what was refunded, take credits back in proportion, and have an event', async () => {
    const project = await newProject(t.shop);
    const price = await newTopUp(t.shop, project.id, { unitAmountCents: 1000, creditAmount: 500 });
    const session = await newSession(t.shop, project.id, {
      mode: 'balance_top_up',
      priceId: price.id,
      externalCustomerId: 'credits-1',
    });
    await paySession(t, session);
    await t.finalize();
    const effects = { revokeCredits: true };
    const refund = await newRefund(t, {
      invoiceId: session.invoiceId,
      amountCents: 250,
      address: receiver.address,
      effects,
    });
    expect(refund).toMatchObject({
      projectId: project.id,
      customerId: session.customerId,
      invoiceId: session.invoiceId,
    });
    await sendRefund(t, refund);
    await t.finalize();
    await t.expire();
    const invoice = (await t.shop.call('GET', `/api/v2/invoices/${session.invoiceId}`)).body;
    expect(invoice).toMatchObject({ status: 'paid', amountPaidCents: 1000, refundedCents: 250 });
    expect(await eventsOf(session.invoiceId)).toContain('invoice.refunded');
    expect((await readCustomer(t.shop, session.customerId)).creditBalance).toBe(375);
    await expectSound(t.service);
  });
});

describe('bad input changes nothing', () => {
  test.each([
    ['an address that is no address', { address: 'x'.repeat(32) }, 'address'],
    ['the mint', { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }, 'address'],
    ['a program', { address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' }, 'address'],
    [
      'a program’s account without USDC',
      { address: '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1' },
      'address',
    ],
    ['nothing', { amountCents: 0 }, 'amountCents'],
    ['less than nothing', { amountCents: -5 }, 'amountCents'],
    ['a reason nobody knows', { reason: 'because' }, 'reason'],
    ['credits of a payment that bought none', { effects: { revokeCredits: true } }, 'effects.revokeCredits'],
    [
      'a subscription of a payment for none',
      { effects: { cancelSubscription: true } },
      'effects.cancelSubscription',
    ],
    ['an unknown field', { amount: 5 }, 'amount'],
  ])('%s', async (_, fields, field) => {
    const intent = await paidIntent(t);
    const answer = await askRefund(t, { paymentIntentId: intent.id, ...fields });
    expect([answer.status, answer.body.error.message.split(' ')[0]]).toEqual([400, field]);
    const { body } = await t.shop.call('GET', `/api/v2/refunds?paymentIntentId=${intent.id}`);
    expect(body.data).toEqual([]);
  });

  test('the merchant’s own payout address, a token account, an unpaid payment, somebody else’s', async () => {
    const intent = await paidIntent(t);
    for (const to of [t.merchant.address, receiver.usdcAccount])
      expect((await askRefund(t, { paymentIntentId: intent.id, address: to })).status).toBe(400);
    const unpaid = await newIntent(t.shop);
    expect((await askRefund(t, { paymentIntentId: unpaid.id })).status).toBe(409);
    const other = await t.service.createMerchant();
    const foreign = await other.call('POST', '/api/v2/refunds', {
      paymentIntentId: intent.id,
      reason: 'other',
    });
    expect(foreign.status).toBe(400);
    for (const [body, status] of [
      [{ reason: 'other' }, 400],
      [{ reason: 'other', paymentIntentId: intent.id, exceptionId: intent.id }, 400],
      [{ reason: 'other', invoiceId: intent.id }, 400],
    ] as const)
      expect((await t.shop.call('POST', '/api/v2/refunds', body)).status).toBe(status);
  });
});

// Last: the clock does not go back.
test('expires after 90 days, and gives the money free', async () => {
  const intent = await paidIntent(t);
  const refund = await newRefund(t, { paymentIntentId: intent.id, address: receiver.address });
  t.service.clock.setOffsetMs(91 * 86_400_000);
  await t.expire();
  expect((await readRefund(t, refund)).status).toBe('expired');
  expect(await eventsOf(refund.id)).toEqual(['refund.created', 'refund.expired']);
  await newRefund(t, { paymentIntentId: intent.id });
  await expectSound(t.service);
});
