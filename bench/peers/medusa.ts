import { startForeign } from '../processes.ts';
import { socketFolder, type Workshop } from '../workshop.ts';
import { post } from './drive.ts';
import { type Flow, freePort, installPeer, runPeer, versionOf } from './peer.ts';

const CLI = 'node_modules/@medusajs/cli/cli.js';
const CUSTOMERS = 10_000;
const USER = { email: 'bench@example.com', password: 'the password of a bench' };

/** A cart of three lines with tax, its payment collection and a payment session, as a storefront asks for them. */
export async function medusa(shop: Workshop, data: string, say: (line: string) => void): Promise<Flow> {
  const cwd = await installPeer('medusa', say);
  const admin = await shop.connect(data, 'postgres');
  await admin.query('create database medusa');
  const env = environment(data);
  say('medusa: migrations');
  await runPeer(cwd, [CLI, 'db:migrate'], env);
  await runPeer(cwd, [CLI, 'user', '-e', USER.email, '-p', USER.password], env);
  const port = await freePort();
  const server = await startForeign(CLI, {
    folder: shop.folder,
    name: 'medusa',
    cwd,
    args: ['start', '-p', String(port), '-H', '127.0.0.1'],
    env,
    url: `http://127.0.0.1:${port}`,
    ready: /Server is ready on port/,
  });
  shop.onClose(() => server.stop());
  const { key, region, variants } = await fill(server.url);
  const headers = { 'x-publishable-api-key': key };
  const address = { first_name: 'A', last_name: 'B', address_1: 'C 1', city: 'D', country_code: 'de' };
  const items = [3, 2, 1].map((quantity, i) => ({ variant_id: variants[i], quantity }));
  const cart = { region_id: region, shipping_address: address, items };
  let orders = 0;
  return {
    name: 'medusa',
    what: `Medusa ${await versionOf(cwd, '@medusajs/medusa')}: cart, payment collection and payment session`,
    requests: 3,
    database: 'medusa',
    processes: [server],
    async run() {
      // One of many: it refuses the same new customer in two carts at once.
      const email = `user-${orders++ % CUSTOMERS}@example.com`;
      const made = await post<{ cart: Made }>(`${server.url}/store/carts`, { ...cart, email }, headers);
      const collections = `${server.url}/store/payment-collections`;
      const asked = await post<{ payment_collection: Made }>(
        collections,
        { cart_id: made.body.cart.id },
        headers,
      );
      const sessions = `${collections}/${asked.body.payment_collection.id}/payment-sessions`;
      await post(sessions, { provider_id: 'pp_system_default' }, headers);
    },
  };
}

interface Made {
  id: string;
}

function environment(data: string): Record<string, string> {
  const origins = 'http://localhost';
  return {
    NODE_ENV: 'production',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    // Its migrations read the socket's folder from the host alone.
    DATABASE_URL: `postgres://florin@${encodeURIComponent(socketFolder(data))}/medusa`,
    ...{ STORE_CORS: origins, ADMIN_CORS: origins, AUTH_CORS: origins },
    ...{ JWT_SECRET: crypto.randomUUID(), COOKIE_SECRET: crypto.randomUUID() },
  };
}

/** Fills in a small shop: a region with tax, a sales channel with its key, three products without stock keeping. */
async function fill(url: string) {
  const { token } = (await post<{ token: string }>(`${url}/auth/user/emailpass`, USER)).body;
  const make = async <Body>(path: string, body: object) =>
    (await post<Body>(`${url}/admin/${path}`, body, { authorization: `Bearer ${token}` })).body;
  const { region } = await make<{ region: Made }>('regions', {
    name: 'Germany',
    currency_code: 'eur',
    countries: ['de'],
    payment_providers: ['pp_system_default'],
  });
  const vat = { name: 'VAT', code: 'vat', rate: 19 };
  await make('tax-regions', { country_code: 'de', provider_id: 'tp_system', default_tax_rate: vat });
  const { sales_channel: channel } = await make<{ sales_channel: Made }>('sales-channels', { name: 'Web' });
  const { api_key: key } = await make<{ api_key: Made & { token: string } }>('api-keys', {
    title: 'Web',
    type: 'publishable',
  });
  await make(`api-keys/${key.id}/sales-channels`, { add: [channel.id] });
  const variants: string[] = [];
  for (const amount of [12.5, 5, 2.51]) {
    const { product } = await make<{ product: { variants: Made[] } }>('products', {
      title: `Coffee at ${amount}`,
      status: 'published',
      sales_channels: [{ id: channel.id }],
      options: [{ title: 'Size', values: ['One'] }],
      variants: [
        {
          title: 'One',
          options: { Size: 'One' },
          manage_inventory: false,
          prices: [{ currency_code: 'eur', amount }],
        },
      ],
    });
    variants.push(product.variants[0]!.id);
  }
  return { key: key.token, region: region.id, variants };
}
