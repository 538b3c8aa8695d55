import type pg from 'pg';
import { ADD_CARTS, cart, MAKE_CATALOG, type Place } from '../catalog.ts';
import type { Running } from '../processes.ts';
import { demoKey } from '../workshop.ts';
import { post } from './drive.ts';
import type { Flow } from './peer.ts';

const CUSTOMERS = 10_000;
const PROJECTS = 50;

/** A bare payment intent, and a checkout of three lines with a discount and tax for one of many customers. */
export async function florin(service: Running, db: pg.Client): Promise<Flow[]> {
  const key = demoKey(service);
  const { rows: places } = await db.query<Place>(MAKE_CATALOG, [PROJECTS, CUSTOMERS]);
  const { rows: added } = await db.query(ADD_CARTS);
  const carts = places.map((place): object =>
    JSON.parse(`{${cart({ ...place, ...added.find(({ project }) => project === place.project) })}`),
  );
  const make = (path: string, body: object) =>
    post(`${service.url}/api/${path}`, body, {
      authorization: `Bearer ${key}`,
      'idempotency-key': crypto.randomUUID(),
    });
  let orders = 0;
  const common = { requests: 1, database: 'florin', processes: [service] };
  return [
    {
      name: 'florin intent',
      what: 'Florin: payment intent',
      ...common,
      run: () => make('merchants/intents', { amountCents: 54_321, orderId: `order-${orders++}` }),
    },
    {
      name: 'florin cart',
      what: 'Florin: checkout session',
      ...common,
      run() {
        const customer = (orders++ % CUSTOMERS) + 1;
        return make('v2/checkout-sessions', {
          externalCustomerId: `user-${customer}`,
          merchantReference: `order-${orders}`,
          ...carts[customer % PROJECTS],
        });
      },
    },
  ];
}
