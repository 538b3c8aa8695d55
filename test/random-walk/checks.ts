import { isDeepStrictEqual } from 'node:util';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { dateAt, startOfDate } from '../../src/platform/lib/local-days.ts';
import { readPdf } from '../support/read-pdf.ts';
import type { Json, Shop } from './shop.ts';

/** Returns a line for each contradiction in a merchant's books. */
export async function compareBooks(shop: Shop): Promise<string[]> {
  const books = await readBooks(shop);
  const parts = [
    compareWithEvents(books),
    await compareBalances(shop, books),
    await compareStats(shop, books),
    await compareOverview(shop, books),
    await compareJournal(shop),
    await compareChain(shop, books),
    compareNumbers(books),
    await compareFinal(shop, books),
    await compareCsv(shop, books),
  ];
  return parts.flat().map((line) => `${shop.timeZone}: ${line}`);
}

interface Books {
  events: Json[];
  intents: Json[];
  invoices: Json[];
  sessions: Json[];
  subscriptions: Json[];
  customers: Json[];
  refunds: Json[];
  exceptions: Json[];
}

async function readBooks(shop: Shop): Promise<Books> {
  const list = (name: string) => shop.all(`/api/v2/${name}`);
  return {
    events: await list('events'),
    intents: await shop.all('/api/merchants/intents'),
    invoices: await list('invoices'),
    sessions: await list('checkout-sessions'),
    subscriptions: await list('subscriptions'),
    customers: await list('customers'),
    refunds: await list('refunds'),
    exceptions: await list('exceptions'),
  };
}

const KINDS = [
  ['invoice', 'invoices'],
  ['checkoutSession', 'sessions'],
  ['subscription', 'subscriptions'],
  ['refund', 'refunds'],
  ['exception', 'exceptions'],
] as const;

/** Fields that depend on the time of reading, and those that only links show. */
const BY_TIME = new Set(['isOverdue', 'hasAccess', 'checkoutUrl', 'claimUrl', 'renewalCheckoutUrl']);

/** Every object as it is read is what its last event says. */
function compareWithEvents(books: Books): string[] {
  const found: string[] = [];
  for (const [name, list] of KINDS) {
    // Newest first: the first of an object is its last.
    const last = new Map<string, Json>();
    for (const { event, data, sequence } of books.events) {
      const object = data[name];
      const known = object && last.get(object.id);
      if (object && (!known || known.sequence < sequence)) last.set(object.id, { event, object, sequence });
    }
    for (const object of books[list]) {
      const told = last.get(object.id);
      if (!told) continue;
      for (const field of Object.keys(told.object)) {
        if (BY_TIME.has(field) || !(field in object)) continue;
        if (!isDeepStrictEqual(object[field], told.object[field]))
          found.push(
            `${name} ${object.id} ${field}: ${JSON.stringify(object[field])}, but ${told.event} said ${JSON.stringify(told.object[field])}`,
          );
      }
    }
  }
  const lastOf = new Map<string, Json>();
  for (const { data, event, sequence, status } of books.events) {
    if (!event.startsWith('payment_intent.')) continue;
    const known = lastOf.get(data.paymentIntentId);
    if (!known || known.sequence < sequence) lastOf.set(data.paymentIntentId, { data, status, sequence });
  }
  for (const intent of books.intents) {
    const told = lastOf.get(intent.id);
    if (told && (told.status !== intent.status || told.data.amountCents !== intent.amountReceivedCents))
      found.push(
        `intent ${intent.id}: ${intent.status} ${intent.amountReceivedCents}, but its event said ${told.status} ${told.data.amountCents}`,
      );
  }
  return found;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

async function compareBalances(shop: Shop, { customers }: Books): Promise<string[]> {
  const found: string[] = [];
  for (const { id, creditBalance, accountCreditCents } of customers) {
    const entries = await shop.all(`/api/v2/customers/${id}/balance-entries`);
    const credits = sum(entries.map(({ deltaCredits }) => deltaCredits));
    const cents = sum(entries.map(({ deltaCents }) => deltaCents));
    if (credits !== creditBalance || cents !== accountCreditCents || credits < 0 || cents < 0)
      found.push(
        `customer ${id} has ${creditBalance} credits and ${accountCreditCents} cents, but entries of ${credits} and ${cents}`,
      );
  }
  return found;
}

/** The chart counts what the list of payments shows, day by day of the shop's calendar. */
async function compareStats(shop: Shop, { intents }: Books): Promise<string[]> {
  const { body: stats } = await shop.call('GET', '/api/b2b/merchants/stats');
  const created = new Map<string, number>();
  for (const { createdAt } of intents) {
    const day = dateAt(new Date(createdAt), shop.timeZone);
    created.set(day, (created.get(day) ?? 0) + 1);
  }
  const found: string[] = [];
  for (const { date, transactions } of stats.chartData) {
    const day = date.slice(0, 10);
    if (date !== `${day}T00:00:00.000Z`) found.push(`stats have the day ${date}`);
    if ((created.get(day) ?? 0) !== transactions)
      found.push(`stats count ${transactions} payments on ${day}, the list ${created.get(day) ?? 0}`);
  }
  const from = startOfDate(stats.chartData[0].date.slice(0, 10), shop.timeZone).toISOString();
  const succeeded = await shop.all('/api/merchants/intents', `&status=succeeded&succeededFrom=${from}`);
  const volume = sum(succeeded.map(({ amountReceivedCents }) => amountReceivedCents));
  if (volume !== stats.totalVolumeCents)
    found.push(`stats have a volume of ${stats.totalVolumeCents}, the payments of ${volume}`);
  if (succeeded.length !== stats.successfulTransactions)
    found.push(`stats count ${stats.successfulTransactions} successes, the list ${succeeded.length}`);
  return found;
}

async function compareOverview(shop: Shop, { invoices, customers }: Books): Promise<string[]> {
  const { body } = await shop.call('GET', '/api/v2/billing/overview');
  const open = invoices.filter(({ status, number }) => status === 'open' && number !== null);
  const wanted = {
    openInvoicesCount: open.length,
    openInvoicesCents: sum(open.map(({ amountDueCents }) => amountDueCents)),
    creditsOutstanding: sum(customers.map(({ creditBalance }) => creditBalance)),
    accountCreditOutstandingCents: sum(customers.map(({ accountCreditCents }) => accountCreditCents)),
  };
  return Object.entries(wanted)
    .filter(([name, value]) => body[name] !== value)
    .map(([name, value]) => `overview ${name} is ${body[name]}, the lists say ${value}`);
}

const ALWAYS = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';

const amountOf = (row: Record<string, string>) => Number(row.debitCents) - Number(row.creditCents);

/** Each entry of the journal balances, and it owes customers what their balances say. */
async function compareJournal(shop: Shop): Promise<string[]> {
  const rows = await shop.csv('/api/v2/general-ledger', `?${ALWAYS}`);
  const found: string[] = [];
  for (const [id, lines] of Map.groupBy(rows, ({ entryId }) => entryId))
    if (sum(lines.map(amountOf)) !== 0) found.push(`entry ${id} of the journal does not balance`);
  const credit = -sum(rows.filter(({ account }) => account === 'Account credit').map(amountOf));
  const customers = await shop.all('/api/v2/customers');
  const owed = sum(customers.map(({ accountCreditCents }) => accountCreditCents));
  if (credit !== owed) found.push(`the journal owes ${credit} of account credit, customers have ${owed}`);
  return found;
}

/**
 * The wallet of the journal is what the chain has at the payout address. The sandbox sends refunds from a wallet of its
 * own, so what was sent is still there.
 */
async function compareChain(shop: Shop, { refunds }: Books): Promise<string[]> {
  if (!shop.payoutAddress) return [];
  const response = await fetch(shop.chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'getTokenAccountsByOwner' },
      params: [
        shop.payoutAddress,
        { mint: USDC_MINTS.sandbox },
        { encoding: 'jsonParsed', commitment: 'finalized' },
      ],
    }),
  });
  const { result } = (await response.json()) as Json;
  const units = sum(
    result.value.map(({ account }: Json) => Number(account.data.parsed.info.tokenAmount.amount)),
  );
  const rows = await shop.csv('/api/v2/general-ledger', `?${ALWAYS}`);
  const wallet = sum(rows.filter(({ account }) => account === 'USDC wallet').map(amountOf));
  const sent = sum(refunds.map(({ amountSentCents }) => amountSentCents));
  const wanted = Math.floor(units / 10_000);
  return wallet + sent === wanted
    ? []
    : [`the wallet of the journal has ${wallet} and sent ${sent}, the chain has ${wanted}`];
}

function compareNumbers({ invoices }: Books): string[] {
  const numbers = invoices.flatMap(({ number }) =>
    number === null ? [] : [Number(number.split('-').pop())],
  );
  const sorted = numbers.sort((one, other) => one - other);
  return sorted.every((number, at) => number === at + 1) ? [] : [`invoice numbers have a gap: ${sorted}`];
}

/** A decision of the merchant may change these of a paid invoice. */
const MAY_CHANGE = new Set(['refundedCents', 'metadata', 'sentAt', 'remindedAt', 'checkoutUrl']);

async function compareFinal(shop: Shop, { invoices }: Books): Promise<string[]> {
  const found: string[] = [];
  for (const invoice of invoices.filter(({ status }) => status === 'paid')) {
    const json = JSON.stringify(invoice, (key, value) => (MAY_CHANGE.has(key) ? undefined : value));
    const known = shop.final.get(invoice.id);
    if (known && known.json !== json)
      found.push(`paid invoice ${invoice.number} was ${known.json}, is ${json}`);
    if (invoice.refundedCents > 0) continue;
    const pdf = (await readPdf(await pdfOf(shop, invoice.id))).join('\n');
    if (known?.pdf && known.pdf !== pdf) found.push(`the PDF of paid invoice ${invoice.number} has changed`);
    if (!known) shop.final.set(invoice.id, { json, pdf });
  }
  return found;
}

async function pdfOf(shop: Shop, id: string): Promise<Uint8Array> {
  const response = await shop.fetch('GET', `/api/v2/invoices/${id}/pdf`);
  if (!response.ok) throw new Error(`the PDF of ${id}: ${response.status} ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function compareCsv(shop: Shop, books: Books): Promise<string[]> {
  const found: string[] = [];
  for (const [path, rows] of [
    ['/api/v2/invoices', books.invoices],
    ['/api/v2/refunds', books.refunds],
    ['/api/v2/customers', books.customers],
    ['/api/merchants/intents', books.intents],
  ] as const) {
    const ids = (await shop.csv(path)).map(({ id }) => id);
    if (
      !isDeepStrictEqual(
        ids,
        rows.map(({ id }) => id),
      )
    )
      found.push(`${path} as CSV has ${ids.length} rows, as JSON ${rows.length}, or in another order`);
  }
  return found;
}
