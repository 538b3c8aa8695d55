import { beforeAll, expect, test } from 'vitest';
import {
  moveTo,
  newCustomer,
  newPlan,
  newProject,
  paySession,
  readSubscription,
  sessionOfInvoice,
  subscribe,
} from '../../../test/support/billing.ts';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import { csvRows } from '../../../test/support/csv.ts';
import { balances, readJournal } from '../../../test/support/journal.ts';
import { newIntent, payIntent } from '../../../test/support/payments.ts';
import { paidSession, refunded } from '../../../test/support/refund-journey.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Answer = any;

let t: TestChain;
let plainId: string;
let taxedId: string;
let owed: Answer[];
let subscription: Answer;
let month: string;

/** A day of the next month at noon. */
function nextMonth(day: number): Date {
  const now = t.service.clock.now();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, day, 12));
}

const post = async (path: string, body: object = {}) => {
  const answer = await t.shop.call('POST', path, body);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.body;
};

beforeAll(async () => {
  t = await testChain();
  await t.shop.call('PATCH', '/api/b2b/merchants/me', { timeZone: 'Asia/Kathmandu' });
  await moveTo(t, nextMonth(10));
  month = t.service.clock.now().toISOString().slice(0, 7);
  plainId = (await newProject(t.shop, { name: 'Plain' })).id;
  taxedId = (await newProject(t.shop, { seller: { legalName: 'Muster GmbH', country: 'DE' } })).id;
  const rate = { projectId: taxedId, name: 'VAT', country: 'DE', percent: 19, isDefault: true };
  await t.shop.call('POST', '/api/v2/tax-rates', rate);
  const ada = await newCustomer(t.shop, plainId, { externalCustomerId: 'ada', name: '=Ada' });
  const lineItems = [{ name: 'Cup', unitAmountCents: 1_001, quantity: 1, taxBehavior: 'exclusive' }];
  const { invoiceId } = await paidSession(t, taxedId, { amountCents: undefined, lineItems });
  await refunded(t, { invoiceId, amountCents: 333 });
  await paidSession(t, plainId, { amountCents: 500, externalCustomerId: 'ada' }, 700);
  const intent = await newIntent(t.shop, 321);
  await payIntent(t, intent, { amountBaseUnits: 3_210_000n });
  await t.finalize();
  const plan = await newPlan(t.shop, plainId);
  subscription = await subscribe(t, plainId, plan.id, 'bo');
  const draft = { projectId: plainId, customerId: ada.id, netDays: 60 };
  owed = [];
  for (const unitAmountCents of [900, 77]) {
    const lines = [{ name: 'Work', unitAmountCents }];
    const { id } = await post('/api/v2/invoices', { ...draft, lineItems: lines });
    owed.push(await post(`/api/v2/invoices/${id}/open`));
  }
});

const read = async (path: string, headers = {}) => {
  const { status, text, body } = await t.shop.call('GET', path, undefined, headers);
  expect([path, status, status === 200 || text]).toEqual([path, 200, true]);
  return { text, body };
};
const reportOf = async (projectId?: string) =>
  (await read(`/api/v2/monthly-report?month=${month}${projectId ? `&projectId=${projectId}` : ''}`)).body;

/** The same month through the other reports. */
async function expectAgreement(report: Answer, projectIds: string[]): Promise<void> {
  const { from, to, days, projectId } = report;
  const project = projectId ? `&projectId=${projectId}` : '';
  const dates = `from=${month}-01&to=${new Date(Date.parse(`${to}`)).toISOString().slice(0, 10)}`;
  const revenue = (await read(`/api/v2/billing/revenue?${dates}${project}`)).body;
  const { grossCents, refundedCents, netCents, paymentsCount, refundsCount } = revenue.current;
  expect(report.revenue).toEqual({ grossCents, refundedCents, netCents, paymentsCount, refundsCount });
  expect(days.map((day: Answer) => day.netCents)).toEqual(
    revenue.points.slice(0, days.length).map((point: Answer) => point.netCents),
  );
  expect(report.topProducts).toEqual(revenue.topProducts);
  expect(report.topCustomers).toEqual(revenue.topCustomers);
  const period = `from=${from}&to=${to}`;
  const taxes = [];
  for (const id of projectIds)
    taxes.push(...(await read(`/api/v2/tax-report?${period}&projectId=${id}`)).body.rows);
  const taxOf = (rows: Answer[]) => rows.reduce((sum, { taxCents }) => sum + taxCents, 0);
  expect(taxOf(report.taxes)).toBe(taxOf(taxes));
  const ledger = balances(await readJournal(t.shop, `${period}${project}`));
  const sums = report.accounts.map(({ name, balanceCents }: Answer) => [name, balanceCents]);
  expect(Object.fromEntries(sums)).toEqual(ledger);
}

test('every figure is that of the other reports for the same month, of one project and of all', async () => {
  const all = await reportOf();
  expect([all.isOver, all.timeZone, all.revenue.refundedCents]).toEqual([false, 'Asia/Kathmandu', 333]);
  expect(all.from).toMatch(/T18:15:00.000Z$/);
  await expectAgreement(all, [plainId, taxedId]);
  for (const id of [plainId, taxedId]) await expectAgreement(await reportOf(id), [id]);
  const overview = (await read('/api/v2/billing/overview')).body;
  const { count, cents } = all.openInvoices;
  expect([count, cents]).toEqual([overview.openInvoicesCount, overview.openInvoicesCents]);
  expect(all.openInvoices.invoices).toMatchObject([
    { customerName: '=Ada', amountDueCents: 900 },
    { number: owed[1].number, amountDueCents: 77 },
  ]);
  expect(all.subscribers).toEqual({
    ...{ atStartCount: 0, newCount: 1, lostCount: 0, atEndCount: 1 },
    monthlyRecurringCents: overview.monthlyRecurringCents,
  });
  expect(all.exceptions).toEqual([
    { kind: 'surplus', raisedCount: 1, raisedCents: 200, openCount: 1, openCents: 200 },
  ]);
});

test('CSV has one figure a row, and the PDF is one, in the language of the request', async () => {
  const { text } = await read(`/api/v2/monthly-report?month=${month}`, { accept: 'text/csv' });
  const rows = csvRows(text);
  const report = await reportOf();
  const find = (section: string, figure: string) =>
    rows.find((row) => row.section === section && row.figure === figure)!;
  expect(find('revenue', 'gross').amountCents).toBe(String(report.revenue.grossCents));
  expect(find('revenue', 'payments').count).toBe(String(report.revenue.paymentsCount));
  expect(rows.filter(({ section }) => section === 'topCustomers').map(({ item }) => item)).toContain("'=Ada");
  for (const language of ['en', 'de']) {
    const path = `/api/v2/monthly-report/pdf?month=${month}&language=${language}`;
    const { text: file } = await read(path);
    expect([file.slice(0, 5), file.includes(`/Lang (${language})`)]).toEqual(['%PDF-', true]);
  }
});

test('a month that is over keeps its figures when what it lists is paid, changed or ended later', async () => {
  const before = await reportOf();
  await moveTo(t, nextMonth(5));
  const seats = { quantity: 3 };
  const path = `/api/v2/subscriptions/${subscription.id}`;
  expect((await t.shop.call('PATCH', path, seats)).status).toBe(200);
  const { pendingChange } = await readSubscription(t.shop, subscription.id);
  await paySession(t, await sessionOfInvoice(t.shop, pendingChange.invoiceId));
  await paySession(t, await sessionOfInvoice(t.shop, owed[0].id));
  await post(`/api/v2/invoices/${owed[1].id}/void`);
  await t.finalize();
  expect((await read('/api/v2/billing/overview')).body).toMatchObject({
    ...{ openInvoicesCount: 0, monthlyRecurringCents: 3 * before.subscribers.monthlyRecurringCents },
  });
  const after = await reportOf();
  expect(after.isOver).toBe(true);
  expect(after.openInvoices).toEqual(before.openInvoices);
  expect(after.subscribers).toEqual(before.subscribers);
  expect(after.revenue).toEqual(before.revenue);
  await expectAgreement(after, [plainId, taxedId]);
});

test('400 for a month that is none, 403 without a scope, 404 for another merchant’s project', async () => {
  for (const wrong of ['2026-13', '2026-1', '1999-12', '2026-01-01', ''])
    expect((await t.shop.call('GET', `/api/v2/monthly-report?month=${wrong}`)).status).toBe(400);
  const { error } = (await t.shop.call('GET', '/api/v2/monthly-report?month=9999-12')).body;
  expect(error.message).toBe('month must be between 2000-01 and 2999-12');
  const other = await t.service.createMerchant('Other');
  const path = `/api/v2/monthly-report/pdf?month=${month}`;
  expect((await other.call('GET', `${path}&projectId=${plainId}`)).status).toBe(404);
  const headers = { authorization: `Bearer ${await t.shop.keyWith(['billing:read'])}` };
  expect((await t.shop.call('GET', path, undefined, headers)).status).toBe(403);
});
