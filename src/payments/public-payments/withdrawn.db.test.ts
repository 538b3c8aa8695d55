import { beforeAll, expect, test } from 'vitest';
import {
  advance,
  eventNames,
  expectSound,
  newCustomer,
  newProject,
  newSession,
  paySession,
  readCustomer,
  readInvoice,
  readSession,
} from '../../../test/support/billing.ts';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import { newOpenInvoice } from '../../../test/support/manual-invoices.ts';
import { signedPayment } from '../../../test/support/payments.ts';
import { newRefund } from '../../../test/support/refunds.ts';
import { call } from '../../../test/support/service.ts';

let t: TestChain;
let projectId: string;

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
});

const publicIntent = (id: string) => `${t.service.url}/api/public/intents/${id}`;
const view = async (id: string) => (await call(publicIntent(id), 'GET')).body;
const pageOf = async (id: string) => (await fetch(`${t.service.url}/intents/${id}`)).text();
const account = () => ({ account: t.customer.address });

/** Everything that could offer a payment or build one, by its status. */
async function offers(id: string) {
  const program = await call(`${t.service.url}/intents/${id}`, 'GET', undefined, {
    accept: 'application/json',
  });
  return {
    paymentUrl: (await view(id)).paymentUrl,
    ofMerchant: (await t.shop.call('GET', `/api/merchants/intents/${id}`)).body.paymentUrl,
    transaction: (await call(`${publicIntent(id)}/transaction`, 'POST', account())).status,
    pay: (await call(`${publicIntent(id)}/pay`, 'POST', account())).status,
    program: program.status,
  };
}

const NOTHING = { paymentUrl: null, ofMerchant: null, transaction: 409, pay: 409, program: 409 };
const URL = expect.stringMatching(/^solana:/);
const ALL = { paymentUrl: URL, ofMerchant: URL, transaction: 200, pay: 200, program: 402 };

const volume = async () => (await t.shop.call('GET', '/api/b2b/merchants/stats')).body;
const exceptionsOf = async (id: string) => {
  const { body } = await t.shop.call('GET', '/api/v2/exceptions');
  return body.data.filter((each: { paymentIntentId: string }) => each.paymentIntentId === id);
};

/** An invoice of 9.00 of which 1.00 was paid. */
async function partPaidInvoice() {
  const customer = await newCustomer(t.shop, projectId, { name: 'Ada' });
  const books = { shop: t.shop, projectId, customerId: customer.id };
  const invoice = await newOpenInvoice(books, { lineItems: [{ name: 'Hour', unitAmountCents: 900 }] });
  const session = await readSession(t.shop, invoice.checkoutSessionId);
  await paySession(t, session, 100);
  await t.finalize();
  return { customerId: customer.id, invoiceId: invoice.id, session, id: session.paymentIntentId };
}

test('a part-paid invoice that is void: nothing asks for the rest, and the rest buys nothing', async () => {
  const { customerId, invoiceId, session, id } = await partPaidInvoice();
  expect(await offers(id)).toEqual(ALL);
  const transaction = await signedPayment(t, id);
  expect((await t.shop.call('POST', `/api/v2/invoices/${invoiceId}/void`)).status).toBe(200);
  expect(await offers(id)).toEqual(NOTHING);
  const sent = await call(`${publicIntent(id)}/send`, 'POST', { transaction });
  expect([sent.status, sent.body.error.message]).toEqual([409, 'This payment is canceled.']);
  const page = await pageOf(id);
  expect(page).toContain('This payment was canceled');
  expect(page).not.toContain('left to pay');
  await t.expire();
  expect(await offers(id)).toEqual(NOTHING);
  const accepted = await t.shop.call('POST', `/api/merchants/intents/${id}/accept`);
  expect(accepted.status).toBe(409);

  const before = await volume();
  const rest = await paySession(t, session, 800);
  await t.finalize();
  await t.expire();
  expect(await view(id)).toMatchObject({ status: 'underpaid', amountReceivedCents: 100 });
  expect(await eventNames(t.service, t.shop.id)).not.toContain('payment_intent.succeeded');
  expect(await volume()).toEqual(before);
  expect((await readInvoice(t.shop, invoiceId)).status).toBe('void');
  expect((await readCustomer(t.shop, customerId)).accountCreditCents).toBe(900);
  const listed = await exceptionsOf(id);
  expect(listed).toMatchObject([
    { kind: 'canceled', amountCents: 800, txSignature: rest, status: 'open' },
    { kind: 'stray', amountCents: 100, status: 'open' },
  ]);
  await expectSound(t.service);

  for (const exception of listed) {
    await newRefund(t, { exceptionId: exception.id, address: t.customer.address });
  }
  expect(await offers(id)).toEqual(NOTHING);
  expect((await readCustomer(t.shop, customerId)).accountCreditCents).toBe(0);
  await expectSound(t.service);
});

test('409: an exception is not linked to an order that was canceled after a part was paid', async () => {
  const { invoiceId, session, id } = await partPaidInvoice();
  await t.shop.call('POST', `/api/v2/invoices/${invoiceId}/void`);
  await paySession(t, session, 800);
  await t.finalize();
  const [exception] = await exceptionsOf(id);
  const link = { paymentIntentId: id };
  const { status, body } = await t.shop.call('POST', `/api/v2/exceptions/${exception.id}/link`, link);
  expect([status, body.error.message]).toEqual([409, 'A canceled intent cannot receive more money.']);
  await expectSound(t.service);
});

test('30 days after its deadline a part payment is closed: no address to pay at and no transaction', async () => {
  const session = await newSession(t.shop, projectId, { amountCents: 500, externalCustomerId: 'late' });
  const { paymentIntentId: id } = session;
  await paySession(t, session, 200);
  await t.finalize();
  expect(await offers(id)).toEqual(ALL);
  await advance(t.service, 20);
  await t.expire();
  expect(await offers(id)).toEqual(ALL);
  await advance(t.service, 12);
  await t.expire();
  expect(await pageOf(id)).toContain('This payment is closed');
  expect(await offers(id)).toEqual(NOTHING);
  const { body } = await call(`${publicIntent(id)}/transaction`, 'POST', account());
  expect(body.error.message).toBe('It is too late to pay this.');
  await expectSound(t.service);
});
