import { beforeAll, expect, test } from 'vitest';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import {
  eventNames,
  expectSound,
  moveTo,
  newCustomer,
  newPlan,
  newProject,
  newSession,
  paySession,
  readSession,
  referenceOf,
} from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { changesOf, daysOf, leftToRefund, type PaidOrder, readPaid } from '../support/final.ts';
import { expectBooksAgree } from '../support/journal.ts';
import { newOpenInvoice } from '../support/manual-invoices.ts';
import { newIntent, payIntent, UNITS } from '../support/payments.ts';
import { newRefund, paidSession, refunded, sendRefund } from '../support/refund-journey.ts';
import { createWallet, pay, type Wallet } from '../support/wallet.ts';

/** Paid objects stay unchanged: anybody can read a reference on the chain and send a cent with it, on any later day. */
let t: TestChain;
let projectId: string;
let customerId: string;
let stranger: Wallet;

beforeAll(async () => {
  t = await testChain();
  stranger = await createWallet(t.chain, { usdcBaseUnits: 1_000n * UNITS });
  projectId = (await newProject(t.shop, { seller: { legalName: 'Muster GmbH', country: 'DE' } })).id;
  await post('/api/v2/tax-rates', { projectId, name: 'VAT', country: 'DE', percent: 19, isDefault: true });
  const buyer = { externalCustomerId: 'ada', name: 'Ada', country: 'DE' };
  customerId = (await newCustomer(t.shop, projectId, buyer)).id;
});

async function post(path: string, body: object = {}) {
  const answer = await t.shop.call('POST', path, body);
  expect([answer.status < 300, answer.status < 300 || answer.text]).toEqual([true, true]);
  return answer.body;
}

/** Moves to the third of the next month, so that 29 days later is another month. */
async function nextMonth(): Promise<string> {
  const now = t.service.clock.now();
  await moveTo(t, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 3)));
  return monthNow();
}

const monthNow = () => t.service.clock.now().toISOString().slice(0, 7);

async function daysLater(days: number): Promise<void> {
  await moveTo(t, new Date(t.service.clock.now().getTime() + days * 86_400_000));
}

async function send(order: { paymentIntentId: string }, cents: bigint, from = stranger): Promise<string> {
  return pay({
    rpcUrl: t.chain.rpcUrl,
    from: from.signer,
    destinationOwner: t.merchant.address,
    amountBaseUnits: centsToBaseUnits(cents),
    references: [await referenceOf(t.shop, order)],
  });
}

const listed = async (signature: string) =>
  (await t.shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`)).body.data;

const lineItems = [{ name: 'Cup', unitAmountCents: 1_000, quantity: 1, taxBehavior: 'exclusive' }];
const taxed = { amountCents: undefined, lineItems, externalCustomerId: 'ada' };

const paidOrders: Record<string, () => Promise<PaidOrder>> = {
  'an order with tax': () => paidSession(t, projectId, taxed),
  'an order that was overpaid at once': () => paidSession(t, projectId, taxed, 1_500),
  'an order that was paid in two parts': async () => {
    const session = await paidSession(t, projectId, taxed, 700);
    await paySession(t, session, 490);
    await t.finalize();
    return session;
  },
  'an order that was accepted with less': async () => {
    const session = await paidSession(t, projectId, taxed, 1_000);
    await post(`/api/v2/invoices/${session.invoiceId}/accept`);
    return session;
  },
  'an order that was refunded in part': async () => {
    const session = await paidSession(t, projectId, taxed);
    await refunded(t, { invoiceId: session.invoiceId, amountCents: 100 });
    return session;
  },
  'a subscription': async () => {
    const { id: priceId } = await newPlan(t.shop, projectId, { recurringInterval: 'year' });
    return paidSession(t, projectId, { mode: 'subscription', priceId, externalCustomerId: 'ada' });
  },
  'an invoice made by hand': async () => {
    const invoice = await newOpenInvoice({ shop: t.shop, projectId, customerId });
    const session = await readSession(t.shop, invoice.checkoutSessionId);
    await paySession(t, session);
    await t.finalize();
    return session;
  },
  'a payment without a checkout': async () => {
    const intent = await newIntent(t.shop);
    await payIntent(t, intent);
    await t.finalize();
    return { paymentIntentId: intent.id };
  },
};

test.each([29, 61])(
  'money that comes %i days later changes nothing of what is paid, and is a surplus of its own day',
  async (days) => {
    const month = await nextMonth();
    const orders: Record<string, PaidOrder> = {};
    for (const [name, make] of Object.entries(paidOrders)) orders[name] = await make();
    await daysLater(days);
    const read = async () => {
      const all: Record<string, string> = {};
      for (const [name, order] of Object.entries(orders))
        for (const [what, text] of Object.entries(await readPaid(t, order, month)))
          all[`${name}: ${what}`] = text;
      return all;
    };
    const before = await read();
    const eventsBefore = await eventNames(t.service, t.shop.id);

    const signatures: string[] = [];
    for (const order of Object.values(orders)) signatures.push(await send(order, 3n));
    await t.look();
    expect(changesOf(before, await read())).toEqual({});
    await t.finalize();
    expect(changesOf(before, await read())).toEqual({});
    const told = (await eventNames(t.service, t.shop.id)).slice(eventsBefore.length);
    expect(told).toEqual(signatures.map(() => 'exception.created'));

    const [from, to] = daysOf(monthNow());
    const { text: statement } = await t.shop.call('GET', `/api/v2/bank-statement?from=${from}&to=${to}`);
    for (const [i, { paymentIntentId }] of Object.values(orders).entries()) {
      expect(await listed(signatures[i]!)).toMatchObject([
        { kind: 'surplus', status: 'open', amountCents: 3, paymentIntentId, isAfterPayment: true },
      ]);
      expect(statement).toContain(`<TRNAMT>0.03</TRNAMT><FITID>receipt:${signatures[i]}:`);
    }
    await expectBooksAgree(t.service.db, t.shop);
    await expectSound(t.service);
    expect(await t.reconcile()).toMatchObject({ differences: [], unreadable: [] });
  },
);

test('what is decided about such a surplus is about it alone', async () => {
  const month = await nextMonth();
  const order = await paidSession(t, projectId, taxed);
  await daysLater(29);
  const other = await newSession(t.shop, projectId, { amountCents: 200 });
  const before = await readPaid(t, order, month);
  const surplus = async (cents: bigint) => {
    const signature = await send(order, cents);
    await t.finalize();
    return (await listed(signature))[0].id;
  };
  const expectUnchanged = async () => {
    expect(changesOf(before, await readPaid(t, order, month))).toEqual({});
    await expectBooksAgree(t.service.db, t.shop);
    await expectSound(t.service);
  };

  const kept = await surplus(5n);
  await post(`/api/v2/exceptions/${kept}/keep`);
  await expectUnchanged();
  await post(`/api/v2/exceptions/${kept}/reopen`);
  await post(`/api/v2/exceptions/${kept}/mark-returned`);
  await expectUnchanged();

  // Back to the wallet it came from, in two refunds.
  const sent = await surplus(10n);
  const first = await newRefund(t, { exceptionId: sent, amountCents: 4, address: stranger.address });
  expect(first).toMatchObject({ payerAddress: stranger.address, paymentIntentId: null, invoiceId: null });
  await expectUnchanged();
  await sendRefund(t, first.id);
  await sendRefund(t, (await newRefund(t, { exceptionId: sent, address: stranger.address })).id);
  expect((await t.shop.call('GET', `/api/v2/exceptions?exceptionId=${sent}`)).body.data).toMatchObject([
    { status: 'returned' },
  ]);
  await expectUnchanged();

  // Used for the order that it was meant for.
  const used = await surplus(200n);
  await post(`/api/v2/exceptions/${used}/link`, { paymentIntentId: other.paymentIntentId });
  expect(await readSession(t.shop, other.id)).toMatchObject({
    paymentStatus: 'paid',
    amountReceivedCents: 200,
  });
  await expectUnchanged();

  // And all of the order itself can still go back, once.
  await refunded(t, { invoiceId: order.invoiceId });
  expect(await leftToRefund(t, order.paymentIntentId)).toBe('Nothing is left');
  await expectBooksAgree(t.service.db, t.shop);
  await expectSound(t.service);
});

test('of several transfers at the same time the first that pays counts, and each other is a surplus', async () => {
  for (const isSeenFirst of [true, false]) {
    const session = await newSession(t.shop, projectId, { amountCents: 300 });
    const signatures = [await send(session, 300n), await send(session, 300n), await send(session, 7n)];
    // Confirmed, each is counted as under way; which one pays is decided when they are final.
    if (isSeenFirst) await t.look();
    await t.finalize();
    const { txSignature, ...intent } = (
      await t.shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`)
    ).body;
    expect(intent).toMatchObject({ status: 'succeeded' });
    const surplus = (await Promise.all(signatures.map(listed))).flat();
    expect(surplus.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(
      607 - intent.expectedAmountCents,
    );
    expect(surplus.every(({ kind }) => kind === 'surplus')).toBe(true);
    await expectSound(t.service);
  }
  await expectBooksAgree(t.service.db, t.shop);
});
