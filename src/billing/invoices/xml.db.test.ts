import { beforeAll, describe, expect, test } from 'vitest';
import { newCustomer, newProject, newSession, readInvoice } from '../../../test/support/billing.ts';
import { objectionsToCii, objectionsToUbl, pick, readXml } from '../../../test/support/e-invoice.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;
let invoiceId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  const taxIds = [{ type: 'eu_vat', value: 'DE136695976' }];
  projectId = (await newProject(shop, { seller: { legalName: 'Muster GmbH', country: 'DE', taxIds } })).id;
  await newCustomer(shop, projectId, { externalCustomerId: 'ada', name: 'Ada <& Co.>', country: 'DE' });
  const rate = { projectId, name: 'VAT', country: 'DE', percent: 19, isDefault: true };
  await shop.call('POST', '/api/v2/tax-rates', rate);
  invoiceId = await buy({ externalCustomerId: 'ada' });
});

async function buy(fields: object): Promise<string> {
  const item = { name: 'Cup', unitAmountCents: 1_250, quantity: 2, taxBehavior: 'exclusive' };
  return (await newSession(shop, projectId, { amountCents: undefined, lineItems: [item], ...fields }))
    .invoiceId;
}

async function xmlOf(id: string, query = '', { key = shop.key } = {}) {
  const url = `${service.url}/api/v2/invoices/${id}/xml${query}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('/api/v2/invoices/{invoiceId}/xml', () => {
  test('200 with UBL unless CII is wanted, with the sums of the invoice', async () => {
    const { number, totalCents } = await readInvoice(shop, invoiceId);
    const ubl = await xmlOf(invoiceId, '');
    expect([ubl.status, ubl.headers.get('content-type'), ubl.headers.get('content-disposition')]).toEqual([
      200,
      'application/xml; charset=utf-8',
      `attachment; filename="${number}.xml"`,
    ]);
    expect(objectionsToUbl(ubl.text)).toEqual([]);
    const read = readXml(ubl.text);
    expect(pick(read, 'cac:LegalMonetaryTotal', 'cbc:PayableAmount')[0]!.text).toBe(
      (totalCents / 100).toFixed(2),
    );
    const name = ['cac:AccountingCustomerParty', 'cac:Party', 'cac:PartyLegalEntity', 'cbc:RegistrationName'];
    expect(pick(read, ...name)[0]!.text).toBe('Ada <& Co.>');
    expect((await xmlOf(invoiceId, '?format=ubl')).text).toBe(ubl.text);
    const cii = await xmlOf(invoiceId, '?format=cii');
    expect([objectionsToCii(cii.text), readXml(cii.text).name]).toEqual([[], 'rsm:CrossIndustryInvoice']);
  });

  test('400 for another format, 404 for what is not theirs, 401 without a key', async () => {
    expect((await xmlOf(invoiceId, '?format=pdf')).status).toBe(400);
    const other = await service.createMerchant();
    expect((await xmlOf(invoiceId, '', { key: other.key })).status).toBe(404);
    expect((await xmlOf(projectId, '')).status).toBe(404);
    expect((await fetch(`${service.url}/api/v2/invoices/${invoiceId}/xml`)).status).toBe(401);
  });
});

test('409 names what is missing, and what cannot be', async () => {
  const refusal = async (id: string) => {
    const { status, text } = await xmlOf(id);
    return [status, JSON.parse(text).error.code, JSON.parse(text).error.message];
  };
  const unknown = await buy({ externalCustomerId: 'unknown' });
  expect(await refusal(unknown)).toEqual([
    409,
    'INVALID_STATE',
    expect.stringContaining('buyer.name, buyer.country'),
  ]);
  const plain = await newProject(shop, {});
  const { invoiceId: untaxed } = await newSession(shop, plain.id, { externalCustomerId: 'x' });
  expect(await refusal(untaxed)).toEqual([409, 'INVALID_STATE', expect.stringContaining('without seller')]);
});
