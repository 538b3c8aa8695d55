import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  newCustomer,
  newLink,
  newPlan,
  newPrice,
  newProject,
  newSession,
  newTopUp,
  paySession,
} from '../support/billing.ts';
import type { TestChain } from '../support/chain.ts';
import { csvRows, downloadCsv, expectSameRows, readAllRows } from '../support/csv.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { fillShop } from '../support/filled-shop.ts';
import { newOwner, type TestMember } from '../support/members.ts';

const WEB = join(import.meta.dirname, '../../web/src');
/** More than a page, and more than is read at once for a file. */
const ROWS = 1_200;

interface List {
  /** Path of the dashboard's screen, with filters. */
  screen: string;
  api: string;
  file: string;
  atLeast: number;
}

let t: TestChain;
let owner: TestMember;
/** Every list with a button, by what the button calls. */
let lists: Record<string, List>;

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
  const project = await newProject(t.shop, { name: '=Sales' });
  const plan = await newPlan(t.shop, project.id);
  await newTopUp(t.shop, project.id);
  await newPrice(t.shop, project.id);
  await newLink(t.shop, project.id);
  const sale = { projectId: project.id, name: '+Sale, "quoted"', percentOff: 25 };
  await t.shop.call('POST', '/api/v2/discounts', sale);
  await sellWithTax(project.id);
  const channel = { kind: 'slack', url: 'https://hooks.example/x', name: '=cmd, "quoted"' };
  await t.shop.call('POST', '/api/v2/notifications', channel);
  await fillShop(t.service.db, t.shop.id, ROWS);
  const buyer = await newCustomer(t.shop, project.id, { name: '@Ada, "the first"' });
  const gift = { deltaCredits: 250, reason: '-10 % for "early", birds' };
  await t.shop.call('POST', `/api/v2/customers/${buyer.id}/balance-adjustments`, gift);
  const { body: received } = await t.shop.call('GET', '/api/merchants/intents?status=succeeded&limit=1');
  const refund = { paymentIntentId: received.data[0].id, reason: 'other', note: '=1+1, "quoted"' };
  await t.shop.call('POST', '/api/v2/refunds', refund);
  lists = {
    'intents.listCsv': {
      screen: '/payments',
      api: '/api/merchants/intents',
      file: 'intents',
      atLeast: 1_001,
    },
    'exceptions.listCsv': {
      screen: '/exceptions?status=returned',
      api: '/api/v2/exceptions?status=returned',
      file: 'exceptions',
      atLeast: 4,
    },
    'customers.listCsv': list('customers', 1_001),
    'checkoutSessions.listCsv': list('checkout-sessions', 100, '?status=expired'),
    'invoices.listCsv': list('invoices', 500, '?status=paid'),
    'subscriptions.listCsv': list('subscriptions', 100),
    'refunds.listCsv': list('refunds', 1, '?status=awaiting_address'),
    'paymentLinks.listCsv': list('payment-links', 1),
    'projects.listCsv': list('projects', 1),
    'taxRates.listCsv': { screen: '/tax', api: '/api/v2/tax-rates', file: 'tax-rates', atLeast: 1 },
    'billing.taxReportCsv': {
      screen: `/tax/report?projectId=${project.id}&from=2020-01-01&to=2099-12-31`,
      api: `/api/v2/tax-report?projectId=${project.id}&from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z`,
      file: 'tax-report-2020-01-01-2099-12-31',
      atLeast: 1,
    },
    'discounts.listCsv': list('discounts', 1),
    'notifications.listCsv': list('notifications', 1),
    'products.listCsv': { screen: '/catalog', api: '/api/v2/products', file: 'products', atLeast: 4 },
    'usage.listSummariesCsv': {
      screen: '/usage?metric=reports',
      api: '/api/v2/usage?granularity=day&metric=reports',
      file: 'usage',
      atLeast: 29,
    },
    'webhookDeliveries.listCsv': {
      screen: '/webhooks',
      api: '/api/v2/webhook-deliveries',
      file: 'webhook-deliveries',
      atLeast: 1_001,
    },
    'prices.listCsv': {
      screen: `/catalog/${plan.productId}`,
      api: `/api/v2/prices?productId=${plan.productId}`,
      file: 'prices',
      atLeast: 1,
    },
    'customers.listBalanceEntriesCsv': {
      screen: `/customers/${buyer.id}`,
      api: `/api/v2/customers/${buyer.id}/balance-entries`,
      file: 'balance-entries',
      atLeast: 1,
    },
  };
});

/** Something for the tax report to have in it. */
async function sellWithTax(projectId: string): Promise<void> {
  const rate = { projectId, name: '=VAT, "reduced"', percent: 7.25, country: 'DE', isDefault: true };
  await t.shop.call('POST', '/api/v2/tax-rates', rate);
  const seller = { legalName: 'Muster GmbH', country: 'DE' };
  await t.shop.call('PATCH', `/api/v2/projects/${projectId}`, { seller });
  const price = await newPrice(t.shop, projectId, { taxBehavior: 'exclusive' });
  await paySession(t, await newSession(t.shop, projectId, { priceId: price.id }));
  await t.finalize();
}

/** One that is called the same everywhere. */
const list = (name: string, atLeast: number, filters = ''): List => ({
  screen: `/${name}${filters}`,
  api: `/api/v2/${name}${filters}`,
  file: name,
  atLeast,
});

/** No list; its own test downloads it. */
const REPORT = 'accounting.monthlyReportCsv';

test('every list with a CSV button is walked here', () => {
  const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  );
  const calls = sources.flatMap((name) =>
    [...readFileSync(join(WEB, name), 'utf8').matchAll(/florin\.(\w+\.\w+Csv)\(/g)].map(([, call]) => call!),
  );
  expect([...new Set(calls)].sort()).toEqual([...Object.keys(lists), REPORT].sort());
});

test('the file of every list is the API’s rows: all of them, in their order, to the e-mail', async () => {
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  for (const { screen, api, file, atLeast } of Object.values(lists)) {
    await page.goto(dashboardUrl(t, screen));
    const { name, text } = await downloadCsv(page);
    const rows = await readAllRows(owner, api);
    expect([api, rows.length >= atLeast]).toEqual([api, true]);
    expect(name).toBe(`${file}.csv`);
    expect(text.startsWith('\uFEFF')).toBe(true);
    expectSameRows(text, rows);
  }
  await page.goto(dashboardUrl(t, '/invoices?status=paid'));
  const { name, text } = await downloadCsv(page, 'CSV of lines');
  expect(name).toBe('invoice-lines.csv');
  expect(csvRows(text).map(({ invoiceId }) => invoiceId)).toEqual(
    csvRows(
      (await owner.call('GET', '/api/v2/invoices?status=paid', undefined, { accept: 'text/csv' })).text,
    ).flatMap(({ id, lines }) => JSON.parse(lines!).map(() => id)),
  );
});

test('the books of a period: general ledger, bank statement and monthly report, of all projects or one', async () => {
  const page = await pageOf(t, owner, { reducedMotion: 'reduce' });
  const { body } = await owner.call('GET', '/api/v2/projects?limit=1');
  for (const project of ['', `&projectId=${body.data[0].id}`]) {
    await page.goto(dashboardUrl(t, `/tax/accounting?from=2020-01-01&to=2099-12-31${project}`));
    const api = (path: string) =>
      owner.call('GET', `/api/v2/${path}?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z${project}`);
    const ledger = await downloadCsv(page, 'General ledger (CSV)');
    expect(ledger.name).toBe('general-ledger-2020-01-01-2099-12-31.csv');
    expect(ledger.text.replace('\uFEFF', '')).toBe((await api('general-ledger')).text);
    const statement = await downloadCsv(page, 'Bank statement (OFX)');
    expect(statement.name).toBe('bank-statement-2020-01-01-2099-12-31.ofx');
    const withoutClock = (text: string) => text.replace(/<(DTSERVER|DTEND|DTASOF)>[^<]*/g, '');
    expect(withoutClock(statement.text)).toBe(withoutClock((await api('bank-statement')).text));
    const month = await page.getByLabel('Month', { exact: true }).inputValue();
    const figures = await downloadCsv(page, 'Report (CSV)');
    expect([figures.name, figures.text.includes(`days,${month}-01,`)]).toEqual([`report-${month}.csv`, true]);
    await page.getByLabel('Language of the PDF').selectOption('de');
    const paper = await downloadCsv(page, 'Report (PDF)');
    expect([paper.name, paper.text.slice(0, 5)]).toEqual([`report-${month}.pdf`, '%PDF-']);
  }
});
