import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  bring,
  eventNames,
  expectSound,
  newCustomer,
  newProject,
  newSession,
  readInvoice,
  readSession,
} from '../../../test/support/billing.ts';
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

const HOURS = { name: 'Consulting', unitAmountCents: 12_000, quantity: 8 };
async function draft(fields: object = {}) {
  const body = { projectId, customerId, lineItems: [HOURS], ...fields };
  const answer = await shop.call('POST', '/api/v2/invoices', body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}
const act = (id: string, action: string, headers = {}, version = '/api/v2') =>
  shop.call('POST', `${version}/invoices/${id}/${action}`, undefined, headers);
async function opened(fields: object = {}) {
  const { status, body, text } = await act((await draft(fields)).id, 'open');
  expect([status, text]).toEqual([200, text]);
  return body;
}
const refusalOf = async (answer: Promise<{ status: number; body: { error: { message: string } } }>) => {
  const { status, body } = await answer;
  return [status, body.error.message];
};

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
    expect(await refusalOf(act(invoice.id, 'void'))).toEqual([
      409,
      'An invoice that is void cannot be voided.',
    ]);
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
});
