import { beforeAll, expect, test } from 'vitest';
import {
  moveTo,
  newCustomer,
  newPlan,
  newProject,
  newSession,
  paySession,
  readInvoice,
  readSubscription,
  sessionOfInvoice,
  subscribe,
} from '../../../test/support/billing.ts';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import { pick, readXml } from '../../../test/support/e-invoice.ts';
import {
  ALWAYS,
  balances,
  expectBooksAgree,
  type JournalRow,
  readJournal,
} from '../../../test/support/journal.ts';
import { newIntent, payIntent, UNITS } from '../../../test/support/payments.ts';
import { newRefund, paidSession, refunded } from '../../../test/support/refund-journey.ts';
import { dateAt } from '../../platform/lib/local-days.ts';

let t: TestChain;
let projectId: string;
let taxedId: string;
let customerId: string;
const EVIL = '=cmd|"A&B" <b>\u0007';

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop, { name: 'Plain' })).id;
  taxedId = (await newProject(t.shop, { seller: { legalName: 'Muster GmbH', country: 'DE' } })).id;
  customerId = (await newCustomer(t.shop, projectId, { externalCustomerId: 'ada', name: EVIL.slice(0, -1) }))
    .id;
  const rate = { projectId: taxedId, name: 'VAT', country: 'DE', percent: 19, isDefault: true };
  await t.shop.call('POST', '/api/v2/tax-rates', rate);
});

/** Returns the change that an action makes to each account, in cents: debits minus credits. */
async function changes(action: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = balances(await readJournal(t.shop));
  await action();
  const after = balances(await readJournal(t.shop));
  await expectBooksAgree(t.service.db, t.shop);
  return Object.fromEntries(
    Object.entries(after)
      .map(([account, cents]) => [account, cents - (before[account] ?? 0)] as const)
      .filter(([, cents]) => cents !== 0),
  );
}

const taxedItem = { name: 'Cup', unitAmountCents: 1_000, quantity: 1, taxBehavior: 'exclusive' };
const post = async (path: string, body: object) => {
  const answer = await t.shop.call('POST', path, body);
  expect([answer.status < 300, answer.status < 300 || answer.text]).toEqual([true, true]);
  return answer.body;
};
const exceptions = async (query: string) =>
  (await t.shop.call('GET', `/api/v2/exceptions?${query}`)).body.data;

test('a sale with tax, a part of it refunded, and one accepted with less', async () => {
  const lineItems = [taxedItem];
  let invoiceId = '';
  expect(
    await changes(async () => {
      ({ invoiceId } = await paidSession(t, taxedId, { amountCents: undefined, lineItems }));
    }),
  ).toEqual({ 'USDC wallet': 1_190, Sales: -1_000, 'Tax payable': -190 });
  expect(await changes(() => refunded(t, { invoiceId, amountCents: 595 }))).toEqual({
    'USDC wallet': -595,
    'Refunds and credits': 500,
    'Tax payable': 95,
  });
  expect(
    await changes(async () => {
      const session = await paidSession(t, taxedId, { amountCents: undefined, lineItems }, 952);
      await post(`/api/v2/invoices/${session.invoiceId}/accept`, {});
    }),
  ).toEqual({ 'USDC wallet': 952, Sales: -1_000, 'Waived amounts': 200, 'Tax payable': -152 });
});

test('a tip, and a payment that was not completed', async () => {
  expect(
    await changes(async () => {
      const session = await newSession(t.shop, projectId, { amountCents: 1_250, tipPercents: [20] });
      const { pathname } = new URL(session.checkoutUrl);
      await fetch(`${t.service.url}${pathname}/tip`, {
        method: 'POST',
        body: new URLSearchParams({ percent: '20' }),
        redirect: 'manual',
      });
      await paySession(t, session, 1_500);
      await t.finalize();
    }),
  ).toEqual({ 'USDC wallet': 1_500, Sales: -1_250, Tips: -250 });
  expect(
    await changes(() => paidSession(t, projectId, { amountCents: 700, externalCustomerId: 'ada' }, 300)),
  ).toEqual({ 'USDC wallet': 300, 'Customer deposits': -300 });
});

test('what was paid beyond the price is kept, credited, or sent back; money without an order waits', async () => {
  const overpay = () =>
    changes(() => paidSession(t, projectId, { amountCents: 500, externalCustomerId: 'ada' }, 700));
  const overpaid = { 'USDC wallet': 700, Sales: -500, 'Customer deposits': -200 };
  const latest = async () => (await exceptions('kind=surplus&status=open&limit=1'))[0].id;

  expect(await overpay()).toEqual(overpaid);
  const kept = await latest();
  expect(await changes(() => post(`/api/v2/exceptions/${kept}/keep`, {}))).toEqual({
    'Customer deposits': 200,
    'Kept payments': -200,
  });
  expect(await overpay()).toEqual(overpaid);
  const credited = await latest();
  expect(await changes(() => post(`/api/v2/exceptions/${credited}/credit`, { customerId }))).toEqual({
    'Customer deposits': 200,
    'Account credit': -200,
  });
  expect(await overpay()).toEqual(overpaid);
  const returned = await latest();
  expect(await changes(() => refunded(t, { exceptionId: returned, amountCents: 150 }))).toEqual({
    'USDC wallet': -150,
    'Customer deposits': 150,
  });
  expect(await changes(() => post(`/api/v2/exceptions/${returned}/mark-returned`, {}))).toEqual({
    'USDC wallet': -50,
    'Customer deposits': 50,
  });
  const [{ paymentIntentId }] = await exceptions(`exceptionId=${returned}`);
  expect((await newRefund(t, { paymentIntentId })).amountCents).toBe(500);
  const session = await paidSession(t, projectId, { amountCents: 500 }, 700);
  const back = { invoiceId: session.invoiceId, reason: 'overpaid', amountCents: 250 };
  expect(await changes(() => refunded(t, back))).toEqual({
    'USDC wallet': -250,
    'Customer deposits': 200,
    'Refunds and credits': 50,
  });
});

test('an order paid a second time, with too much: one exception, whose decision takes back the sale and the rest', async () => {
  const { id: other } = await newCustomer(t.shop, projectId, { externalCustomerId: 'eve' });
  const order = { amountCents: 500, externalCustomerId: 'eve', merchantReference: 'twice' };
  await paidSession(t, projectId, order);
  const again = async () => {
    const change = await changes(() => paidSession(t, projectId, order, 700));
    expect(change).toEqual({ 'USDC wallet': 700, Sales: -500, 'Customer deposits': -200 });
    const [exception] = await exceptions('status=open&limit=1');
    expect(exception).toMatchObject({ kind: 'duplicate_order', amountCents: 700 });
    return exception.id;
  };
  const first = await again();
  expect(await changes(() => post(`/api/v2/exceptions/${first}/keep`, {}))).toEqual({
    'Customer deposits': 200,
    'Kept payments': -200,
  });
  const second = await again();
  expect(await changes(() => post(`/api/v2/exceptions/${second}/credit`, { customerId: other }))).toEqual({
    'Customer deposits': 200,
    'Refunds and credits': 500,
    'Account credit': -700,
  });
  const third = await again();
  expect(await changes(() => post(`/api/v2/exceptions/${third}/mark-returned`, {}))).toEqual({
    'USDC wallet': -700,
    'Customer deposits': 200,
    'Refunds and credits': 500,
  });
  const fourth = await again();
  expect(await changes(() => refunded(t, { exceptionId: fourth }))).toEqual({
    'USDC wallet': -700,
    'Customer deposits': 200,
    'Refunds and credits': 500,
  });
});

test('what was paid beyond the price and kept stays when the order is refunded; sent back as overpaid, it is settled', async () => {
  const session = await paidSession(t, projectId, { amountCents: 700 }, 900);
  const [{ id }] = await exceptions('kind=surplus&status=open&limit=1');
  await post(`/api/v2/exceptions/${id}/keep`, {});
  expect(await changes(() => refunded(t, { invoiceId: session.invoiceId }))).toEqual({
    'USDC wallet': -700,
    'Refunds and credits': 700,
  });
  const overpaid = await paidSession(t, projectId, { amountCents: 700 }, 900);
  const [{ id: other }] = await exceptions('kind=surplus&status=open&limit=1');
  const back = { invoiceId: overpaid.invoiceId, reason: 'overpaid', amountCents: 200 };
  expect(await changes(() => refunded(t, back))).toEqual({ 'USDC wallet': -200, 'Customer deposits': 200 });
  const [settled] = await exceptions(`exceptionId=${other}`);
  expect(settled.status).toBe('returned');
});

test('a refund that was sent twice: what came back is in the wallet again, what the customer keeps is given away', async () => {
  const { invoiceId } = await paidSession(t, projectId, { amountCents: 400 });
  const refund = await refunded(t, { invoiceId });
  const again = (cents: number) => async () => {
    await post(`/api/v2/sandbox/refunds/${refund.id}/pay`, { amountCents: cents });
    await t.finalize();
  };
  const latest = async () => (await exceptions('kind=over_refunded&status=open&limit=1'))[0].id;
  expect(await changes(again(400))).toEqual({ 'USDC wallet': -400, 'Customer deposits': 400 });
  const returned = await latest();
  expect(await changes(() => post(`/api/v2/exceptions/${returned}/mark-returned`, {}))).toEqual({
    'USDC wallet': 400,
    'Customer deposits': -400,
  });
  await again(150)();
  const kept = await latest();
  expect(await changes(() => post(`/api/v2/exceptions/${kept}/keep`, {}))).toEqual({
    'Refunds and credits': 150,
    'Customer deposits': -150,
  });
  const [entry] = (await readStatement()).transactions.filter(({ id }) => id === `decision:${returned}`);
  expect(entry).toMatchObject({ cents: 400 });
});

test('money without an order belongs to the project of the customer it is credited to', async () => {
  const waiting = await newIntent(t.shop, 100);
  await payIntent(t, waiting, { amountBaseUnits: UNITS, references: [] });
  await t.finalize();
  const [{ id }] = await exceptions('kind=unmatched&status=open');
  const ofProject = async () =>
    balances(await readJournal(t.shop, `${ALWAYS}&projectId=${projectId}`))['Customer deposits'];
  const before = await ofProject();
  const { id: other } = await newCustomer(t.shop, projectId, { externalCustomerId: 'bob' });
  await post(`/api/v2/exceptions/${id}/credit`, { customerId: other });
  expect(await ofProject()).toBe(before);
});

test('payments without a project: a sale, a refund, money without a reference that is linked later', async () => {
  const intent = await newIntent(t.shop, 321);
  expect(
    await changes(async () => {
      await payIntent(t, intent, { amountBaseUnits: 3_210_000n });
      await t.finalize();
    }),
  ).toEqual({ 'USDC wallet': 321, Sales: -321 });
  expect(await changes(() => refunded(t, { paymentIntentId: intent.id, amountCents: 100 }))).toEqual({
    'USDC wallet': -100,
    'Refunds and credits': 100,
  });
  const waiting = await newIntent(t.shop, 100);
  expect(
    await changes(async () => {
      await payIntent(t, waiting, { amountBaseUnits: UNITS, references: [] });
      await t.finalize();
    }),
  ).toEqual({ 'USDC wallet': 100, 'Customer deposits': -100 });
  const [{ id }] = await exceptions('kind=unmatched&status=open');
  const before = await readStatement();
  const link = { paymentIntentId: waiting.id };
  expect(await changes(() => post(`/api/v2/exceptions/${id}/link`, link))).toEqual({
    Sales: -100,
    'Customer deposits': 100,
  });
  expect((await readStatement()).transactions).toEqual(before.transactions);
});

test('parts of a cent count once, over all payments of an order', async () => {
  const intent = await newIntent(t.shop, 2);
  expect(
    await changes(async () => {
      for (const amountBaseUnits of [9_999n, 9_999n, 2n]) {
        await payIntent(t, intent, { amountBaseUnits });
        await t.finalize();
      }
    }),
  ).toEqual({ 'USDC wallet': 2, Sales: -2 });
});

test('account credit: given, spent on a renewal', async () => {
  const plan = await newPlan(t.shop, projectId);
  const subscription = await subscribe(t, projectId, plan.id, 'ada');
  const gift = { deltaCents: 300, reason: '=sorry' };
  expect(await changes(() => post(`/api/v2/customers/${customerId}/balance-adjustments`, gift))).toEqual({
    'Balance adjustments': 300,
    'Account credit': -300,
  });
  expect(
    await changes(async () => {
      await moveTo(t, new Date(subscription.currentPeriodEnd));
      const { latestInvoiceId } = await readSubscription(t.shop, subscription.id);
      expect(await readInvoice(t.shop, latestInvoiceId)).toMatchObject({ creditAppliedCents: 500 });
      const session = await sessionOfInvoice(t.shop, latestInvoiceId);
      await paySession(t, session);
      await t.finalize();
    }),
  ).toEqual({ 'USDC wallet': 500, 'Account credit': 500, Sales: -1_000 });
});

/** A bank statement, read as XML. */
async function readStatement(query = ALWAYS) {
  const answer = await t.shop.call('GET', `/api/v2/bank-statement?${query}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/xml; charset=utf-8',
  ]);
  const xml = readXml(answer.text);
  const text = (element: typeof xml, name: string) => pick(element, name)[0]!.text;
  const statement = ['BANKMSGSRSV1', 'STMTTRNRS', 'STMTRS'];
  const transactions = pick(xml, ...statement, 'BANKTRANLIST', 'STMTTRN').map((each) => ({
    id: text(each, 'FITID'),
    name: text(each, 'NAME'),
    cents: Math.round(Number(text(each, 'TRNAMT')) * 100),
    at: text(each, 'DTPOSTED'),
  }));
  const balance = Math.round(Number(pick(xml, ...statement, 'LEDGERBAL', 'BALAMT')[0]!.text) * 100);
  return { text: answer.text, transactions, balance };
}

const ofWallet = (rows: readonly JournalRow[]) =>
  Map.groupBy(
    rows.filter(({ account }) => account === 'USDC wallet'),
    ({ entryId }) => entryId!,
  );

test('the bank statement has each movement of the wallet once, with the same sums, in valid XML', async () => {
  const rows = await readJournal(t.shop);
  const { text, transactions, balance } = await readStatement();
  expect(new Set(transactions.map(({ id }) => id)).size).toBe(transactions.length);
  expect(transactions.map(({ id }) => id)).toEqual([...ofWallet(rows)].map(([id]) => id));
  expect(transactions.reduce((sum, { cents }) => sum + cents, 0)).toBe(balances(rows)['USDC wallet']);
  expect(balance).toBe(balances(rows)['USDC wallet']);
  expect(text).not.toMatch(/<DT(END|ASOF)>2100/);
  expect(text).toContain('<?OFX OFXHEADER="200" VERSION="211"');
  expect(text).toContain('<NAME>=cmd|&#34;A&#38;B&#34; &#60;b&#62;</NAME>');
});

test('periods and projects add up to the whole', async () => {
  const all = await readJournal(t.shop);
  const middle = all[Math.floor(all.length / 2)]!.time;
  const halves = [`from=2020-01-01T00:00:00Z&to=${middle}`, `from=${middle}&to=2100-01-01T00:00:00Z`];
  expect((await Promise.all(halves.map((half) => readJournal(t.shop, half)))).flat()).toEqual(all);
  const second = await readStatement(halves[1]);
  expect(second.balance).toBe((await readStatement()).balance);
  for (const id of [projectId, taxedId]) {
    const own = await readJournal(t.shop, `${ALWAYS}&projectId=${id}`);
    expect(own).toEqual(all.filter((row) => row.projectId === id));
    expect(own.length).toBeGreaterThan(5);
  }
  const named = all.find((row) => row.customerId === customerId)!;
  expect(named.customerName).toBe(`'=cmd|"A&B" <b>`);
  expect(all.some(({ description }) => description === "'=sorry")).toBe(true);
  expect(all.filter(({ documentNumber }) => /^(RF|CN)-0/.test(documentNumber!)).length).toBeGreaterThan(4);
});

test('days are those of the merchant’s time zone: in the ledger, in the statement, and where a period is requested by dates', async () => {
  const zone = 'Asia/Kathmandu';
  const inUtc = await readJournal(t.shop);
  expect((await t.shop.call('PATCH', '/api/b2b/merchants/me', { timeZone: zone })).status).toBe(200);
  const all = await readJournal(t.shop);
  const dayOf = (time: string) => dateAt(new Date(time), zone);
  expect(all).toEqual(inUtc.map((row) => ({ ...row, date: dayOf(row.time!) })));
  const days = [...new Set(all.map(({ date }) => date!))];
  const byDay: JournalRow[] = [];
  for (const day of days) byDay.push(...(await readJournal(t.shop, `from=${day}&to=${day}`)));
  expect(byDay).toEqual(all);
  const { transactions } = await readStatement(`from=${days[0]}&to=${days.at(-1)}`);
  expect(transactions.map(({ at }) => at.slice(0, 8))).toEqual(
    [...ofWallet(all)].map(([, [row]]) => row!.date!.replaceAll('-', '')),
  );
  expect(transactions[0]!.at).toMatch(/^\d{14}\.\d{3}\[\+5\.75\]$/);
  for (const wrong of ['2026-02-30', '1999-12-31', '2026-1-1']) {
    const answer = await t.shop.call('GET', `/api/v2/general-ledger?from=${wrong}&to=2026-12-31`);
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'from must be a date from 2000 to 2999, such as 2026-01-31, or a time with an offset, such as 2026-01-31T12:00:00.000Z',
    ]);
  }
});

test('400 for a period that is none, 403 without a scope, 404 for another merchant’s project, nothing of others', async () => {
  const other = await t.service.createMerchant('Other');
  for (const path of ['/api/v2/general-ledger', '/api/bank-statement']) {
    const wrong = await t.shop.call('GET', `${path}?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`);
    expect([wrong.status, wrong.body.error.message]).toEqual([400, 'to must be later than from']);
    expect((await t.shop.call('GET', `${path}?from=2026-01-02T00:00:00Z`)).status).toBe(400);
    expect((await other.call('GET', `${path}?${ALWAYS}&projectId=${projectId}`)).status).toBe(404);
    const headers = { authorization: `Bearer ${await t.shop.keyWith(['billing:read'])}` };
    expect((await t.shop.call('GET', `${path}?${ALWAYS}`, undefined, headers)).status).toBe(403);
  }
  expect(await readJournal(other)).toEqual([]);
});
