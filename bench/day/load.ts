import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pay } from '../payer.ts';
import { readHome, readList, readNews } from './dashboard-reads.ts';
import { type LoadParts, merchantOf } from './load-parts.ts';
import { type DayMerchant, type DayProject, PAID, PATHS, RATES, USAGE_BATCH } from './mix.ts';
import type { Arrivals } from './open-loop.ts';
import { type Checkout, visitCheckout } from './visit-checkout.ts';

/** Reads go to intents of the last minutes, as those of a shop do. */
const RECENT = 2_000;
/** Time from the creation of an intent to its payment. */
const PAY_AFTER_MS = 1_000;

/** Everything that happens on the installation, at `scale` times the usual rates. */
export function arrivalsOf(parts: LoadParts, scale: number): Arrivals[] {
  const acts: Record<keyof typeof RATES, Arrivals['act']> = {
    createIntent: (dueMs, n) => createIntent(parts, dueMs, n),
    readIntent: (dueMs) => readIntent(parts, dueMs),
    createSession: (dueMs, n) => createSession(parts, dueMs, n),
    usage: (dueMs, n) => recordUsage(parts, dueMs, n, 1),
    usageBatch: (dueMs, n) => recordUsage(parts, dueMs, n, USAGE_BATCH),
    invoice: (dueMs, n) => openInvoice(parts, dueMs, n),
    list: (dueMs, n) => readList(parts, dueMs, n),
    home: (dueMs, n) => readHome(parts, dueMs, n),
    news: (dueMs, n) => readNews(parts, dueMs, n),
    search: (dueMs, n) => search(parts, dueMs, n),
    export: (dueMs, n) => exportList(parts, dueMs, n),
  };
  return Object.entries(acts).map(([name, act]) => ({
    path: PATHS[name as keyof typeof RATES],
    perSecond: RATES[name as keyof typeof RATES] * scale,
    act,
  }));
}

const recent: { id: string; key: string }[] = [];

async function createIntent({ acknowledged, ...parts }: LoadParts, dueMs: number, n: number): Promise<void> {
  const { key, payoutAddress: destination } = merchantOf(parts, n);
  const cents = 100 + (n % 5_000);
  const text = await parts.times.take(PATHS.createIntent, dueMs, () =>
    parts.client.ask({
      method: 'POST',
      path: '/api/merchants/intents',
      key,
      idempotent: true,
      body: { amountCents: cents, orderId: `order-${randomUUID().slice(0, 8)}` },
    }),
  );
  const { id, referenceAddress: reference } = JSON.parse(text);
  acknowledged.intents.push(id);
  recent[acknowledged.intents.length % RECENT] = { id, key };
  if (n % PAID.intent !== 0) return;
  await sleep(PAY_AFTER_MS);
  await payAndNote(parts, { id, reference, destination, cents });
}

/** Paid by a wallet; resolves with the moment at which the chain calls it final, on `performance.now()`'s clock. */
async function payAndNote(
  { pay, finality, finals }: Pick<LoadParts, 'pay' | 'finality' | 'finals'>,
  intent: Parameters<Pay>[0],
): Promise<number> {
  const finalMs = await finality.finalAt(await pay(intent));
  finals.push({ intentId: intent.id, atMs: Date.now() - (performance.now() - finalMs) });
  return finalMs;
}

async function readIntent({ client, times }: LoadParts, dueMs: number): Promise<void> {
  const one = recent[Math.floor(Math.random() * recent.length)];
  if (!one) return;
  const path = `/api/merchants/intents/${one.id}`;
  await times.take(PATHS.readIntent, dueMs, () => client.ask({ path, key: one.key }));
}

async function createSession(parts: LoadParts, dueMs: number, n: number): Promise<void> {
  const merchant = merchantOf(parts, n);
  const { project, customer } = placeOf(merchant, n);
  const text = await parts.times.take(PATHS.createSession, dueMs, () =>
    parts.client.ask(
      {
        method: 'POST',
        path: '/api/v2/checkout-sessions',
        key: merchant.key,
        idempotent: true,
        body: { projectId: project.id, priceId: project.price, mode: 'one_time', customerId: customer },
      },
      201,
    ),
  );
  const session: Checkout = JSON.parse(text);
  parts.acknowledged.sessions.push(session.id);
  const pay = (intent: Parameters<Pay>[0]) => payAndNote(parts, intent);
  await visitCheckout({ ...parts, pay }, session, n % PAID.session === 0);
}

async function recordUsage(parts: LoadParts, dueMs: number, n: number, count: number): Promise<void> {
  const { client, times, acknowledged } = parts;
  const merchant = merchantOf(parts, n);
  const { project, customer } = placeOf(merchant, n);
  const records = Array.from({ length: count }, (_, i) => ({
    projectId: project.id,
    customerId: customer,
    metric: 'api.calls',
    quantity: 1 + ((n + i) % 1_000),
    idempotencyKey: randomUUID(),
  }));
  const [path, body] = count === 1 ? ['/api/v2/usage', records[0]!] : ['/api/v2/usage/batch', { records }];
  await times.take(count === 1 ? PATHS.usage : PATHS.usageBatch, dueMs, async () => {
    const text = await client.ask({ method: 'POST', path, key: merchant.key, body });
    if (count > 1 && JSON.parse(text).results.some((one: { record?: object }) => !one.record))
      throw new Error(`a record of a batch was refused: ${text.slice(0, 300)}`);
  });
  acknowledged.usageKeys.push(...records.map(({ idempotencyKey }) => idempotencyKey));
}

async function openInvoice(parts: LoadParts, dueMs: number, n: number): Promise<void> {
  const { client, times, acknowledged } = parts;
  const { key, ...merchant } = merchantOf(parts, n);
  const { project, customer } = placeOf(merchant, n);
  const lineItems = [{ name: 'Consulting', unitAmountCents: 12_000, quantity: 1 + (n % 8) }];
  const body = { projectId: project.id, customerId: customer, lineItems, netDays: 14, send: true };
  const id = await times.take(PATHS.invoice, dueMs, async () => {
    const draft = await client.ask({ method: 'POST', path: '/api/v2/invoices', key, body }, 201);
    const { id: drafted } = JSON.parse(draft);
    await client.ask({ method: 'POST', path: `/api/v2/invoices/${drafted}/open`, key });
    return drafted as string;
  });
  acknowledged.invoices.push(id);
}

async function search(parts: LoadParts, dueMs: number, n: number): Promise<void> {
  const { cookie, texts } = merchantOf(parts, n);
  const path = `/api/v2/search?q=${encodeURIComponent(texts[n % texts.length]!)}`;
  await parts.times.take(PATHS.search, dueMs, () => parts.client.ask({ path, cookie }));
}

const EXPORTED = ['/api/merchants/intents', '/api/v2/invoices', '/api/v2/customers'];

async function exportList(parts: LoadParts, dueMs: number, n: number): Promise<void> {
  const { cookie } = merchantOf(parts, n);
  const since = new Date(Date.now() - 90 * 86_400_000).toISOString();
  const path = `${EXPORTED[n % EXPORTED.length]}?createdFrom=${since}`;
  await parts.times.take(PATHS.export, dueMs, () => parts.client.ask({ path, cookie, accept: 'text/csv' }));
}

function placeOf(
  { projects }: Pick<DayMerchant, 'projects'>,
  n: number,
): { project: DayProject; customer: string } {
  const project = projects[Math.floor(Math.random() * projects.length)]!;
  return { project, customer: project.customers[n % project.customers.length]! };
}
