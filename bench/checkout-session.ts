import { join } from 'node:path';
import type pg from 'pg';
import type { BenchResult, BenchRun } from './bench.ts';
import { ADD_CARTS, cart, MAKE_CATALOG, oneItem, type Place } from './catalog.ts';
import { alternate, spreadOf } from './rounds.ts';
import { runPgbench, runWrk } from './tools.ts';
import { demoKey, newSeed, socketFolder, withWorkshop } from './workshop.ts';

const CONNECTIONS = 64;
const CUSTOMERS = 10_000;
const PROJECTS = 50;
const SECONDS_EACH = 8;
const CART_AT_LEAST = 0.8;

/**
 * Checkout sessions created per second over HTTP, by price and customer, against as many connections of pgbench that
 * read and write the same rows in one transaction each, with the same invoice numbers without gaps: all in one
 * project, where one commit waits for the other, and in many. The worse of both ratios counts. Then carts of three
 * lines with a discount and tax, against the sessions with one price.
 */
export function checkoutSession({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({ name: 'service', env: { FLORIN_DATA: data }, profileFolder });
    const key = demoKey(service);
    const db = await shop.connect(data);
    const { rows: places } = await db.query<Place>(MAKE_CATALOG, [PROJECTS, CUSTOMERS]);
    const answer = await createOne(service.url, key, places[0]!);
    const { rows: told } = await db.query(EXAMPLES);
    await db.query('vacuum analyze');
    await db.query('checkpoint');

    const create = async (bodies: readonly string[], step: number, seconds: number) => {
      const args = [key, newSeed(), String(CUSTOMERS), String(step), bodies.join('\n')];
      const run = { script: 'checkout-session.lua' as const, args, connections: CONNECTIONS, seconds };
      return (await runWrk({ url: service.url, ...run })).requestsPerSecond;
    };
    const plain = places.map(oneItem);
    const sides = (of: string, step: number) => ({
      of,
      ours: (seconds: number) => create(plain, step, seconds),
      yardstick: (seconds: number) =>
        runPgbench({
          socketFolder: socketFolder(data),
          database: 'florin',
          script: 'checkout-session.sql',
          variables: {
            merchant: places[0]!.merchant,
            customers: String(CUSTOMERS),
            step: String(step),
            answer,
            ...told[0],
          },
          connections: CONNECTIONS,
          seconds,
        }),
    });
    const timing = { rounds, secondsEach: SECONDS_EACH };
    const one = await alternate(sides('one project', PROJECTS), timing, say);
    const many = await alternate(sides(`${PROJECTS} projects`, 1), timing, say);
    const { rows: added } = await db.query(ADD_CARTS);
    const carts = places.map((place) =>
      cart({ ...place, ...added.find(({ project }) => project === place.project) }),
    );
    const cartRounds = await alternate(
      {
        of: 'carts',
        ours: (seconds) => create(carts, 1, seconds),
        yardstick: (seconds) => create(plain, 1, seconds),
      },
      timing,
      say,
    );
    await checkRows(db);
    const worst = [spreadOf(one), spreadOf(many)].sort((a, b) => a.median - b.median)[0]!;
    return {
      ratio: worst.median,
      spread: worst,
      unit: 'sessions/s',
      rounds: [...one, ...many],
      extra: {
        oneProject: spreadOf(one),
        manyProjects: spreadOf(many),
        cart: { ...spreadOf(cartRounds), atLeast: CART_AT_LEAST, rounds: cartRounds },
      },
    };
  });
}

/** Texts that the service has written, for pgbench to write the same. */
const EXAMPLES = `
  select max(body) filter (where event = 'invoice.created') as invoicebody,
         max(body) filter (where event = 'checkout.session.created') as sessionbody,
         (select lines::text from invoices) as lines
    from events`;

async function createOne(url: string, key: string, place: { project: string; price: string }) {
  const response = await fetch(`${url}/api/v2/checkout-sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({
      projectId: place.project,
      priceId: place.price,
      mode: 'one_time',
      externalCustomerId: `user-${PROJECTS}`,
      merchantReference: 'order-1f2e3d4c-12345',
    }),
  });
  if (response.status !== 201) throw new Error(`the first session failed: ${await response.text()}`);
  return response.text();
}

/** The race is only fair when both wrote everything, and no number was left out. */
async function checkRows(db: pg.Client): Promise<void> {
  const { rows } = await db.query(
    `select (select count(*)::int from checkout_sessions) as sessions,
            (select count(*)::int from payment_intents where session_ordering_key is not null) as intents,
            (select count(*)::int from idempotency_keys) as keys,
            (select count(*)::int / 2 from events) as events,
            (select sum(last_invoice_number)::int from projects) as numbers,
            (select count(*)::int from invoices) as invoices`,
  );
  const counts = new Set(Object.values(rows[0]));
  if (counts.size !== 1) throw new Error(`not the same number of everything: ${JSON.stringify(rows[0])}`);
}
