import { beforeAll, expect, test } from 'vitest';
import { newProject, readInvoice } from '../../../test/support/billing.ts';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import { expectSameRows } from '../../../test/support/csv.ts';
import { paidSession, refunded } from '../../../test/support/refund-journey.ts';
import { addCalendarDays, dateAt, startOfDate } from '../../platform/lib/local-days.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Answer = any;

let t: TestChain;
let projectId: string;
const invoices: Answer[] = [];
const notes: Answer[] = [];

beforeAll(async () => {
  t = await testChain();
  const taxIds = [{ type: 'eu_vat', value: 'DE136695976' }];
  projectId = (await newProject(t.shop, { seller: { legalName: 'Muster GmbH', country: 'DE', taxIds } })).id;
  const rate = { projectId, name: 'VAT', country: 'DE' };
  await t.shop.call('POST', '/api/v2/tax-rates', { ...rate, percent: 19, isDefault: true });
  const low = (await t.shop.call('POST', '/api/v2/tax-rates', { ...rate, percent: 7 })).body;
  for (const [one, other] of [
    [999, 501],
    [1_234, 777],
    [3, 1],
  ] as const) {
    const lineItems = [
      { ...item(one), taxBehavior: 'exclusive' },
      { ...item(other), taxBehavior: 'inclusive', taxRateId: low.id },
      { ...item(333), taxBehavior: 'none' },
    ];
    const session = await paidSession(t, projectId, { amountCents: undefined, lineItems });
    invoices.push(await readInvoice(t.shop, session.invoiceId));
  }
  const [{ id: invoiceId }] = invoices;
  for (const amountCents of [100, 701]) {
    const { creditNoteId } = await refunded(t, { invoiceId, amountCents });
    notes.push((await t.shop.call('GET', `/api/v2/credit-notes/${creditNoteId}`)).body);
  }
});

const item = (unitAmountCents: number) => ({ name: 'Cup', unitAmountCents, quantity: 1 });
const ALL = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
const report = (query: Record<string, string> = {}, headers = {}, shop = t.shop) =>
  shop.call(
    'GET',
    `/api/v2/tax-report?${new URLSearchParams({ projectId, ...ALL, ...query })}`,
    undefined,
    headers,
  );
const sumOf = (rows: Answer[], field: string) => rows.reduce((sum, row) => sum + row[field], 0);

test('200 with each rate: what invoices took, minus what credit notes gave back', async () => {
  const { status, body } = await report();
  expect([status, body]).toMatchObject([200, { projectId, currency: 'USD' }]);
  expect(body.rows.map((row: Answer) => [row.country, row.category, row.percent])).toEqual([
    ['DE', 'S', 7],
    ['DE', 'S', 19],
    [null, null, null],
  ]);
  for (const row of body.rows.slice(0, 2)) {
    const ofRate = (documents: Answer[]) =>
      documents.flatMap(({ taxes }) => taxes).filter(({ percent }) => percent === row.percent);
    expect(row).toMatchObject({
      invoicesCount: 3,
      invoicedNetCents: sumOf(ofRate(invoices), 'taxableCents'),
      invoicedTaxCents: sumOf(ofRate(invoices), 'taxCents'),
      creditNotesCount: 2,
      creditedNetCents: sumOf(ofRate(notes), 'taxableCents'),
      creditedTaxCents: sumOf(ofRate(notes), 'taxCents'),
    });
    expect(row.netCents).toBe(row.invoicedNetCents - row.creditedNetCents);
    expect(row.grossCents).toBe(row.netCents + row.taxCents);
  }
  expect(body.rows[2]).toMatchObject({ invoicesCount: 3, invoicedNetCents: 999, taxCents: 0 });
  expect(sumOf(body.rows, 'grossCents')).toBe(sumOf(invoices, 'totalCents') - sumOf(notes, 'amountCents'));
  expect(sumOf(body.rows, 'taxCents')).toBe(sumOf(invoices, 'taxCents') - sumOf(notes, 'taxCents'));
});

test('invoices count when they were paid, credit notes when they were written; the end is not in it', async () => {
  const last = notes[1].createdAt;
  const { rows: before } = (await report({ to: last })).body;
  expect(before.map((row: Answer) => row.creditNotesCount)).toEqual([1, 1, 1]);
  const after = new Date(Date.parse(last) + 1).toISOString();
  const { rows } = (await report({ from: last, to: after })).body;
  expect(rows.map((row: Answer) => [row.invoicesCount, row.creditNotesCount])).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  expect(sumOf(rows, 'grossCents')).toBe(-notes[1].amountCents);
  expect((await report({ from: '2030-01-01T00:00:00Z' })).body.rows).toEqual([]);
});

test('a date means that day in the merchant’s time zone', async () => {
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    expect((await t.shop.call('PATCH', '/api/b2b/merchants/me', { timeZone })).status).toBe(200);
    const day = dateAt(new Date(notes[1].createdAt), timeZone);
    const { body } = await report({ from: day, to: day });
    expect([body.from, body.to]).toEqual([
      startOfDate(day, timeZone).toISOString(),
      startOfDate(addCalendarDays(day, 1), timeZone).toISOString(),
    ]);
    expect(body.rows[0].creditNotesCount).toBe(2);
    expect((await report({ from: addCalendarDays(day, 1) })).body.rows).toEqual([]);
  }
  await t.shop.call('PATCH', '/api/b2b/merchants/me', { timeZone: 'UTC' });
});

test('200 as CSV with the same rows', async () => {
  const csv = await report({}, { accept: 'text/csv' });
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expectSameRows(csv.text, (await report()).body.rows);
});

test('400 for a period that ends before it begins or is not one, 404 for another merchant’s project', async () => {
  expect((await report({ to: ALL.from })).body.error.message).toContain('to must be later than from');
  expect((await report({ from: 'yesterday' })).status).toBe(400);
  expect((await t.shop.call('GET', `/api/v2/tax-report?projectId=${projectId}`)).status).toBe(400);
  const other = await t.service.createMerchant('Other');
  expect((await report({}, {}, other)).status).toBe(404);
});

test('a project without tax has an empty report', async () => {
  const plain = await newProject(t.shop, {});
  await paidSession(t, plain.id, {});
  expect((await report({ projectId: plain.id })).body.rows).toEqual([]);
});
