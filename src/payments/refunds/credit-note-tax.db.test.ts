import { beforeAll, describe, expect, test } from 'vitest';
import { expectSound, newCustomer, newProject, readInvoice } from '../../../test/support/billing.ts';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import { objectionsToCii, objectionsToUbl, pick, readXml } from '../../../test/support/e-invoice.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { newRefund, paidSession, refunded } from '../../../test/support/refund-journey.ts';
import { createWallet } from '../../../test/support/wallet.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Answer = any;

let t: TestChain;
let projectId: string;

const SELLER = {
  legalName: 'Muster GmbH',
  country: 'DE',
  taxIds: [{ type: 'eu_vat', value: 'DE136695976' }],
};

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop, { seller: SELLER })).id;
  const rate = { projectId, name: 'VAT', country: 'DE' };
  for (const fields of [{ percent: 19, isDefault: true }, { percent: 7 }]) {
    const { status } = await t.shop.call('POST', '/api/v2/tax-rates', { ...rate, ...fields });
    expect(status).toBe(201);
  }
  await newCustomer(t.shop, projectId, { externalCustomerId: 'ada', name: 'Ada', country: 'DE' });
});

const rateOf = async (percent: number) =>
  (await t.shop.call('GET', `/api/v2/tax-rates?projectId=${projectId}`)).body.data.find(
    (rate: Answer) => rate.percent === percent,
  );
const noteOf = async (refund: Answer) =>
  (await t.shop.call('GET', `/api/v2/credit-notes/${refund.creditNoteId}`)).body;
const xmlOf = async (id: string, query = '') => {
  const url = `${t.service.url}/api/v2/credit-notes/${id}/xml${query}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${t.shop.key}` } });
  const { status, headers } = response;
  const [type, name] = ['content-type', 'content-disposition'].map((each) => headers.get(each));
  return { status, type, name, text: await response.text() };
};
const item = (unitAmountCents: number, fields: object = {}) => ({
  ...{ name: 'Cup', unitAmountCents, quantity: 1, taxBehavior: 'exclusive' },
  ...fields,
});
const buy = (lineItems: object[], cents?: number) =>
  paidSession(t, projectId, { amountCents: undefined, lineItems, ...ADA }, cents);
const ADA = { externalCustomerId: 'ada', customerName: 'Ada' };
const sumOf = (notes: Answer[], field: string) => notes.reduce((sum, note) => sum + note[field], 0);

describe('an invoice at two rates and with something untaxed', () => {
  let invoice: Answer;
  const notes: Answer[] = [];

  beforeAll(async () => {
    const low = await rateOf(7);
    const session = await buy([
      item(999),
      item(501, { taxRateId: low.id, taxBehavior: 'inclusive' }),
      item(333, { taxBehavior: 'none' }),
    ]);
    invoice = await readInvoice(t.shop, session.invoiceId);
    for (const amountCents of [1, 700, 33, undefined])
      notes.push(await noteOf(await refunded(t, { invoiceId: invoice.id, amountCents })));
  });

  test('every credit note has its share of each rate, and all of them are the invoice', () => {
    expect(notes[1]).toMatchObject({
      ...{ amountCents: 700, currency: 'USD', taxNotes: [] },
      seller: { legalName: 'Muster GmbH', taxIds: [{ value: 'DE136695976' }] },
      buyer: { name: 'Ada' },
      taxes: [
        { percent: 7, behavior: 'inclusive', category: 'S', country: 'DE' },
        { percent: 19, behavior: 'exclusive' },
      ],
    });
    expect(sumOf(notes, 'amountCents')).toBe(invoice.totalCents);
    expect(sumOf(notes, 'taxCents')).toBe(invoice.taxCents);
    for (const total of invoice.taxes) {
      const own = notes.flatMap(({ taxes }) => taxes).filter(({ percent }) => percent === total.percent);
      expect([sumOf(own, 'taxableCents'), sumOf(own, 'taxCents')]).toEqual([
        total.taxableCents,
        total.taxCents,
      ]);
    }
    for (const note of notes) expect(sumOf(note.taxes, 'taxCents')).toBe(note.taxCents);
  });

  test('its PDF says who sold to whom, and which tax the amount contains', async () => {
    const url = `${t.service.url}/api/v2/credit-notes/${notes[1].id}/pdf`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${t.shop.key}` } });
    const text = (await readPdf(new Uint8Array(await response.arrayBuffer()))).join('\n').split('\n');
    const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
    for (const { percent, taxableCents, taxCents } of notes[1].taxes)
      expect(text).toContain(`incl. VAT ${percent}% on ${dollars(taxableCents)} ${dollars(taxCents)}`);
    for (const line of ['Muster GmbH', 'VAT ID DE136695976', 'Ada', 'Total refunded $7.00'])
      expect(text).toContain(line);
  });

  test('200 with XML that says the same, in both formats', async () => {
    const note = notes[1];
    const { number } = await readInvoice(t.shop, invoice.id);
    const ubl = await xmlOf(note.id);
    expect([ubl.status, ubl.type, ubl.name]).toEqual([
      200,
      'application/xml; charset=utf-8',
      `attachment; filename="${note.number}.xml"`,
    ]);
    expect(objectionsToUbl(ubl.text)).toEqual([]);
    const read = readXml(ubl.text);
    expect([read.name, pick(read, 'cbc:ID')[0]!.text]).toEqual(['CreditNote', note.number]);
    expect(pick(read, 'cac:TaxTotal', 'cbc:TaxAmount')[0]!.text).toBe((note.taxCents / 100).toFixed(2));
    expect(pick(read, 'cac:LegalMonetaryTotal', 'cbc:TaxInclusiveAmount')[0]!.text).toBe('7.00');
    const corrected = pick(read, 'cac:BillingReference', 'cac:InvoiceDocumentReference', 'cbc:ID');
    expect(corrected.map(({ text }) => text)).toEqual([number]);
    const cii = await xmlOf(note.id, '?format=cii');
    expect(objectionsToCii(cii.text)).toEqual([]);
    expect(pick(readXml(cii.text), 'rsm:ExchangedDocument', 'ram:TypeCode')[0]!.text).toBe('381');
  });

  test('the list as CSV has the tax', async () => {
    const { text } = await t.shop.call('GET', '/api/v2/credit-notes', undefined, { accept: 'text/csv' });
    expect(text.split('\r\n')[0]).toContain('taxCents');
  });
});

test('an overpayment that goes back takes no tax with it, whichever way it is requested', async () => {
  const session = await buy([item(1_000)], 1_400);
  const { body } = await t.shop.call('GET', '/api/v2/exceptions');
  const [{ id: exceptionId }] = body.data;
  const beyond = await noteOf(await refunded(t, { exceptionId, amountCents: 100 }));
  expect(beyond).toMatchObject({ amountCents: 100, taxes: [], taxCents: 0, seller: null });
  const rest = await refunded(t, { invoiceId: session.invoiceId, reason: 'overpaid', amountCents: 160 });
  // 210 cents were too much: 100 went back before, so 50 of these are the invoice's.
  expect(await noteOf(rest)).toMatchObject({
    ...{ amountCents: 160, taxCents: 8 },
    taxes: [{ taxableCents: 42, taxCents: 8 }],
  });
});

test('money that went back before the invoice was paid takes no tax with it', async () => {
  const session = await buy([item(1_000)], 500);
  const refund = await refunded(t, { invoiceId: session.invoiceId });
  expect(await noteOf(refund)).toMatchObject({ amountCents: 500, taxes: [], taxCents: 0, seller: null });
  const { status, text } = await xmlOf(refund.creditNoteId);
  expect([status, text]).toEqual([409, expect.stringContaining('corrects no invoice')]);
});

test('two refunds that are proven at once share the tax exactly', async () => {
  const session = await buy([item(1_001)]);
  const { address } = await createWallet(t.chain);
  const { totalCents, taxCents } = await readInvoice(t.shop, session.invoiceId);
  const one = await newRefund(t, { invoiceId: session.invoiceId, amountCents: 600, address });
  const other = await newRefund(t, { invoiceId: session.invoiceId, address });
  for (const { id } of [one, other]) {
    const sent = await t.shop.call('POST', `/api/v2/sandbox/refunds/${id}/pay`, {});
    expect(sent.status).toBe(202);
  }
  await t.finalize();
  const { body } = await t.shop.call('GET', `/api/v2/credit-notes?invoiceId=${session.invoiceId}`);
  expect([sumOf(body.data, 'amountCents'), sumOf(body.data, 'taxCents')]).toEqual([totalCents, taxCents]);
});

test('all the books agree', () => expectSound(t.service));
