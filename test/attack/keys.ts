import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Attack, allRefused, expected, held, refused } from './attack.ts';
import { newIntent, type Party, until } from './target.ts';

interface Made {
  createdAt: string;
}

const NO_ONE = '019b76da-a800-7000-8000-000000000001';
const webhook = (call: Party['call'], webhookUrl = 'https://evil.example/hook') =>
  call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl });

/** Attacks with a key on what it must not reach: other scopes, other merchants, other machines. */
export const keyAttacks: readonly Attack[] = [
  {
    name: 'payments key sets the webhook URL',
    tries: 'a key for payments alone sends the shop’s events elsewhere',
    run: async ({ alice }) =>
      refused(await webhook(await alice.callWith(['payments:read', 'payments:write'])), 403),
  },
  {
    name: 'payments key sets the payout address',
    tries: 'the same key sends the shop’s money elsewhere',
    async run({ alice, mallory }) {
      const call = await alice.callWith(['payments:read', 'payments:write']);
      const body = { payoutAddress: mallory.wallet.address };
      return refused(await call('PATCH', '/api/b2b/merchants/payout-address', body), 403);
    },
  },
  {
    name: 'reading key writes',
    tries: 'a key for reading creates an intent, a project and a link',
    async run({ alice }) {
      const call = await alice.callWith(['payments:read', 'billing:read']);
      const answers = [
        await call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'a' }),
        await call('POST', '/api/v2/projects', { name: 'a' }),
        await call('POST', '/api/v2/customers', { projectId: alice.projectId }),
      ];
      return allRefused(answers, 403);
    },
  },
  {
    name: 'key makes a stronger key',
    tries: 'a key for reading asks for one with all scopes',
    async run({ alice }) {
      const call = await alice.callWith(['payments:read']);
      const scopes = ['billing:read', 'billing:write', 'payments:read', 'payments:write'];
      return refused(await call('POST', '/api/b2b/merchants/generate-key', { scopes }), 403);
    },
  },
  {
    name: 'billing key reads payments',
    tries: 'a key for billing lists intents and exceptions',
    async run({ alice }) {
      const call = await alice.callWith(['billing:read', 'billing:write']);
      return allRefused([await call('GET', '/api/merchants/intents')], 403);
    },
  },
  {
    name: 'keys that are none',
    tries: 'cut, changed, of the other environment, as Basic, in the query, in a cookie',
    async run({ alice, stranger }) {
      const { apiKey } = alice;
      const path = '/api/b2b/merchants/me';
      const headers = [
        { authorization: `Bearer ${apiKey.slice(0, -1)}` },
        { authorization: `Bearer ${apiKey.slice(0, -1)}${apiKey.endsWith('A') ? 'B' : 'A'}` },
        { authorization: `Bearer ${apiKey.replace('fl_dev_', 'fl_live_')}` },
        { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` },
        { authorization: `Bearer ${apiKey} ${apiKey}` },
        { authorization: 'Bearer undefined' },
        { cookie: `authorization=Bearer ${apiKey}` },
      ];
      const answers = await Promise.all(
        headers.map((one) => stranger({ path, headers: one, from: '127.7.0.1' })),
      );
      const inQuery = await stranger({ path: `${path}?api_key=${apiKey}&key=${apiKey}`, from: '127.7.0.2' });
      return allRefused([...answers, inQuery], 400, 401);
    },
  },
  {
    name: 'revoked key',
    tries: 'a key after it was revoked',
    async run({ alice }) {
      const call = await alice.callWith(['payments:read']);
      const { body } = await alice.call('GET', '/api/b2b/merchants/keys');
      const newest = body.toSorted((a: Made, b: Made) => b.createdAt.localeCompare(a.createdAt))[0];
      expected(await alice.call('DELETE', `/api/b2b/merchants/keys/${newest.id}`), 200, 204);
      return refused(await call('GET', '/api/merchants/intents'), 401);
    },
  },
  {
    name: 'key from another tenant, reading',
    tries: 'Mallory’s key reads Alice’s intent, history, project, customer and terminal',
    async run({ alice, mallory }) {
      const { id } = await newIntent(alice);
      const customer = await alice.call('POST', '/api/v2/customers', { projectId: alice.projectId });
      const paths = [
        `/api/merchants/intents/${id}`,
        `/api/merchants/intents/${id}/history`,
        `/api/v2/projects/${alice.projectId}`,
        `/api/v2/customers/${customer.body.id}`,
        `/api/v2/customers/${customer.body.id}/balance-entries`,
      ];
      return allRefused(await Promise.all(paths.map((path) => mallory.call('GET', path))), 404);
    },
  },
  {
    name: 'key from another tenant, writing',
    tries: 'Mallory’s key cancels Alice’s intent, changes her project, bills her customer',
    async run({ alice, mallory }) {
      const { id } = await newIntent(alice);
      const { projectId } = alice;
      const answers = [
        await mallory.call('POST', `/api/merchants/intents/${id}/cancel`, {}),
        await mallory.call('PATCH', `/api/v2/projects/${projectId}`, {
          payoutAddress: mallory.wallet.address,
        }),
        await mallory.call('POST', '/api/v2/customers', { projectId }),
        await mallory.call('POST', '/api/v2/checkout-sessions', {
          projectId,
          mode: 'one_time',
          amountCents: 1,
        }),
        await mallory.call('POST', '/api/v2/usage', {
          projectId,
          metric: 'a',
          quantity: 1,
          idempotencyKey: 'a',
        }),
      ];
      return allRefused(answers, 400, 404);
    },
  },
  {
    name: 'foreign id inside one’s own',
    tries: 'Mallory’s own project with Alice’s customer, product and price',
    async run({ alice, mallory }) {
      const { projectId } = alice;
      const product = (await alice.call('POST', '/api/v2/products', { projectId, name: 'Tea' })).body;
      const mine = mallory.projectId;
      const price = { unitAmountCents: 1, billingMode: 'one_time' };
      const customer = (await alice.call('POST', '/api/v2/customers', { projectId })).body;
      const answers = [
        await mallory.call('POST', '/api/v2/prices', { projectId: mine, productId: product.id, ...price }),
        await mallory.call('POST', '/api/v2/portal-sessions', { projectId: mine, customerId: customer.id }),
        await mallory.call('POST', '/api/v2/usage', {
          projectId: mine,
          customerId: customer.id,
          metric: 'a',
          quantity: 1,
          idempotencyKey: 'b',
        }),
      ];
      return allRefused(answers, 400, 404);
    },
  },
  {
    name: 'foreign project in a filter',
    tries: 'lists filtered by Alice’s project and customer',
    async run({ alice, mallory }) {
      const lists = [
        'customers',
        'invoices',
        'checkout-sessions',
        'payment-links',
        'subscriptions',
        'products',
        'prices',
      ];
      const answers = await Promise.all(
        lists.map((list) => mallory.call('GET', `/api/v2/${list}?projectId=${alice.projectId}`)),
      );
      const rows = answers.flatMap(({ status, body }) => (status === 200 ? body.data : []));
      return held(rows.length === 0, `${lists.length} lists, nothing of hers`);
    },
  },
  {
    name: 'idempotency key of another merchant',
    tries: 'Mallory repeats Alice’s Idempotency-Key to be told her answer',
    async run({ alice, mallory }) {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { amountCents: 777, orderId: 'same' };
      const hers = await alice.call('POST', '/api/merchants/intents', body, headers);
      const his = await mallory.call('POST', '/api/merchants/intents', body, headers);
      return held(
        hers.body.id !== his.body.id && his.status === hers.status,
        'each has an intent of their own',
      );
    },
  },
  {
    name: 'idempotency key with another body',
    tries: 'the same key for a hundredfold amount',
    async run({ alice }) {
      const headers = { 'idempotency-key': randomUUID() };
      await alice.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'k' }, headers);
      return refused(
        await alice.call('POST', '/api/merchants/intents', { amountCents: 100, orderId: 'k' }, headers),
        409,
      );
    },
  },
  {
    name: 'mass assignment',
    tries: 'status, merchantId, amounts received and balances among the fields of a create',
    async run({ alice, mallory }) {
      const intent = { amountCents: 100, orderId: 'm' };
      const customer = { projectId: mallory.projectId };
      const answers = [
        await mallory.call('POST', '/api/merchants/intents', { ...intent, status: 'succeeded' }),
        await mallory.call('POST', '/api/merchants/intents', { ...intent, merchantId: alice.id }),
        await mallory.call('POST', '/api/merchants/intents', {
          ...intent,
          destinationAddress: mallory.wallet.address,
        }),
        await mallory.call('POST', '/api/v2/customers', { ...customer, creditBalance: 1_000_000 }),
        await mallory.call('POST', '/api/v2/projects', { name: 'a', merchantId: alice.id }),
        await mallory.call('PATCH', '/api/b2b/merchants/brand', {
          name: 'a',
          verificationStatus: 'verified',
        }),
      ];
      return allRefused(answers, 400);
    },
  },
  {
    name: 'webhook into the machine',
    tries: 'events sent to this machine and to private networks, in every spelling of an address',
    async run({ mallory }) {
      const listener = createServer().listen(0, '127.0.0.1');
      await once(listener, 'listening');
      let connections = 0;
      listener.on('connection', (socket) => {
        connections++;
        socket.destroy();
      });
      const { port } = listener.address() as AddressInfo;
      const hosts = [
        '127.0.0.1',
        'localhost',
        '2130706433',
        '0x7f000001',
        '127.1',
        '0.0.0.0',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '10.0.0.1',
        '169.254.169.254',
      ];
      for (const host of hosts) {
        const { status } = await webhook(mallory.call, `https://${host}:${port}/hook`);
        if (status !== 204) continue;
        expected(
          await mallory.call('POST', '/api/v2/sandbox/events', { event: 'payment_intent.succeeded' }),
          200,
          201,
          202,
        );
        await until(
          () => mallory.call('GET', '/api/v2/webhook-deliveries?limit=1'),
          ({ body }) => body.data[0]?.attempts.length > 0,
        );
      }
      listener.close();
      return held(connections === 0, `${hosts.length} addresses, no connection`);
    },
  },
  {
    name: 'webhook of another kind',
    tries: 'http:, file:, gopher: and a password as a webhook URL',
    async run({ mallory }) {
      const urls = [
        'http://shop.example/hook',
        'file:///etc/passwd',
        'gopher://a.example',
        'https://user:pass@shop.example/',
        'https://',
        'https://a.example:99999/',
      ];
      return allRefused(await Promise.all(urls.map((url) => webhook(mallory.call, url))), 400);
    },
  },
  {
    name: 'ids that never were',
    tries: 'reads, changes and cancels of an id out of thin air',
    async run({ mallory }) {
      const answers = [
        await mallory.call('GET', `/api/merchants/intents/${NO_ONE}`),
        await mallory.call('POST', `/api/merchants/intents/${NO_ONE}/cancel`, {}),
        await mallory.call('DELETE', `/api/b2b/merchants/keys/${NO_ONE}`),
        await mallory.call('POST', `/api/v2/webhook-deliveries/${NO_ONE}/resend`, {}),
      ];
      return allRefused(answers, 404);
    },
  },
];
