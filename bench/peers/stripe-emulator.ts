import { startForeign } from '../processes.ts';
import type { Workshop } from '../workshop.ts';
import { post } from './drive.ts';
import { type Flow, freePort, installPeer, versionOf } from './peer.ts';

/** Less than an hour's limit of one key, which cannot be switched off. */
const REQUESTS_OF_A_KEY = 1_000;

/** A payment intent, and a checkout session of three lines: both kept in memory alone. */
export async function stripeEmulator(shop: Workshop, say: (line: string) => void): Promise<Flow[]> {
  const cwd = await installPeer('stripe-emulator', say);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startForeign('node_modules/emulate/dist/index.js', {
    folder: shop.folder,
    name: 'stripe-emulator',
    cwd,
    args: ['--service', 'stripe', '--port', String(port)],
    url,
    ready: /Ready\./,
  });
  shop.onClose(() => server.stop());
  let requests = 0;
  const make = (path: string, fields: Record<string, string>) => {
    const key = `sk_test_emulated${Math.floor(requests++ / REQUESTS_OF_A_KEY)}`;
    const headers = { authorization: `Bearer ${key}` };
    return post<{ id: string }>(`${url}/v1/${path}`, new URLSearchParams(fields).toString(), headers);
  };
  const product = (await make('products', { name: 'Coffee' })).body.id;
  const lines: Record<string, string> = {};
  for (const [i, quantity] of [3, 2, 1].entries()) {
    const price = await make('prices', { product, currency: 'usd', unit_amount: String(500 + i) });
    lines[`line_items[${i}][price]`] = price.body.id;
    lines[`line_items[${i}][quantity]`] = String(quantity);
  }
  const cart = { mode: 'payment', success_url: 'http://localhost/', ...lines };
  const program = `emulate ${await versionOf(cwd, 'emulate')} (Stripe, in memory)`;
  return [
    {
      name: 'stripe-emulator intent',
      what: `${program}: payment intent`,
      requests: 1,
      processes: [server],
      run: () => make('payment_intents', { amount: '54321', currency: 'usd' }),
    },
    {
      name: 'stripe-emulator cart',
      what: `${program}: checkout session`,
      requests: 1,
      processes: [server],
      run: () => make('checkout/sessions', cart),
    },
  ];
}
