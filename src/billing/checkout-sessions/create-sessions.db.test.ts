import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventNames, expectSound, newCustomer, newPrice, newProject } from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
/** A second process's worth of service on the same database: it shares no memory with the first. */
let twin: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  twin = await testService({}, service.db);
  shop = await service.createMerchant();
});

beforeEach(async () => {
  projectId = (await newProject(shop)).id;
});

type Fields = Record<string, unknown>;

async function create(fields: Fields = {}, { key = randomUUID(), through = service, by = shop } = {}) {
  const response = await fetch(`${through.url}/api/v2/checkout-sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${by.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ projectId, mode: 'one_time', amountCents: 500, ...fields }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: JSON.parse(text),
    isReplay: response.headers.get('idempotent-replayed') === 'true',
  };
}

/** The first session of a project goes alone; whatever comes after it shares transactions. */
async function burst(wanted: readonly Fields[]) {
  expect((await create()).status).toBe(201);
  return Promise.all(wanted.map((fields) => create(fields)));
}

const transactionsOf = async (ids: readonly string[]) =>
  (
    await service.db.query<{ xmin: string }>(
      'select distinct xmin::text from checkout_sessions where id = any($1)',
      [ids],
    )
  ).length;

async function numbers(project = projectId): Promise<number[]> {
  const rows = await service.db.query<{ number: bigint }>(
    'select number from invoices where project_id = $1 order by number',
    [project],
  );
  return rows.map(({ number }) => Number(number));
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('sessions that are requested together', () => {
  test('share transactions; each is whole, and no number is left out', async () => {
    const price = await newPrice(shop, projectId);
    await newCustomer(shop, projectId, { externalCustomerId: 'known', email: 'k@example.com' });
    const answers = await burst(
      upTo(60).map((i) => ({
        merchantReference: `order-${i}`,
        ...(i % 2 ? { priceId: price.id, amountCents: undefined } : { amountCents: i }),
        ...(i % 3 === 0 && { externalCustomerId: 'known' }),
        ...(i % 3 === 1 && { externalCustomerId: `new-${i}`, customerName: 'New' }),
      })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const ids = answers.map(({ body }) => body.id);
    expect(await transactionsOf(ids)).toBeLessThan(30);
    expect(await numbers()).toEqual(upTo(61));
    for (const [i, { text, body }] of answers.entries()) {
      const read = await shop.call('GET', `/api/v2/checkout-sessions/${body.id}`);
      expect(read.text).toBe(text);
      expect(body.merchantReference).toBe(`order-${i + 1}`);
    }
    expect(answers[2]!.body).toMatchObject({ externalCustomerId: 'known', customerEmail: 'k@example.com' });
    expect(await eventNames(service, shop.id, ids[5])).toEqual([
      'invoice.created',
      'checkout.session.created',
    ]);
    await expectSound(service);
  });

  test('one that is refused says why and harms no neighbour', async () => {
    const sold = await newPrice(shop, projectId);
    const gone = await newPrice(shop, projectId);
    await shop.call('PATCH', `/api/v2/prices/${gone.id}`, { isActive: false });
    const elsewhere = await newPrice(shop, (await newProject(shop)).id);
    const answers = await burst([
      { priceId: sold.id, amountCents: undefined },
      { priceId: gone.id, amountCents: undefined },
      { priceId: elsewhere.id, amountCents: undefined },
      { priceId: sold.id },
      { successUrl: 'ftp://x' },
      { merchantReference: 'fine' },
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 409, 400, 400, 400, 201]);
    expect(await numbers()).toEqual([1, 2, 3]);
    await expectSound(service);
  });

  test('400 for another merchant’s project or price, named beside its owner’s own', async () => {
    const price = await newPrice(shop, projectId);
    const other = await service.createMerchant();
    const theirs = (await newProject(other)).id;
    const session = { priceId: price.id, amountCents: undefined };
    expect((await create({ projectId: theirs }, { by: other })).status).toBe(201);
    expect((await create()).status).toBe(201);
    const answers = await Promise.all([
      ...upTo(10).map(() => create(session)),
      ...upTo(10).map(() => create(session, { by: other })),
      ...upTo(10).map(() => create({ ...session, projectId: theirs }, { by: other })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      ...upTo(10).map(() => 201),
      ...upTo(20).map(() => 400),
    ]);
  });

  test('one new customer, however many name them first', async () => {
    const answers = await burst(upTo(30).map(() => ({ externalCustomerId: 'first-time' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.customerId)).size).toBe(1);
    expect(await numbers()).toEqual(upTo(31));
  });

  test('the volume limit is exact, also for sessions that come together', async () => {
    await burst([]);
    await shop.call('PATCH', `/api/v2/projects/${projectId}`, { monthlyVolumeLimitCents: 2500 });
    const answers = await Promise.all(upTo(20).map(() => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    await expectSound(service);
  });

  test('a new payout address is watched before a payer sees it', async () => {
    await burst([]);
    const payoutAddress = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
    await shop.call('PATCH', `/api/v2/projects/${projectId}`, { payoutAddress });
    const answers = await Promise.all(upTo(10).map(() => create()));
    const watched = await service.db.query('select from watched_accounts where destination = $1', [
      payoutAddress,
    ]);
    expect(watched).toHaveLength(1);
    for (const { body } of answers) {
      const intent = await shop.call('GET', `/api/merchants/intents/${body.paymentIntentId}`);
      expect(intent.body.destinationAddress).toBe(payoutAddress);
    }
  });
});

describe('an Idempotency-Key among sessions that come together', () => {
  test('through two processes at once: one session, the same bytes; 409 for another body', async () => {
    await burst([]);
    await create({}, { through: twin });
    const keys = upTo(10).map(() => randomUUID());
    const answers = await Promise.all(
      keys.flatMap((key) => [
        create({ merchantReference: key }, { key }),
        create({ merchantReference: key }, { key, through: twin }),
        create({ merchantReference: key }, { key, through: twin }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    for (const [i, key] of keys.entries()) {
      const three = answers.slice(i * 3, i * 3 + 3);
      expect(new Set(three.map(({ text }) => text)).size).toBe(1);
      expect(three.filter(({ isReplay }) => isReplay)).toHaveLength(2);
      expect((await create({ merchantReference: 'other' }, { key })).status).toBe(409);
    }
    expect(await numbers()).toEqual(upTo(12));
    await expectSound(service);
  });

  test('a repeat is answered as before, even if nothing is sold any more', async () => {
    const price = await newPrice(shop, projectId);
    await burst([]);
    const [key, session] = [randomUUID(), { priceId: price.id, amountCents: undefined }];
    const first = await create(session, { key });
    await shop.call('PATCH', `/api/v2/prices/${price.id}`, { isActive: false });
    const again = await create(session, { key });
    expect([again.status, again.text, again.isReplay]).toEqual([201, first.text, true]);
    expect((await create(session)).status).toBe(409);
  });
});
