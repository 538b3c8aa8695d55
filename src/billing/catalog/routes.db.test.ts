import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCsv, readPages } from '../../../test/support/billing-rows.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const auditOf = (targetId: string) =>
  service.db.query<{ action: string; detail: object }>(
    'select action, detail from audit_entries where target_id = $1 order by id',
    [targetId],
  );

const newest = (list: { id: string }[]) => list.map(({ id }) => id).reverse();

describe('/api/v2', () => {
  const products = '/api/v2/products';
  const prices = '/api/v2/prices';
  let projectId: string;
  let productId: string;
  beforeAll(async () => {
    projectId = (await shop.call('POST', '/api/v2/projects', { name: 'p' })).body.id;
    productId = (await shop.call('POST', products, { projectId, name: 'Coffee' })).body.id;
  });
  const createPrice = (body: object = {}) =>
    shop.call('POST', prices, {
      projectId,
      productId,
      unitAmountCents: 500,
      billingMode: 'one_time',
      ...body,
    });

  describe('products', () => {
    test('201 with exactly the documented fields; 200 when read back', async () => {
      const made = await shop.call('POST', products, {
        projectId,
        name: 'Tea',
        description: 'green\nor black',
      });
      expect([made.status, made.body]).toEqual([
        201,
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          projectId,
          name: 'Tea',
          description: 'green\nor black',
          isActive: true,
          imagePath: null,
          metadata: {},
          createdAt: expect.stringMatching(/Z$/),
        },
      ]);
      expect((await shop.call('GET', `${products}/${made.body.id}`)).text).toBe(made.text);
    });

    test('400 for anything else, the field first; 404 for what is not there', async () => {
      const bad: [object, string][] = [
        [{ name: 'x' }, 'projectId'],
        [{ projectId, name: '' }, 'name'],
        [{ projectId }, 'name'],
        [{ projectId: randomUUID(), name: 'x' }, 'projectId'],
        [{ projectId, name: 'x', description: 'x'.repeat(2_001) }, 'description'],
        [{ projectId, name: 'x', description: '' }, 'description'],
        [{ projectId, name: 'x', isActive: true }, 'isActive'],
      ];
      for (const [body, field] of bad) {
        const answer = await shop.call('POST', products, body);
        expect([body, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([body, 400, field]);
      }
      for (const path of [`${products}/${randomUUID()}`, `${prices}/${randomUUID()}`, `${prices}/x`]) {
        expect((await shop.call('GET', path)).status).toBe(404);
        expect((await shop.call('PATCH', path, {})).status).toBe(404);
      }
    });

    test('PATCH 200: what is named changes, null clears, {} changes nothing; audited', async () => {
      const made = (await shop.call('POST', products, { projectId, name: 'Tea', description: 'x' })).body;
      const url = `${products}/${made.id}`;
      expect((await shop.call('PATCH', url, {})).body).toEqual(made);
      const off = await shop.call('PATCH', url, { name: 'Té', isActive: false });
      expect([off.status, off.body]).toEqual([200, { ...made, name: 'Té', isActive: false }]);
      const cleared = await shop.call('PATCH', url, { description: null, isActive: true });
      expect(cleared.body).toEqual({ ...made, name: 'Té', description: null });
      expect((await shop.call('GET', url)).text).toBe(cleared.text);
      expect((await auditOf(made.id)).map((entry) => entry.action)).toEqual([
        'product.changed',
        'product.changed',
      ]);
      for (const body of [{ name: null }, { isActive: null }, { projectId }, { description: '' }]) {
        expect([body, (await shop.call('PATCH', url, body)).status]).toEqual([body, 400]);
      }
    });

    test('a list shows each once, newest first, while others are made; by project, state and time; as CSV', async () => {
      const merchant = await service.createMerchant();
      const project = (await merchant.call('POST', '/api/v2/projects', { name: 'p' })).body.id;
      const make = async () =>
        (await merchant.call('POST', products, { projectId: project, name: '+x' })).body;
      const made = [];
      for (let i = 0; i < 5; i++) made.push(await make());
      expect(await readPages(merchant, `${products}?limit=2&projectId=${project}`, make)).toEqual(
        newest(made),
      );
      await merchant.call('PATCH', `${products}/${made[2].id}`, { isActive: false });
      expect(await readPages(merchant, `${products}?limit=9&isActive=false`)).toEqual([made[2].id]);
      expect(await readPages(merchant, `${products}?limit=2&isActive=true`)).toHaveLength(6);
      expect(await readPages(merchant, `${products}?limit=9&projectId=${randomUUID()}`)).toEqual([]);
      expect(await readPages(merchant, `${products}?limit=9&createdTo=2000-01-01T00:00:00Z`)).toEqual([]);
      const lines = await readCsv(merchant, `${products}?isActive=false`);
      expect(lines).toEqual([
        'createdAt,createdDate,name,description,isActive,imagePath,metadata,id,projectId',
        `${made[2].createdAt},${made[2].createdAt.slice(0, 10)},'+x,,false,,{},${made[2].id},${project}`,
      ]);
      for (const query of ['isActive=1', 'name=x', 'projectId=x', 'cursor=x']) {
        expect([query, (await merchant.call('GET', `${products}?${query}`)).status]).toEqual([query, 400]);
      }
    });
  });

  describe('prices', () => {
    test('201 for each billing mode with exactly the documented fields; 200 when read back', async () => {
      const shape = {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        projectId,
        productId,
        name: null,
        unitAmountCents: 500,
        currency: 'USD',
        billingMode: 'one_time',
        creditAmount: null,
        recurringInterval: null,
        recurringIntervalCount: null,
        trialDays: null,
        isActive: true,
        metadata: {},
        lookupKey: null,
        taxBehavior: 'none',
        taxRateId: null,
        createdAt: expect.stringMatching(/Z$/),
      };
      const cases: [object, object][] = [
        [{}, {}],
        [{ currency: 'USDC', name: 'Cup' }, { name: 'Cup' }],
        [{ currency: 'USD', creditAmount: null, recurringInterval: null, recurringIntervalCount: null }, {}],
        [
          { billingMode: 'balance_top_up', creditAmount: 7 },
          { billingMode: 'balance_top_up', creditAmount: 7 },
        ],
        [
          { billingMode: 'subscription', recurringInterval: 'year' },
          { billingMode: 'subscription', recurringInterval: 'year', recurringIntervalCount: 1 },
        ],
        [
          { billingMode: 'subscription', recurringInterval: 'month', recurringIntervalCount: 6 },
          { billingMode: 'subscription', recurringInterval: 'month', recurringIntervalCount: 6 },
        ],
      ];
      for (const [input, output] of cases) {
        const made = await createPrice(input);
        expect([input, made.status, made.body]).toEqual([input, 201, { ...shape, ...output }]);
        expect((await shop.call('GET', `${prices}/${made.body.id}`)).text).toBe(made.text);
      }
    });

    test('amounts are exact to the edge of int64', async () => {
      const made = await shop.call(
        'POST',
        prices,
        `{"projectId":"${projectId}","productId":"${productId}","billingMode":"balance_top_up",
          "unitAmountCents":9223372036854775807,"creditAmount":9007199254740993}`,
      );
      expect(made.text).toContain('"unitAmountCents":9223372036854775807');
      expect(made.text).toContain('"creditAmount":9007199254740993');
      expect((await shop.call('GET', `${prices}/${made.body.id}`)).text).toBe(made.text);
    });

    test('400 for anything else, the field first, and nothing is written', async () => {
      const other = (await shop.call('POST', '/api/v2/projects', { name: 'other' })).body.id;
      const theirs = (await shop.call('POST', products, { projectId: other, name: 'x' })).body.id;
      const bad: [object, string][] = [
        [{ projectId: undefined }, 'projectId'],
        [{ projectId: randomUUID() }, 'projectId'],
        [{ productId: undefined }, 'productId'],
        [{ productId: randomUUID() }, 'productId'],
        [{ productId: theirs }, 'productId'],
        [{ unitAmountCents: undefined }, 'unitAmountCents'],
        [{ unitAmountCents: 0 }, 'unitAmountCents'],
        [{ unitAmountCents: 0.5 }, 'unitAmountCents'],
        [{ unitAmountCents: '5' }, 'unitAmountCents'],
        [{ currency: 'EUR' }, 'currency'],
        [{ currency: null }, 'currency'],
        [{ billingMode: undefined }, 'billingMode'],
        [{ billingMode: 'weekly' }, 'billingMode'],
        [{ creditAmount: 5 }, 'creditAmount'],
        [{ billingMode: 'balance_top_up' }, 'creditAmount'],
        [{ billingMode: 'balance_top_up', creditAmount: 0 }, 'creditAmount'],
        [{ billingMode: 'subscription' }, 'recurringInterval'],
        [{ billingMode: 'subscription', recurringIntervalCount: 2 }, 'recurringInterval'],
        [{ billingMode: 'subscription', recurringInterval: 'hour' }, 'recurringInterval'],
        [{ billingMode: 'subscription', recurringInterval: 'day', creditAmount: 1 }, 'creditAmount'],
        [
          { billingMode: 'subscription', recurringInterval: 'day', recurringIntervalCount: 0 },
          'recurringIntervalCount',
        ],
        [{ recurringInterval: 'month' }, 'recurringInterval'],
        [{ recurringIntervalCount: 1 }, 'recurringIntervalCount'],
        [{ isActive: false }, 'isActive'],
      ];
      const count = async () => (await service.db.query('select from prices')).length;
      const before = await count();
      for (const [body, field] of bad) {
        const answer = await createPrice(body);
        expect([body, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([body, 400, field]);
      }
      expect(await count()).toBe(before);
    });

    test('PATCH 200: name and isActive only, audited; 400 for its terms', async () => {
      const made = (await createPrice({ name: 'Cup' })).body;
      const url = `${prices}/${made.id}`;
      expect((await shop.call('PATCH', url, {})).body).toEqual(made);
      const off = await shop.call('PATCH', url, { name: null, isActive: false });
      expect([off.status, off.body]).toEqual([200, { ...made, name: null, isActive: false }]);
      expect((await shop.call('GET', url)).text).toBe(off.text);
      expect(await auditOf(made.id)).toEqual([
        {
          action: 'price.changed',
          detail: {
            before: { name: 'Cup', lookupKey: null, isActive: true, taxBehavior: 'none', taxRateId: null },
            after: { name: null, lookupKey: null, isActive: false, taxBehavior: 'none', taxRateId: null },
          },
        },
      ]);
      for (const body of [
        { unitAmountCents: 5 },
        { billingMode: 'one_time' },
        { currency: 'USD' },
        { isActive: null },
      ]) {
        expect([body, (await shop.call('PATCH', url, body)).status]).toEqual([body, 400]);
      }
    });

    test('a list shows each once, newest first, while others are made; by every filter; as CSV', async () => {
      const merchant = await service.createMerchant();
      const project = (await merchant.call('POST', '/api/v2/projects', { name: 'p' })).body.id;
      const product = async () =>
        (await merchant.call('POST', products, { projectId: project, name: 'x' })).body.id;
      const [one, two] = [await product(), await product()];
      const make = async (at: string, body: object = {}) =>
        (
          await merchant.call('POST', prices, {
            projectId: project,
            productId: at,
            unitAmountCents: 5,
            billingMode: 'one_time',
            ...body,
          })
        ).body;
      const made = [];
      for (let i = 0; i < 5; i++) made.push(await make(one));
      const topUp = await make(two, { billingMode: 'balance_top_up', creditAmount: 3 });
      await merchant.call('PATCH', `${prices}/${made[4].id}`, { isActive: false });
      const read = (query: string) => readPages(merchant, `${prices}?limit=2&${query}`);
      expect(await readPages(merchant, `${prices}?limit=2&productId=${one}`, () => make(one))).toEqual(
        newest(made),
      );
      expect(await read(`productId=${two}`)).toEqual([topUp.id]);
      expect(await read('billingMode=balance_top_up')).toEqual([topUp.id]);
      expect(await read('isActive=false')).toEqual([made[4].id]);
      expect(await read(`projectId=${project}`)).toHaveLength(8);
      expect(await read(`projectId=${randomUUID()}`)).toEqual([]);
      expect(await read('createdFrom=2100-01-01T00:00:00Z')).toEqual([]);
      const lines = await readCsv(merchant, `${prices}?billingMode=balance_top_up`);
      expect(lines).toEqual([
        'createdAt,createdDate,name,unitAmountUsd,unitAmountCents,currency,billingMode,creditAmount,recurringInterval,recurringIntervalCount,isActive,lookupKey,trialDays,taxBehavior,metadata,id,projectId,productId,taxRateId',
        `${topUp.createdAt},${topUp.createdAt.slice(0, 10)},,0.05,5,USD,balance_top_up,3,,,true,,,none,{},${topUp.id},${project},${two},`,
      ]);
      for (const query of ['billingMode=x', 'mode=one_time', 'productId=x', 'isActive=1', 'cursor=x']) {
        expect([query, (await merchant.call('GET', `${prices}?${query}`)).status]).toEqual([query, 400]);
      }
    });
  });

  test('the same Idempotency-Key makes one product and one price; another body is a 409', async () => {
    const key = { 'idempotency-key': 'same /api/v2' };
    const terms = { projectId, productId, unitAmountCents: 1, billingMode: 'one_time' };
    for (const [path, body, other] of [
      [products, { projectId, name: 'a' }, { projectId, name: 'b' }],
      [prices, terms, { ...terms, unitAmountCents: 2 }],
    ] as const) {
      const answers = await Promise.all([1, 2, 3].map(() => shop.call('POST', path, body, key)));
      expect([path, new Set(answers.map((answer) => answer.text)).size]).toEqual([path, 1]);
      expect((await shop.call('POST', path, other, key)).body.error.code).toBe('IDEMPOTENCY_CONFLICT');
    }
  });

  test('409 INVALID_STATE for every change of the catalog of an archived project, which can still be read', async () => {
    const archived = (await shop.call('POST', '/api/v2/projects', { name: 'old' })).body.id;
    const product = (await shop.call('POST', products, { projectId: archived, name: 'x' })).body.id;
    const price = (await createPrice({ projectId: archived, productId: product })).body.id;
    await shop.call('DELETE', `/api/v2/projects/${archived}`);
    for (const [method, path, body] of [
      ['POST', products, { projectId: archived, name: 'x' }],
      [
        'POST',
        prices,
        { projectId: archived, productId: product, unitAmountCents: 1, billingMode: 'one_time' },
      ],
      ['PATCH', `${products}/${product}`, { name: 'y' }],
      ['PATCH', `${prices}/${price}`, { isActive: false }],
    ] as const) {
      const answer = await shop.call(method, path, body);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 409, 'INVALID_STATE']);
    }
    expect((await shop.call('GET', `${prices}/${price}`)).body.isActive).toBe(true);
    expect(await readPages(shop, `${products}?limit=5&projectId=${archived}`)).toEqual([product]);
  });
});
