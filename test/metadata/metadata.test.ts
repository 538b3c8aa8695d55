import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_METADATA_KEYS } from '../../src/platform/lib/metadata.ts';
import {
  bring,
  listEvents,
  newCustomer,
  newPlan,
  newPrice,
  newProject,
  newSession,
} from '../support/billing.ts';
import { visit } from '../support/portal.ts';
import { call, type TestMerchant, type TestService, testService } from '../support/service.ts';

let service: TestService;
let shop: TestMerchant;
let other: TestMerchant;
let projectId: string;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let kinds: Record<string, Kind>, price: any;

interface Kind {
  /** Path and body that create it with metadata; absent if metadata can only be added later. */
  create?: { path: string; body(): Promise<object> | object };
  /** One that exists. */
  make(): Promise<{ id: string }>;
  path: string;
}

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  other = await service.createMerchant('Other');
  projectId = (await newProject(shop)).id;
  price = await newPrice(shop, projectId);
  kinds = everyKind();
});

const v2 = (path: string) => `/api/v2${path}`;

/** Created by its own endpoint, with metadata in the same body. */
function created(path: string, body: () => object): Kind {
  const make = async () => (await shop.call('POST', v2(path), body())).body;
  return { create: { path: v2(path), body }, make, path: v2(path) };
}

function everyKind(): Record<string, Kind> {
  const sold = { projectId, priceId: price.id };
  const session = () => newSession(shop, projectId);
  return {
    customer: created('/customers', () => ({ projectId })),
    product: created('/products', () => ({ projectId, name: 'Tea' })),
    price: created('/prices', () => ({
      projectId,
      productId: price.productId,
      unitAmountCents: 100,
      billingMode: 'one_time',
    })),
    'payment link': created('/payment-links', () => sold),
    'checkout session': created('/checkout-sessions', () => ({
      projectId,
      mode: 'one_time',
      amountCents: 500,
    })),
    refund: {
      create: { path: v2('/refunds'), body: paidPayment },
      make: async () => (await shop.call('POST', v2('/refunds'), await paidPayment())).body,
      path: v2('/refunds'),
    },
    invoice: { make: async () => ({ id: (await session()).invoiceId }), path: v2('/invoices') },
    subscription: {
      async make() {
        const plan = await newPlan(shop, projectId);
        const more = { mode: 'subscription', priceId: plan.id, customerName: 'Ada' };
        return { id: (await newSession(shop, projectId, more)).subscriptionId };
      },
      path: v2('/subscriptions'),
    },
    intent: {
      make: async () =>
        (await shop.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'o' })).body,
      path: '/api/merchants/intents',
    },
  };
}

async function paidPayment() {
  const session = await newSession(shop, projectId);
  await bring(service, shop, session, 500);
  return { paymentIntentId: session.paymentIntentId, reason: 'other' };
}

const NAMES = [
  ...['customer', 'product', 'price', 'payment link', 'checkout session', 'refund'],
  ...['invoice', 'subscription', 'intent'],
];
const CREATED = NAMES.slice(0, 6);
const read = async (kind: Kind, id: string) => (await shop.call('GET', `${kind.path}/${id}`)).body;
const patch = (kind: Kind, id: string, metadata: unknown) =>
  shop.call('PATCH', `${kind.path}/${id}`, typeof metadata === 'string' ? metadata : { metadata });
const full = Object.fromEntries(
  Array.from({ length: MAX_METADATA_KEYS }, (_, i) => [`key ${i}`, 'x'.repeat(500)]),
);

describe.each(NAMES)('%s', (name) => {
  test('{} where nothing was said', async () => {
    const kind = kinds[name]!;
    expect((await read(kind, (await kind.make()).id)).metadata).toEqual({});
  });

  test('200: keys are added, replaced and removed one by one, by both versions', async () => {
    const kind = kinds[name]!;
    const { id } = await kind.make();
    const first = await patch(kind, id, { tier: 'gold', 'ünï 日本': '🦀\nsecond line', empty: '' });
    expect([first.status, first.body.metadata]).toEqual([
      200,
      { tier: 'gold', empty: '', 'ünï 日本': '🦀\nsecond line' },
    ]);
    const older = kind.path.replace('/api/v2', '/api');
    const second = await shop.call('PATCH', `${older}/${id}`, {
      metadata: { tier: 'silver', empty: null, unknown: null, region: 'eu' },
    });
    const expected = { tier: 'silver', region: 'eu', 'ünï 日本': '🦀\nsecond line' };
    expect([second.status, second.body.metadata]).toEqual([200, expected]);
    expect((await read(kind, id)).metadata).toEqual(expected);
    // The same bytes from every operation.
    expect(JSON.stringify((await read(kind, id)).metadata)).toBe(JSON.stringify(second.body.metadata));
    expect((await patch(kind, id, {})).body.metadata).toEqual(expected);
    expect((await patch(kind, id, undefined)).body.metadata).toEqual(expected);
  });

  test('200 for 50 full keys; 400 for one more, and nothing is written', async () => {
    const kind = kinds[name]!;
    const { id } = await kind.make();
    expect((await patch(kind, id, full)).status).toBe(200);
    const more = await patch(kind, id, { tier: 'gold' });
    expect([more.status, more.body.error.message]).toEqual([
      400,
      'metadata must have at most 50 keys, and would have 51',
    ]);
    expect((await read(kind, id)).metadata).toEqual(full);
    expect((await patch(kind, id, { tier: 'gold', 'key 0': null })).status).toBe(200);
  });

  test('400 for what is no metadata, naming it, and nothing is written', async () => {
    const kind = kinds[name]!;
    const { id } = await kind.make();
    for (const [sent, message] of REFUSED) {
      const answer = await patch(kind, id, `{"metadata":${sent}}`);
      expect([sent, answer.status, answer.body.error?.message]).toEqual([sent, 400, message]);
    }
    expect((await read(kind, id)).metadata).toEqual({});
  });

  test('found by key and value in its list, newest first, by nobody else, and as a column of JSON', async () => {
    const kind = kinds[name]!;
    const [one, two] = [await kind.make(), await kind.make()];
    const tag = name.replace(' ', '-');
    for (const { id } of [one, two]) await patch(kind, id, { tag, id });
    const list = async (query: string, who = shop) => {
      const { body } = await who.call('GET', `${kind.path}?${query}`);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await list(`metadata=tag:${tag}`)).toEqual([two.id, one.id]);
    expect(await list(`metadata=tag:${tag}&limit=1`)).toEqual([two.id]);
    expect(await list(`metadata=tag:${tag}&metadata=id:${one.id}`)).toEqual([one.id]);
    expect(await list(`metadata=tag:${tag}&metadata=tag:other`)).toEqual([]);
    expect(await list(`metadata=tag:${tag.slice(1)}`)).toEqual([]);
    expect(await list(`metadata=tag:${tag}`, other)).toEqual([]);
    const csv = await shop.call('GET', `${kind.path}?metadata=tag:${tag}`, undefined, { accept: 'text/csv' });
    const [head, ...rows] = csv.text.trim().split('\r\n');
    expect(head!.split(',')).toContain('metadata');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain(`"{""id"":""${two.id}"",""tag"":""${tag}""}"`);
    for (const wrong of ['tag', ':x', `${'k'.repeat(41)}:x`]) {
      const answer = await shop.call('GET', `${kind.path}?metadata=${wrong}`);
      expect([wrong, answer.status, answer.body.error.message]).toEqual([
        wrong,
        400,
        expect.stringMatching(/^metadata/),
      ]);
    }
  });
});

const REFUSED: readonly [string, string][] = [
  ['[]', 'metadata must be an object'],
  ['"x"', 'metadata must be an object'],
  ['null', 'metadata must be an object'],
  ['{"a":1}', 'metadata.a must be a string or null'],
  ['{"a":{"b":"c"}}', 'metadata.a must be a string or null'],
  ['{"a/b~c":true}', 'metadata.a/b~c must be a string or null'],
  [`{"a":"${'x'.repeat(501)}"}`, 'metadata.a must be at most 500 characters'],
  ['{"a":"\\u0007"}', 'metadata.a must not contain control characters'],
  ['{"":"x"}', 'metadata key "" must be 1 to 40 characters'],
  [`{"${'k'.repeat(41)}":"x"}`, `metadata key "${'k'.repeat(41)}" must be 1 to 40 characters`],
  ['{"a\\nb":"x"}', 'metadata key "a\\nb" must not contain control characters'],
  ['{"__proto__":"x"}', 'metadata key "__proto__" has an invalid format (this name is reserved)'],
  [
    '{"__proto__":{"polluted":"yes"}}',
    'metadata key "__proto__" has an invalid format (this name is reserved)',
  ],
  ['{"a":"\\u0000"}', 'body has a NUL character in a string'],
  ['{"a\\u0000":"x"}', 'body has a NUL character in a string'],
  ['{"a":"\\ud800"}', 'body has half a surrogate pair in a string'],
  ['{"a":"1","a":"2"}', 'body has the key "a" twice'],
];

describe.each(CREATED)('a new %s', (name) => {
  test('201 with its metadata, which is a part of what an Idempotency-Key stands for', async () => {
    const { path, body } = kinds[name]!.create!;
    const given = { ...(await body()), metadata: { tier: 'gold', region: 'eu' } };
    const headers = { 'idempotency-key': `${name}-1` };
    const first = await shop.call('POST', path, given, headers);
    expect([first.status, first.body.metadata]).toEqual([201, given.metadata]);
    const repeated = { ...given, metadata: { region: 'eu', tier: 'gold' } };
    expect((await shop.call('POST', path, repeated, headers)).text).toBe(first.text);
    const changed = { ...given, metadata: { tier: 'silver', region: 'eu' } };
    const refused = await shop.call('POST', path, changed, headers);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect((await read(kinds[name]!, first.body.id)).metadata).toEqual(given.metadata);
  });

  test('400 for metadata that is none, and nothing is created', async () => {
    const { path, body } = kinds[name]!.create!;
    const given = JSON.stringify(await body()).slice(0, -1);
    const count = async () => (await shop.call('GET', `${kinds[name]!.path}?limit=100`)).body.data.length;
    const before = await count();
    for (const [sent, message] of REFUSED) {
      const answer = await shop.call('POST', path, `${given},"metadata":${sent}}`);
      const expected = message.replace(' or null', '');
      expect([sent, answer.status, answer.body.error?.message]).toEqual([sent, 400, expected]);
    }
    const tooMany = { ...full, more: '' };
    const answer = await shop.call('POST', path, `${given},"metadata":${JSON.stringify(tooMany)}}`);
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'metadata must have at most 50 properties',
    ]);
    expect(await count()).toBe(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

test('the interface’s own creation of an intent takes no other properties; metadata is noted afterwards', async () => {
  const answer = await shop.call('POST', '/api/merchants/intents', {
    amountCents: 1,
    orderId: 'strict',
    metadata: {},
  });
  expect([answer.status, answer.body.error.message]).toEqual([400, 'metadata is not a known property']);
});

describe('where it goes', () => {
  const metadata = { cart: 'c-17', constructor: 'kept' };

  test('from a session to its intent, its invoice and the events of all three', async () => {
    for (const more of [{}, { externalCustomerId: 'batched' }, { externalCustomerId: 'batched' }]) {
      const session = await newSession(shop, projectId, { metadata, ...more });
      await bring(service, shop, session, 500);
      expect((await read(kinds.intent!, session.paymentIntentId)).metadata).toEqual(metadata);
      expect((await read(kinds.invoice!, session.invoiceId)).metadata).toEqual(metadata);
      const events = (await listEvents(service, shop.id)).filter(
        ({ orderingKey }) => orderingKey === session.id,
      );
      const noted = events.map(({ body }) => [
        body.event,
        body.metadata ?? body.data.invoice?.metadata ?? body.data.checkoutSession?.metadata,
      ]);
      expect(noted).toEqual([
        ['invoice.created', metadata],
        ['checkout.session.created', metadata],
        ['payment_intent.succeeded', metadata],
        ['invoice.paid', metadata],
        ['checkout.session.completed', metadata],
      ]);
      const intentEvent = events.find(({ event }) => event === 'payment_intent.succeeded')!.body;
      expect(Object.keys(intentEvent.data)).toEqual([
        ...['paymentIntentId', 'orderId', 'amountCents', 'expectedAmountCents', 'txSignature'],
      ]);
    }
  });

  test('from a link to its sessions and on to what they become; later changes of the link stay there', async () => {
    const plan = await newPlan(shop, projectId);
    const given = { projectId, priceId: plan.id, metadata };
    const { body: link } = await shop.call('POST', v2('/payment-links'), given);
    const start = async () => {
      const begun = await call(`${service.url}/api/payment-links/${link.publicToken}/checkout`, 'POST', {});
      expect(begun.text).not.toContain('c-17');
      return read(kinds['checkout session']!, begun.body.sessionId);
    };
    const session = await start();
    expect(session.metadata).toEqual(metadata);
    await patch(kinds['payment link']!, link.id, { cart: 'c-18' });
    await bring(service, shop, session, 1000);
    const { subscriptionId, invoiceId } = await read(kinds['checkout session']!, session.id);
    expect((await read(kinds.subscription!, subscriptionId)).metadata).toEqual(metadata);
    expect((await read(kinds.invoice!, invoiceId)).metadata).toEqual(metadata);
    expect((await start()).metadata).toEqual({ ...metadata, cart: 'c-18' });
  });

  test('200 in the search, exactly so, for every kind', async () => {
    const ids = new Map<string, string>();
    for (const [name, kind] of Object.entries(kinds)) {
      const { id } = await kind.make();
      await patch(kind, id, { 'search me': 'A:b' });
      ids.set(name, name === 'price' ? price.productId : id);
    }
    const find = async (q: string, who = shop) =>
      (await who.call('GET', v2(`/search?q=${encodeURIComponent(q)}`))).body.data;
    const found = (await find(' search me:A:b ')).map(({ id }: { id: string }) => id);
    expect(found.sort()).toEqual([...ids.values()].sort());
    for (const q of ['search me:a:b', 'search me:A', 'search:A:b', 'A:b'])
      expect([q, await find(q)]).toEqual([q, []]);
    expect(await find('search me:A:b', other)).toEqual([]);
  });

  test('nothing of it is in what a payer or a customer can read', async () => {
    const secret = { internalNote: 'payers-must-not-read-this' };
    const customer = await newCustomer(shop, projectId, { externalCustomerId: 'portal', metadata: secret });
    const product = { projectId, name: 'Plan', metadata: secret };
    const { body: sold } = await shop.call('POST', v2('/products'), product);
    const terms = { unitAmountCents: 1000, billingMode: 'subscription', recurringInterval: 'month' };
    const priced = { projectId, productId: sold.id, ...terms, metadata: secret };
    const { body: plan } = await shop.call('POST', v2('/prices'), priced);
    const { body: link } = await shop.call('POST', v2('/payment-links'), {
      projectId,
      priceId: plan.id,
      metadata: secret,
    });
    const session = await newSession(shop, projectId, {
      mode: 'subscription',
      priceId: plan.id,
      externalCustomerId: 'portal',
      metadata: secret,
    });
    await bring(service, shop, session, 1000);
    const { body: refund } = await shop.call('POST', v2('/refunds'), {
      paymentIntentId: session.paymentIntentId,
      reason: 'other',
      metadata: secret,
    });
    const claim = await shop.call('POST', v2(`/refunds/${refund.id}/claim-link`));
    const token = claim.body.url.split('/').pop();
    const visitor = await visit(service, shop, projectId, customer.id);
    const answers = [
      ...(await Promise.all(
        [
          ...[`/api/payment-links/${link.publicToken}`, `/api/v2/payment-links/${link.publicToken}`],
          ...[`/pay/${link.publicToken}`, new URL(session.checkoutUrl).pathname],
          ...[`/api/public/intents/${session.paymentIntentId}`, `/intents/${session.paymentIntentId}`],
          ...[`/api/public/refunds/${token}`, `/refunds/${token}`],
        ].map((path) => call(service.url + path, 'GET')),
      )),
      ...(await Promise.all(
        [
          ...['/subscriptions', `/subscriptions/${session.subscriptionId}`],
          ...[
            `/subscriptions/${session.subscriptionId}/plans`,
            '/invoices',
            `/invoices/${session.invoiceId}`,
          ],
          ...['/refunds', `/refunds/${refund.id}`, '/me'],
        ].map((path) => visitor.call('GET', path)),
      )),
    ];
    for (const { status, text } of answers) {
      expect([status, text.slice(0, 80)]).toEqual([200, text.slice(0, 80)]);
      expect(text).not.toMatch(/internalNote|payers-must-not-read-this|"metadata"/);
    }
  });
});
