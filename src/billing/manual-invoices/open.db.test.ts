import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  bring,
  eventNames,
  expectSound,
  listEvents,
  newCustomer,
  newPrice,
  newProject,
  readInvoice,
  readSession,
} from '../../../test/support/billing.ts';
import { HOURS, newDraft, newOpenInvoice, refusalOf } from '../../../test/support/manual-invoices.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';

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
const act = (id: string, action: string, headers = {}) =>
  shop.call('POST', `/api/v2/invoices/${id}/${action}`, undefined, headers);

describe('POST /api/v2/invoices/{id}/open', () => {
  test('200 with a number, a due date and a place to pay; one event each', async () => {
    const { id, createdAt } = await draft({
      netDays: 14,
      memo: 'Thanks',
      merchantReference: 'PO 7',
      metadata: { a: 'b' },
    });
    const { status, body } = await act(id, 'open');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{
        id,
        number: 'INV-000001',
        status: 'open',
        billingReason: 'manual',
        draft: null,
        memo: 'Thanks',
        createdAt,
      },
      ...{
        totalCents: 96_000,
        amountDueCents: 96_000,
        isOverdue: false,
        merchantReference: 'PO 7',
        metadata: { a: 'b' },
      },
    });
    expect(new Date(body.dueAt).getTime() - new Date(body.openedAt).getTime()).toBe(14 * DAY_MS);
    const session = await readSession(shop, body.checkoutSessionId);
    expect(session).toMatchObject({
      ...{
        invoiceId: id,
        mode: 'one_time',
        amountCents: 96_000,
        customerId,
        status: 'open',
        metadata: { a: 'b' },
      },
      checkoutUrl: body.checkoutUrl,
    });
    expect(new Date(session.expiresAt).getTime()).toBe(new Date(body.dueAt).getTime() + 1095 * DAY_MS);
    expect(await eventNames(service, shop.id)).toEqual([
      ...['customer.created', 'invoice.created', 'checkout.session.created'],
    ]);
    const created = (await listEvents(service, shop.id))[1];
    expect(created!.body.data).toMatchObject({
      status: 'open',
      previousStatus: null,
      invoice: { id, draft: null },
    });
    expect(await refusalOf(act(id, 'open'))).toEqual([409, 'An open invoice cannot be opened.']);
    await expectSound(service);
  });
});

test('it is paid on its page’s intent, and the receipt of it is the invoice', async () => {
  const invoice = await opened({ memo: 'First line\nSecond line' });
  const session = await readSession(shop, invoice.checkoutSessionId);
  await bring(service, shop, session, 40_000);
  expect(await readInvoice(shop, invoice.id)).toMatchObject({
    status: 'open',
    amountPaidCents: 40_000,
    amountDueCents: 56_000,
  });
  await bring(service, shop, session, 56_000);
  const paid = await readInvoice(shop, invoice.id);
  expect(paid).toMatchObject({ status: 'paid', amountPaidCents: 96_000, amountDueCents: 0 });
  expect(await eventNames(service, shop.id, session.id)).toEqual([
    ...['invoice.created', 'checkout.session.created'],
    ...['payment_intent.underpaid', 'invoice.underpaid', 'checkout.session.updated'],
    ...['payment_intent.succeeded', 'invoice.paid', 'checkout.session.completed'],
  ]);
  for (const action of ['open', 'void', 'send'])
    expect((await refusalOf(act(invoice.id, action)))[0]).toBe(409);
  await expectSound(service);
});

test('the PDF has number, due date, note and link; of a draft it says so', async () => {
  const text = async (id: string) => {
    const url = `${service.url}/api/v2/invoices/${id}/pdf`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${shop.key}` } });
    return (await readPdf(new Uint8Array(await response.arrayBuffer()))).join('\n');
  };
  const plan = await draft({
    memo: 'First line\n\nSecond line',
    dueAt: new Date(service.clock.now().getTime() + DAY_MS),
  });
  expect(await text(plan.id)).toContain('DRAFT');
  expect(await text(plan.id)).toContain('Not issued yet: nothing is due.');
  const { body } = await act(plan.id, 'open');
  const printed = await text(plan.id);
  for (const words of [
    'INV-000001',
    'OPEN',
    'Date due',
    'Note',
    'First line',
    'Second line',
    'Pay online',
    body.checkoutUrl,
  ])
    expect(printed).toContain(words);
  await act(plan.id, 'void');
  expect(await text(plan.id)).not.toContain('Pay online');
});

test('it is taxed and discounted as a checkout is, by what holds when it is opened', async () => {
  const taxed = (
    await newProject(shop, {
      seller: { legalName: 'Muster GmbH', country: 'DE', address: { line1: 'Weg 1' } },
    })
  ).id;
  const buyer = await newCustomer(shop, taxed, { country: 'DE' });
  const rate = (
    await shop.call('POST', '/api/v2/tax-rates', {
      projectId: taxed,
      name: 'VAT',
      country: 'DE',
      percent: 19,
      isDefault: true,
    })
  ).body;
  const discount = (
    await shop.call('POST', '/api/v2/discounts', {
      projectId: taxed,
      name: 'Tenth',
      percentOff: 10,
      maxRedemptions: 1,
    })
  ).body;
  const lineItems = [{ name: 'Work', unitAmountCents: 10_000, taxBehavior: 'exclusive', taxRateId: rate.id }];
  const fields = { projectId: taxed, customerId: buyer.id, lineItems, discountId: discount.id };
  const [first, second] = [await draft(fields), await draft(fields)];
  expect(first).toMatchObject({
    discountCents: 1_000,
    taxCents: 1_710,
    totalCents: 10_710,
    taxes: [{ percent: 19 }],
  });
  const { body } = await act(first.id, 'open');
  expect(body).toMatchObject({
    totalCents: 10_710,
    discount: { id: discount.id },
    seller: { legalName: 'Muster GmbH' },
    buyer: { country: 'DE' },
  });
  expect((await act(second.id, 'open')).status).toBe(409);
  await act(first.id, 'void');
  await shop.call('PATCH', `/api/v2/tax-rates/${rate.id}`, { isDefault: false, isActive: false });
  expect((await refusalOf(act(second.id, 'open')))[1]).toContain(
    'This draft has to be changed before it can be opened: lineItems.0.taxRateId is archived.',
  );
  await shop.call('PATCH', `/api/v2/invoices/${second.id}`, { lineItems: [HOURS] });
  expect((await act(second.id, 'open')).body).toMatchObject({ number: 'INV-000002', totalCents: 86_400 });
  await expectSound(service);
});

test('one that costs nothing is paid when it is opened', async () => {
  const discount = (await shop.call('POST', '/api/v2/discounts', { projectId, name: 'All', percentOff: 100 }))
    .body;
  expect(await opened({ discountId: discount.id })).toMatchObject({
    status: 'paid',
    totalCents: 0,
    number: 'INV-000001',
  });
  await expectSound(service);
});

describe('409', () => {
  test('and no gap in the numbers where opening fails', async () => {
    const price = await newPrice(shop, projectId);
    const { id } = await draft({ lineItems: [{ priceId: price.id }] });
    await shop.call('PATCH', `/api/v2/prices/${price.id}`, { isActive: false });
    expect(await refusalOf(act(id, 'open'))).toEqual([
      409,
      'This draft has to be changed before it can be opened: lineItems.0.priceId is no longer sold.',
    ]);
    expect((await readInvoice(shop, id)).status).toBe('draft');
    await shop.call('PATCH', `/api/v2/projects/${projectId}`, { monthlyVolumeLimitCents: 1 });
    expect((await act((await draft()).id, 'open')).body.error.code).toBe('PROJECT_VOLUME_LIMIT_EXCEEDED');
    await shop.call('PATCH', `/api/v2/projects/${projectId}`, { monthlyVolumeLimitCents: null });
    expect((await opened()).number).toBe('INV-000001');
    expect((await opened()).number).toBe('INV-000002');
    await expectSound(service);
  });

  test('for a due date that has passed meanwhile', async () => {
    const { id } = await draft({ dueAt: new Date(service.clock.now().getTime() + DAY_MS) });
    await service.db.query(`update invoices set due_at = '2020-01-01' where id = $1`, [id]);
    expect(await refusalOf(act(id, 'open'))).toEqual([409, 'Its due date has passed. Set a new one first.']);
  });

  test('without a payout address, and in an archived project', async () => {
    shop = await service.createMerchant('Nowhere', null);
    projectId = (await newProject(shop)).id;
    customerId = (await newCustomer(shop, projectId)).id;
    const { id } = await draft();
    expect(await refusalOf(act(id, 'open'))).toEqual([
      409,
      'Set a payout address before you request payments.',
    ]);
    await shop.call('DELETE', `/api/v2/projects/${projectId}`);
    expect((await act(id, 'open')).status).toBe(409);
    expect((await shop.call('DELETE', `/api/v2/invoices/${id}`)).status).toBe(204);
  });
});
