import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  bring,
  eventNames,
  expectSound,
  newCustomer,
  newProject,
  newSession,
  readCustomer,
  readInvoice,
  readSession,
  runDue,
} from '../../../test/support/billing.ts';
import { newDraft, newOpenInvoice, refusalOf } from '../../../test/support/manual-invoices.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;
let customerId: string;

beforeAll(async () => {
  service = await testService();
});

beforeEach(async () => {
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
  customerId = (await newCustomer(shop, projectId, { name: 'Ada', externalCustomerId: 'ada' })).id;
});

const draft = (fields?: object) => newDraft({ shop, projectId, customerId }, fields);
const opened = (fields?: object) => newOpenInvoice({ shop, projectId, customerId }, fields);
const act = (id: string, action: string, headers = {}, version = '/api/v2') =>
  shop.call('POST', `${version}/invoices/${id}/${action}`, undefined, headers);

describe('POST /invoices/{id}/void', () => {
  test('409: its checkout is not canceled instead', async () => {
    const { id, checkoutSessionId } = await opened();
    const cancel = shop.call('POST', `/api/v2/checkout-sessions/${checkoutSessionId}/cancel`);
    expect(await refusalOf(cancel)).toEqual([
      409,
      'This session belongs to an invoice; void the invoice instead.',
    ]);
    expect((await readInvoice(shop, id)).status).toBe('open');
  });

  test('200: it keeps its number, its checkout is canceled, and later money is unapplied', async () => {
    const invoice = await opened();
    const session = await readSession(shop, invoice.checkoutSessionId);
    const { status, body } = await act(invoice.id, 'void');
    expect([status, body.status, body.number, body.amountDueCents]).toEqual([200, 'void', 'INV-000001', 0]);
    expect((await readSession(shop, session.id)).status).toBe('canceled');
    expect(await eventNames(service, shop.id)).toContain('invoice.voided');
    expect((await opened()).number).toBe('INV-000002');
    expect(await refusalOf(act(invoice.id, 'void'))).toEqual([409, 'A void invoice cannot be voided.']);
    await expectSound(service);
  });

  test('200 after a part was paid: the part is account credit and an exception, and nothing more is owed', async () => {
    const invoice = await opened();
    const session = await readSession(shop, invoice.checkoutSessionId);
    await bring(service, shop, session, 10_000);
    expect((await readInvoice(shop, invoice.id)).amountPaidCents).toBe(10_000);
    const { status, body } = await act(invoice.id, 'void');
    expect([status, body.status, body.amountDueCents]).toEqual([200, 'void', 0]);
    await runDue(service);
    expect((await readCustomer(shop, customerId)).accountCreditCents).toBe(10_000);
    const { body: exceptions } = await shop.call('GET', '/api/v2/exceptions?status=open');
    expect(exceptions.data).toMatchObject([{ amountCents: 10_000 }]);
    expect((await readInvoice(shop, invoice.id)).amountPaidCents).toBe(0);
    const page = await fetch(`${service.url}${new URL(invoice.checkoutUrl).pathname}`);
    expect(await page.text()).toContain('This payment was canceled');
    await bring(service, shop, session, 86_000);
    await runDue(service);
    expect((await readInvoice(shop, invoice.id)).status).toBe('void');
    await expectSound(service);
  });

  test('409 while a payment is on its way', async () => {
    const invoice = await opened();
    const session = await readSession(shop, invoice.checkoutSessionId);
    await bring(service, shop, session, 10_000, { isFinal: false });
    expect(await refusalOf(act(invoice.id, 'void'))).toEqual([
      409,
      'A payment for this invoice is in progress. Try again when it is final.',
    ]);
    expect((await readInvoice(shop, invoice.id)).status).toBe('open');
    await expectSound(service);
  });

  test('409 of a draft, and of an invoice that a checkout made', async () => {
    expect((await refusalOf(act((await draft()).id, 'void')))[1]).toContain('A draft cannot be voided');
    const session = await newSession(shop, projectId);
    expect((await refusalOf(act(session.invoiceId, 'void')))[1]).toContain('cancel the session instead');
    expect((await refusalOf(act(session.invoiceId, 'send')))[1]).toContain('made by hand');
    expect((await refusalOf(act(session.invoiceId, 'open')))[1]).toContain('cannot be opened');
  });
});

test('POST /invoices/{id}/send: ten minutes apart, also at the same time, and 20 times at most', async () => {
  service.db.queuesEmails = true;
  await shop.call('PATCH', `/api/v2/customers/${customerId}`, { email: 'ada@example.com' });
  const { id } = await opened();
  const answers = await Promise.all(Array.from({ length: 5 }, () => act(id, 'send')));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  const minutes = (count: number) =>
    service.clock.setOffsetMs(service.clock.now().getTime() - Date.now() + count * 60_000);
  minutes(8);
  expect((await refusalOf(act(id, 'send')))[1]).toMatch(
    /^It was sent less than 10 minutes ago\. It can be sent again in \d minutes?\.$/,
  );
  for (let times = 1; times < 20; times++) {
    minutes(11);
    expect((await act(id, 'send')).status).toBe(200);
  }
  minutes(11);
  expect(await refusalOf(act(id, 'send'))).toEqual([409, 'It was sent 20 times already, which is the most.']);
});

describe('at the same time', () => {
  test('ten openings give one number and one session', async () => {
    const { id } = await draft();
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(id, 'open')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await opened()).number).toBe('INV-000002');
    const keyed = await draft();
    const same = await Promise.all(
      Array.from({ length: 5 }, () => act(keyed.id, 'open', { 'idempotency-key': 'k' })),
    );
    expect(new Set(same.map(({ text }) => text)).size).toBe(1);
    await expectSound(service);
  });

  test('a change, a deletion and an opening leave one outcome', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await draft();
      const [patched, deleted, open] = await Promise.all([
        shop.call('PATCH', `/api/v2/invoices/${id}`, { lineItems: [{ name: 'Less', unitAmountCents: 5 }] }),
        shop.call('DELETE', `/api/v2/invoices/${id}`),
        act(id, 'open'),
      ]);
      expect([200, 404, 409]).toContain(patched.status);
      expect([deleted.status, open.status].sort()).toEqual(deleted.status === 204 ? [204, 404] : [200, 409]);
      if (open.status === 200) expect([5, 96_000]).toContain(open.body.totalCents);
    }
    await expectSound(service);
  });

  test('a void against money on its way: either it is void and the money unapplied, or it is paid', async () => {
    for (let round = 0; round < 5; round++) {
      const invoice = await opened();
      const session = await readSession(shop, invoice.checkoutSessionId);
      const [voided] = await Promise.all([act(invoice.id, 'void'), bring(service, shop, session, 96_000)]);
      const { status } = await readInvoice(shop, invoice.id);
      expect(status).toBe(voided.status === 200 ? 'void' : 'paid');
    }
    await expectSound(service);
  });

  test('a void against the rest of a part payment: void and without success, or paid', async () => {
    for (let round = 0; round < 5; round++) {
      const invoice = await opened();
      const session = await readSession(shop, invoice.checkoutSessionId);
      await bring(service, shop, session, 10_000);
      const [voided] = await Promise.all([act(invoice.id, 'void'), bring(service, shop, session, 86_000)]);
      const intent = await shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
      const ended = [(await readInvoice(shop, invoice.id)).status, intent.body.status];
      expect(ended).toEqual(voided.status === 200 ? ['void', 'underpaid'] : ['paid', 'succeeded']);
    }
    await runDue(service);
    await expectSound(service);
  });
});
