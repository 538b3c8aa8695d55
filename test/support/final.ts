import type { TestChain } from './chain.ts';

/** Paid order that is read in all its forms: by API, on paper, on its pages, and in the books of its month. */
export interface PaidOrder {
  paymentIntentId: string;
  id?: string;
  projectId?: string;
  invoiceId?: string;
  customerId?: string | null;
  subscriptionId?: string | null;
  checkoutUrl?: string;
}

/** Everything that shows a paid order and the month it was paid in, name by name, as bytes. */
export async function readPaid(
  t: TestChain,
  order: PaidOrder,
  month: string,
): Promise<Record<string, string>> {
  const [from, to] = daysOf(month);
  const period = `from=${from}&to=${to}`;
  const paths = [
    `/api/merchants/intents/${order.paymentIntentId}`,
    ...(order.id ? [`/api/v2/checkout-sessions/${order.id}`] : []),
    ...(order.subscriptionId ? [`/api/v2/subscriptions/${order.subscriptionId}`] : []),
    ...(order.customerId
      ? [`/api/v2/customers/${order.customerId}`, `/api/v2/customers/${order.customerId}/balance-entries`]
      : []),
    ...(order.invoiceId
      ? ['', '/pdf', '/xml'].map((form) => `/api/v2/invoices/${order.invoiceId}${form}`)
      : []),
    `/api/v2/general-ledger?${period}`,
    `/api/v2/bank-statement?${period}`,
    ...(order.projectId ? [`/api/v2/tax-report?${period}&projectId=${order.projectId}`] : []),
    `/api/v2/billing/revenue?${period}`,
    `/api/v2/monthly-report?month=${month}`,
    `/api/v2/monthly-report/pdf?month=${month}`,
  ];
  const csv = ['/api/merchants/intents', '/api/v2/checkout-sessions', '/api/v2/invoices'].map(
    (path) => `${path}?createdFrom=${from}T00:00:00Z&createdTo=${to}T23:59:59Z`,
  );
  const read: Record<string, string> = {};
  for (const path of paths) read[path] = await bytesOf(t, path);
  for (const path of csv) read[`${path} as CSV`] = await bytesOf(t, path, { accept: 'text/csv' });
  const { pathname } = new URL(order.checkoutUrl ?? t.service.url);
  read.page = order.checkoutUrl ? plainPage(await (await fetch(t.service.url + pathname)).text()) : '';
  const { body } = await t.shop.call('GET', `/api/merchants/intents/${order.paymentIntentId}/history`);
  read.history = JSON.stringify([body.entries, body.transactions], (_key, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  read.left = await leftToRefund(t, order.paymentIntentId);
  return read;
}

/** Reads from a refusal what is left to refund. */
export async function leftToRefund(t: TestChain, paymentIntentId: string): Promise<string> {
  const amountCents = 9_000_000_000_000;
  const { text } = await t.shop.call('POST', '/api/v2/refunds', {
    paymentIntentId,
    amountCents,
    reason: 'other',
  });
  return /at most \d+|Nothing is left/.exec(text)?.[0] ?? text;
}

/** The first and the last day of `YYYY-MM`. */
export function daysOf(month: string): [string, string] {
  const [year, number] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10);
  return [`${month}-01`, last];
}

/** Parts that distinguish one paper from the same one made a moment later. */
const MOMENTS = [
  /<DTSERVER>[^<]*/g,
  /\/(CreationDate|ModDate) \([^)]*\)/g,
  /\/ID \[[^\]]*\]/g,
  /"traceId":"[^"]*"/g,
  /"until":"[^"]*"/g,
  /"isOver":true,"createdAt":"[^"]*"/g,
];

async function bytesOf(t: TestChain, path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(t.service.url + path, {
    headers: { authorization: `Bearer ${t.shop.key}`, ...headers },
  });
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  return `${answer.status} ${MOMENTS.reduce((rest, moment) => rest.replaceAll(moment, ''), text)}`;
}

/** Returns a page without what is new on every load. */
function plainPage(html: string): string {
  return html.replaceAll(/nonce="[^"]*"/g, '');
}

/** Returns what differs, shortened to the place. */
export function changesOf(
  before: Record<string, string>,
  after: Record<string, string>,
): Record<string, [string, string]> {
  const names = Object.keys({ ...before, ...after });
  return Object.fromEntries(
    names
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, differing(before[name] ?? '', after[name] ?? '')]),
  );
}

function differing(a: string, b: string): [string, string] {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const part = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return [part(a), part(b)];
}
