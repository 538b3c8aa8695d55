import { type Running, startForeign } from '../processes.ts';
import { socketFolder, type Workshop } from '../workshop.ts';
import { post } from './drive.ts';
import { type Flow, freePort, installPeer, runPeer, versionOf } from './peer.ts';

const CUSTOMERS = 10_000;

/** An order of three lines with tax, a customer and shipping, brought to ArrangingPayment, as a storefront does. */
export async function vendure(shop: Workshop, data: string, say: (line: string) => void): Promise<Flow> {
  const cwd = await installPeer('vendure', say);
  const admin = await shop.connect(data, 'postgres');
  await admin.query('create database vendure');
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    VENDURE_DISABLE_TELEMETRY: 'true',
    PGHOST: socketFolder(data),
    PORT: String(port),
    COOKIE_SECRET: crypto.randomUUID(),
  };
  say('vendure: tables and products');
  await runPeer(cwd, ['populate.js'], env);
  const url = `http://127.0.0.1:${port}`;
  const start = async (name: 'server' | 'worker', ready: RegExp): Promise<Running> => {
    const options = { folder: shop.folder, name: `vendure-${name}`, cwd, env, url, ready };
    const running = await startForeign(`${name}.js`, options);
    shop.onClose(() => running.stop());
    return running;
  };
  const processes = [await start('server', /^ready$/m), await start('worker', /^ready$/m)];
  let orders = 0;
  return {
    name: 'vendure',
    what: `Vendure ${await versionOf(cwd, '@vendure/core')}: order up to \`ArrangingPayment\``,
    requests: STEPS.length,
    database: 'vendure',
    processes,
    async run() {
      const emailAddress = `user-${orders++ % CUSTOMERS}@example.com`;
      let token = '';
      let state = '';
      for (const query of STEPS) {
        const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
        const { body, headers: told } = await post<Answered>(
          `${url}/shop-api`,
          { query, variables: { emailAddress } },
          headers,
        );
        token = String(told['vendure-auth-token'] ?? token);
        const step = body.data?.step;
        state = step?.state ?? step?.order?.state ?? '';
        if (!state) throw new Error(`vendure answered ${JSON.stringify(body)}`);
      }
      if (state !== 'ArrangingPayment') throw new Error(`an order of vendure is ${state}`);
    },
  };
}

interface Answered {
  data?: { step?: { state?: string; order?: { state: string } } };
}

const ORDER = '{ ... on Order { code state totalWithTax } ... on ErrorResult { errorCode message } }';

/** One request each, in the order of its guide to a checkout. */
const STEPS = [
  `mutation { step: addItemsToOrder(inputs: [{ productVariantId: 1, quantity: 3 },
     { productVariantId: 2, quantity: 2 }, { productVariantId: 3, quantity: 1 }]) { order { state } } }`,
  `mutation ($emailAddress: String!) {
     step: setCustomerForOrder(input: { firstName: "A", lastName: "B", emailAddress: $emailAddress }) ${ORDER} }`,
  `mutation { step: setOrderShippingAddress(
     input: { fullName: "A B", streetLine1: "C 1", city: "D", postalCode: "1", countryCode: "DE" }) ${ORDER} }`,
  `mutation { step: setOrderShippingMethod(shippingMethodId: [1]) ${ORDER} }`,
  `mutation { step: transitionOrderToState(state: "ArrangingPayment") ${ORDER} }`,
];
