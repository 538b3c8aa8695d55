import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Call } from './screenshot-states.ts';

/** Ids of a realistic shop and of what it sells. */
export interface PictureShop {
  projectId: string;
  productId: string;
  planId: string;
  topUpId: string;
  linkId: string;
  terminalId: string;
  endpointId: string;
  notificationId: string;
}

/** A shop with two projects, a catalog, links, terminals, keys and a server that takes its webhooks. */
export async function openPictureShop(call: Call, hooksUrl: string): Promise<PictureShop> {
  await call('PATCH', '/api/b2b/merchants/brand', { name: 'Lumen', brandColor: '#5b3cc4' });
  await call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: hooksUrl });
  const { id: endpointId } = await call('POST', '/api/v2/webhook-endpoints', {
    url: `${hooksUrl}/accounting`,
    name: 'Accounting',
    eventTypes: ['invoice.paid', 'invoice.refunded'],
  });
  const { id: projectId } = await call('POST', '/api/v2/projects', {
    name: 'Lumen Analytics',
    monthlyVolumeLimitCents: 75_000_000,
    monthlyRequestLimit: 500_000,
    settings: { usageCredits: { reports: 5, exports: 2 }, lowBalanceCredits: 100 },
    seller: {
      legalName: 'Lumen Analytics GmbH',
      address: { line1: 'Lindenweg 4', postalCode: '10115', city: 'Berlin' },
      country: 'DE',
      taxIds: [{ type: 'eu_vat', value: 'DE136695976' }],
      registrationNumber: 'HRB 12345',
    },
  });
  for (const [percent, country] of [
    [19, 'DE'],
    [20, 'FR'],
    [21, 'NL'],
  ] as const) {
    const rate = { projectId, name: 'VAT', percent, country, isDefault: true };
    await call('POST', '/api/v2/tax-rates', rate);
  }
  const analytics = catalogOf(call, projectId);
  const pro = await analytics.product('Analytics Pro', 'Dashboards, alerts and exports for one team.');
  const plan = await analytics.price(pro, 'Team', 2_900, { ...MONTHLY, taxBehavior: 'inclusive' });
  await analytics.price(pro, 'Company', 9_900, MONTHLY);
  await analytics.price(pro, 'Company, by the year', 99_000, { ...MONTHLY, recurringInterval: 'year' });
  const credits = await analytics.product('Report credits', 'Each report takes five, each export two.');
  const topUp = await analytics.price(credits, null, 2_000, TOP_UP);
  await analytics.price(credits, 'Big box', 7_500, { ...TOP_UP, creditAmount: 2_000 });
  const { id: storeId } = await call('POST', '/api/v2/projects', { name: 'Lumen Store' });
  const store = catalogOf(call, storeId);
  for (const [name, cents] of [
    ['Desk lamp', 8_990],
    ['Notebook, dotted', 1_450],
    ['Poster “Blocks”', 2_400],
  ] as const) {
    await store.price(await store.product(name, null), null, cents, { billingMode: 'one_time' });
  }
  const linkId = await sellByLinks(call, storeId);
  const { id: terminalId } = await call('POST', '/api/b2b/merchants/terminals', { name: 'Front counter' });
  const standId = (await call('POST', '/api/b2b/merchants/terminals', { name: 'Pop-up stand' })).id;
  await call('PATCH', `/api/b2b/merchants/terminals/${standId}`, { isActive: false });
  await makeKeys(call);
  const { id: notificationId } = await call('POST', '/api/v2/notifications', {
    kind: 'slack',
    url: `${hooksUrl}/services/T/B/x`,
    name: 'Sales channel',
  });
  return {
    projectId,
    productId: pro,
    planId: plan,
    topUpId: topUp,
    linkId,
    terminalId,
    endpointId,
    notificationId,
  };
}

const MONTHLY = { billingMode: 'subscription', recurringInterval: 'month' };
const TOP_UP = { billingMode: 'balance_top_up', creditAmount: 500 };

function catalogOf(call: Call, projectId: string) {
  return {
    product: async (name: string, description: string | null): Promise<string> =>
      (await call('POST', '/api/v2/products', { projectId, name, description })).id,
    price: async (productId: string, name: string | null, unitAmountCents: number, terms: object) =>
      (await call('POST', '/api/v2/prices', { projectId, productId, name, unitAmountCents, ...terms })).id,
  };
}

async function sellByLinks(call: Call, projectId: string): Promise<string> {
  const setUp = async (productName: string, unitAmountCents: number, more: object = {}) => {
    const body = { projectId, productName, unitAmountCents, billingMode: 'one_time', ...more };
    return (await call('POST', '/api/v2/payment-links/setup', body)).paymentLink.id;
  };
  const old = await setUp('Summer workshop', 12_000);
  await call('PATCH', `/api/v2/payment-links/${old}`, { status: 'inactive' });
  await setUp('Members’ club', 1_200, { ...MONTHLY, requireClientReferenceId: true });
  return setUp('Solana in a weekend', 4_900, { collectCustomerEmail: true });
}

async function makeKeys(call: Call): Promise<void> {
  const make = (name: string, scopes: string[]) =>
    call('POST', '/api/b2b/merchants/generate-key', { name, scopes });
  await make('Web shop', ['payments:read', 'payments:write', 'billing:write']);
  await make('Nightly report', ['payments:read', 'billing:read']);
  const { id } = await make('Old plugin', ['payments:write']);
  await call('DELETE', `/api/b2b/merchants/keys/${id}`);
}

/** Ids of objects with a screen of their own. */
export interface Sold {
  intentId: string;
  underpaidId: string;
  customerId: string;
  sessionId: string;
  openSessionId: string;
  invoiceId: string;
  subscriptionId: string;
  refundId: string;
}

/** A few customers of today, through the API and over the chain, so that each thing has a whole story. */
export async function sellToday(call: Call, shop: PictureShop): Promise<Sold> {
  const { projectId, planId, topUpId, terminalId } = shop;
  const buyer = { projectId, externalCustomerId: 'team-9', customerEmail: 'mira@northwind.example' };
  const begin = (body: object) => call('POST', '/api/v2/checkout-sessions', body);
  const pay = (paymentIntentId: string, more: object = {}) =>
    call('POST', '/api/v2/sandbox/payments', { paymentIntentId, ...more });
  const first = { ...buyer, customerName: 'Mira Holm', merchantReference: 'order-31002' };
  const session = await begin({ ...first, mode: 'subscription', priceId: planId });
  const credits = await begin({ ...buyer, mode: 'balance_top_up', priceId: topUpId });
  await pay(session.paymentIntentId);
  await pay(credits.paymentIntentId);
  const ask = async (amountCents: number, orderId: string, more: object = {}) =>
    (await call('POST', '/api/merchants/intents', { amountCents, orderId, ...more })).id;
  const underpaidId = await ask(12_800, 'order-31003');
  await pay(underpaidId, { amountCents: 10_000 });
  await pay(await ask(2_400, 'order-31004'), { amountCents: 2_500 });
  await pay(await ask(8_990, 'order-31005'), { outcome: 'no_reference' });
  await pay(await ask(1_450, 'order-31006'), { outcome: 'fail' });
  const intentId = await ask(4_250, 'order-31007', { terminalId });
  await pay(intentId);
  await until(call, `/api/merchants/intents/${intentId}`, 'succeeded');
  await until(call, `/api/merchants/intents/${underpaidId}`, 'underpaid');
  await until(call, `/api/v2/checkout-sessions/${credits.id}`, 'complete');
  await useAndAdjust(call, projectId, session.customerId);
  const refundId = await refundSome(call, { ready: intentId, awaiting: underpaidId });
  const open = await begin({
    ...buyer,
    mode: 'one_time',
    amountCents: 18_000,
    merchantReference: 'order-31008',
  });
  return {
    intentId,
    underpaidId,
    customerId: session.customerId,
    sessionId: session.id,
    openSessionId: open.id,
    invoiceId: session.invoiceId,
    subscriptionId: session.subscriptionId,
    refundId,
  };
}

/** Refunds in two states; answers the one that is ready to be sent. */
async function refundSome(call: Call, { ready, awaiting }: { ready: string; awaiting: string }) {
  const promise = (paymentIntentId: string, amountCents: number, more: object = {}) =>
    call('POST', '/api/v2/refunds', {
      paymentIntentId,
      amountCents,
      reason: 'requested_by_customer',
      ...more,
    });
  await promise(awaiting, 10_000);
  const note = 'One of two lamps arrived broken.';
  return (await promise(ready, 2_000, { address: CUSTOMER_WALLET, note })).id;
}

/** An address of nobody, on the curve. */
const CUSTOMER_WALLET = 'GkgAobTAdQcHUvUErdx1uoiUNyerE7GPqKizD2GqQTZY';

async function useAndAdjust(call: Call, projectId: string, customerId: string): Promise<void> {
  for (const [metric, quantity] of [
    ['reports', 12],
    ['exports', 30],
    ['reports', 25],
  ] as const) {
    const idempotencyKey = `${metric}-${quantity}`;
    await call('POST', '/api/v2/usage', { projectId, customerId, metric, quantity, idempotencyKey });
  }
  await call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, {
    deltaCredits: 250,
    reason: 'Thanks for the bug report',
  });
}

/** Found on chain and final, as on any other day. */
async function until(call: Call, path: string, status: string): Promise<void> {
  while ((await call('GET', path)).status !== status)
    await new Promise((resolve) => setTimeout(resolve, 300));
}

/** The shop's own server: takes every webhook, but one it has trouble with. */
export async function startHooks(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.statusCode = body.includes('payment_intent.underpaid') ? 500 : 200;
      response.end(response.statusCode === 200 ? 'ok' : 'column "part_paid" does not exist');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/florin`, close: () => void server.close() };
}
