import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { advance, expectSound, newPrice, runDue } from '../../../test/support/billing.ts';
import { ALWAYS, balances, expectBooksAgree, readJournal } from '../../../test/support/journal.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { newPlace, pairedTill, type TestTill } from '../../../test/support/till.ts';
import { arrive } from '../../../test/support/transfers.ts';
import { pruneAbandonedSessions } from '../../payments/transfers/prune-abandoned-sessions.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';
import { tillInvariants } from './invariants.ts';

/** A till's sale is an order of its project, and one at a time is shown at its terminal. */

let service: TestService;
let shop: TestMerchant;
let till: TestTill;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Bean & Co');
  const place = await newPlace(shop);
  const seller = { legalName: 'Muster GmbH', country: 'DE' };
  await shop.call('PATCH', `/api/v2/projects/${place.projectId}`, { seller });
  const rate = { projectId: place.projectId, name: 'VAT', country: 'DE', percent: 19, isDefault: true };
  expect((await shop.call('POST', '/api/v2/tax-rates', rate)).status).toBe(201);
  till = await pairedTill(service, shop, { ...place, tipPercents: [10] });
});

async function sell(body: object) {
  const answer = await till.call('POST', '/sales', body);
  expect([answer.status, answer.status === 201 || answer.text]).toEqual([201, true]);
  return answer.body;
}
const read = async (id: string) => (await till.call('GET', `/sales/${id}`)).body;
const orderOf = async (id: string) =>
  (await shop.call('GET', `/api/v2/checkout-sessions?paymentIntentId=${id}`)).body.data[0];
const ofProject = async () => balances(await readJournal(shop, `${ALWAYS}&projectId=${till.projectId}`));

async function pay(id: string, cents: number, more: { isFinal?: boolean } = {}): Promise<void> {
  const { body } = await shop.call('GET', `/api/merchants/intents/${id}`);
  const baseUnits = centsToBaseUnits(BigInt(cents));
  await arrive(service, shop.id, { references: [body.referenceAddress], baseUnits, ...more });
}

test('what a till sells is in its project’s books: sales, tips and tax, revenue, top products, an invoice', async () => {
  const price = await newPrice(shop, till.projectId, { unitAmountCents: 1_190, taxBehavior: 'inclusive' });
  const added = await newPrice(shop, till.projectId, { unitAmountCents: 1_000, taxBehavior: 'exclusive' });
  const items = [price, added].map(({ id: priceId }) => ({ priceId, quantity: 2 }));
  const sale = await sell({ items, amountCents: 238, tipPercent: 10 });
  expect(sale).toMatchObject({ goodsCents: 4_998, tipCents: 500, expectedCents: 5_498 });
  expect(await orderOf(sale.id)).toMatchObject({ status: 'open', projectId: till.projectId });
  await pay(sale.id, 5_498);
  expect(await ofProject()).toEqual({
    ...{ 'USDC wallet': 5_498, 'Customer deposits': 0, Sales: -4_200, Tips: -500, 'Tax payable': -798 },
  });
  await expectBooksAgree(service.db, shop);
  const { invoiceId } = await orderOf(sale.id);
  const { body: invoice } = await shop.call('GET', `/api/v2/invoices/${invoiceId}`);
  expect(invoice).toMatchObject({ status: 'paid', taxCents: 798, customerId: null });
  const { body: report } = await shop.call('GET', `/api/v2/tax-report?${ALWAYS}&projectId=${till.projectId}`);
  const [row] = report.rows;
  expect(row).toMatchObject({ country: 'DE', percent: 19, netCents: 4_200, taxCents: 798 });
  const { body: revenue } = await shop.call('GET', `/api/v2/billing/revenue?projectId=${till.projectId}`);
  expect(revenue.current).toMatchObject({ grossCents: 5_498 });
  expect(revenue.topProducts.map(({ productId }: { productId: string }) => productId).sort()).toEqual(
    [price.productId, added.productId].sort(),
  );
  await expectSound(service);
});

test('doctor names a paid sale whose order or invoice is not paid', async () => {
  const sale = await sell({ amountCents: 900 });
  await pay(sale.id, 900);
  const { violations } = tillInvariants.find(({ name }) => name === 'till-sales-are-orders')!;
  expect(await service.db.query(violations)).toEqual([]);
  const { invoiceId } = await orderOf(sale.id);
  const rollback = new Error('nothing of it stays');
  const broken = service.db.transaction(async (tx) => {
    await tx.query(`update invoices set status = 'open', paid_at = null where id = $1`, [invoiceId]);
    expect(await tx.query(violations)).toEqual([{ intentId: sale.id }]);
    throw rollback;
  });
  await expect(broken).rejects.toBe(rollback);
});

test('a customer who leaves out the tip has paid', async () => {
  const sale = await sell({ amountCents: 1_000, tipPercent: 10 });
  await pay(sale.id, 1_050);
  expect(await read(sale.id)).toMatchObject({ stage: 'paid', tipCents: 50, expectedCents: 1_050 });
  await expectSound(service);
});

test('a cent does not close the counter: the next sale takes its place, and the rest still completes it', async () => {
  const short = await sell({ amountCents: 5_000 });
  await pay(short.id, 1);
  const next = await sell({ amountCents: 300 });
  expect((await read(short.id)).stage).toBe('underpaid');
  await pay(next.id, 300);
  expect((await read(next.id)).stage).toBe('paid');
  await pay(short.id, 4_999);
  expect((await read(short.id)).stage).toBe('paid');
  const late = await sell({ amountCents: 700 });
  await pay(late.id, 100);
  const { body: terminals } = await shop.call('GET', '/api/b2b/merchants/terminals');
  expect(terminals).toHaveLength(1);
  const intent = { amountCents: 5, orderId: randomUUID(), terminalId: till.terminalId };
  expect((await shop.call('POST', '/api/merchants/intents', intent)).status).toBe(409);
  await pay(late.id, 600, { isFinal: false });
  const busy = await till.call('POST', '/sales', { amountCents: 100 });
  expect([busy.status, busy.body.error.code]).toEqual([409, 'TERMINAL_BUSY']);
  await pay(late.id, 600);
  await expectSound(service);
});

test('what a program shows at the terminal leaves an unpaid sale payable; switching the terminal off ends it', async () => {
  const sale = await sell({ amountCents: 400 });
  const intent = { amountCents: 5, orderId: randomUUID(), terminalId: till.terminalId };
  expect((await shop.call('POST', '/api/merchants/intents', intent)).status).toBe(200);
  expect((await read(sale.id)).stage).toBe('waiting');
  await pay(sale.id, 400);
  expect((await read(sale.id)).stage).toBe('paid');
  const shown = await sell({ amountCents: 500 });
  const path = `/api/b2b/merchants/terminals/${till.terminalId}`;
  expect((await shop.call('PATCH', path, { isActive: false })).status).toBe(200);
  expect((await read(shown.id)).stage).toBe('canceled');
  expect((await orderOf(shown.id)).status).toBe('canceled');
  await shop.call('PATCH', path, { isActive: true });
  await expectSound(service);
});

test('a refund that has been approved cannot be requested again, and is in the project’s books', async () => {
  const sale = await sell({ amountCents: 400 });
  await pay(sale.id, 400);
  const ask = () => till.call('POST', `/sales/${sale.id}/refund-request`, {});
  expect((await ask()).status).toBe(201);
  const requests = '/api/b2b/merchants/refund-requests';
  const { body: page } = await shop.call('GET', `${requests}?status=open`);
  const approved = await shop.call('POST', `${requests}/${page.data[0].id}/approve`);
  const again = await ask();
  expect([again.status, again.body.error.message]).toEqual([409, 'Nothing is left to refund.']);
  expect((await read(sale.id)).refundRequest).toBe('approved');
  const { body: refund } = await shop.call('GET', `/api/v2/refunds/${approved.body.refundId}`);
  expect(refund.projectId).toBe(till.projectId);
});

test('money for a sale that was canceled is shown; and so is a refund that was canceled after it was approved', async () => {
  const sale = await sell({ amountCents: 900 });
  await till.call('POST', `/sales/${sale.id}/cancel`, {});
  await pay(sale.id, 900);
  expect(await read(sale.id)).toMatchObject({ stage: 'canceled', receivedCents: 0, strayCents: 900 });
  const paid = await sell({ amountCents: 100 });
  await pay(paid.id, 100);
  await till.call('POST', `/sales/${paid.id}/refund-request`, {});
  const requests = '/api/b2b/merchants/refund-requests';
  const { body: page } = await shop.call('GET', `${requests}?status=open`);
  const { body: request } = await shop.call('POST', `${requests}/${page.data[0].id}/approve`);
  await shop.call('POST', `/api/v2/refunds/${request.refundId}/cancel`);
  expect((await read(paid.id)).refundRequest).toBe('canceled');
  expect((await till.call('POST', `/sales/${paid.id}/refund-request`, {})).status).toBe(201);
});

test('a sale that nobody paid is forgotten with its order, unless the terminal shows it', async () => {
  const before = (await till.call('GET', '/sales')).body.length;
  const old = await sell({ amountCents: 900 });
  const shown = await sell({ amountCents: 901 });
  await advance(service, 32);
  await runDue(service);
  await pruneAbandonedSessions(service.db, service.clock.now());
  expect([(await till.call('GET', `/sales/${old.id}`)).status, (await read(shown.id)).stage]).toEqual([
    404,
    'over',
  ]);
  expect((await till.call('GET', '/sales')).body.length).toBeLessThan(before + 2);
  await expectSound(service);
});
