import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPrice, newProject } from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

type Fields = Record<string, unknown>;

describe('/api/v2/discounts and promotion codes', () => {
  const create = (fields: Fields, headers = {}) =>
    shop.call('POST', '/api/v2/discounts', { projectId, name: 'Sale', ...fields }, headers);
  const fieldOf = ({ status, body }: { status: number; body: Fields }) => [
    status,
    (body.error as { message: string } | undefined)?.message.split(' ')[0],
  ];

  test('201 with every field, read back, listed and exported', async () => {
    const { productId } = await newPrice(shop, projectId);
    const { status, body } = await create({
      amountOffCents: 500,
      duration: 'periods',
      durationPeriods: 3,
      productIds: [productId.toUpperCase()],
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: '2036-01-01T00:00:00.000Z',
      maxRedemptions: 7,
      maxPerCustomer: 2,
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        projectId,
        name: 'Sale',
        percentOff: null,
        amountOffCents: 500,
        duration: 'periods',
        durationPeriods: 3,
        productIds: [productId],
        startsAt: '2026-01-01T00:00:00.000Z',
        endsAt: '2036-01-01T00:00:00.000Z',
        maxRedemptions: 7,
        maxPerCustomer: 2,
        redemptionsCount: 0,
        isActive: true,
        createdAt: expect.any(String),
      },
    ]);
    expect((await shop.call('GET', `/api/v2/discounts/${body.id}`)).body).toEqual(body);
    const list = await shop.call('GET', `/api/v2/discounts?projectId=${projectId}&isActive=true`);
    expect(list.body.data[0]).toEqual(body);
    const csv = await shop.call('GET', '/api/v2/discounts', undefined, { accept: 'text/csv' });
    expect(csv.text).toContain(body.id);
  });

  test('percentages keep two decimals', async () => {
    for (const percentOff of [0.01, 0.07, 12.5, 33.33, 99.99, 100]) {
      const { body } = await create({ percentOff });
      expect(body).toMatchObject({ percentOff, amountOffCents: null, duration: 'once' });
    }
  });

  test('400, the field first', async () => {
    const other = await newPrice(shop, (await newProject(shop)).id);
    for (const [fields, field] of [
      [{}, 'percentOff'],
      [{ percentOff: 10, amountOffCents: 5 }, 'amountOffCents'],
      [{ percentOff: 0 }, 'percentOff'],
      [{ percentOff: -5 }, 'percentOff'],
      [{ percentOff: 100.01 }, 'percentOff'],
      [{ percentOff: 12.345 }, 'percentOff'],
      [{ percentOff: '10' }, 'percentOff'],
      [{ amountOffCents: 0 }, 'amountOffCents'],
      [{ amountOffCents: 1.5 }, 'amountOffCents'],
      [{ percentOff: 10, duration: 'periods' }, 'durationPeriods'],
      [{ percentOff: 10, durationPeriods: 3 }, 'durationPeriods'],
      [{ percentOff: 10, duration: 'twice' }, 'duration'],
      [{ percentOff: 10, productIds: [] }, 'productIds'],
      [{ percentOff: 10, productIds: [other.productId] }, 'productIds.0'],
      [{ percentOff: 10, maxRedemptions: 0 }, 'maxRedemptions'],
      [{ percentOff: 10, maxPerCustomer: 0 }, 'maxPerCustomer'],
      [{ percentOff: 10, startsAt: '2026-02-01T00:00:00Z', endsAt: '2026-02-01T00:00:00Z' }, 'endsAt'],
      [{ percentOff: 10, projectId: randomUUID() }, 'projectId'],
      [{ percentOff: 10, name: '' }, 'name'],
      [{ percentOff: 10, code: 'x' }, 'code'],
    ] as const) {
      expect([fields, fieldOf(await create(fields))]).toEqual([fields, [400, field]]);
    }
  });

  test('the same key gives the same discount, and 409 with another body', async () => {
    const key = { 'idempotency-key': 'discount /api/v2' };
    const [first, again] = [await create({ percentOff: 10 }, key), await create({ percentOff: 10 }, key)];
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect((await create({ percentOff: 20 }, key)).status).toBe(409);
  });

  test('PATCH changes who can get it, never what it takes off', async () => {
    const { body } = await create({ percentOff: 10, maxRedemptions: 5 });
    const patch = (fields: Fields) => shop.call('PATCH', `/api/v2/discounts/${body.id}`, fields);
    const changed = await patch({ name: 'Other', isActive: false, maxRedemptions: null });
    expect(changed.body).toEqual({ ...body, name: 'Other', isActive: false, maxRedemptions: null });
    expect(fieldOf(await patch({ percentOff: 20 }))).toEqual([400, 'percentOff']);
    const backwards = { startsAt: '2026-02-02T00:00:00Z', endsAt: '2026-02-01T00:00:00Z' };
    expect(fieldOf(await patch(backwards))).toEqual([400, 'endsAt']);
  });

  test('a code is unique in its project however it is written; another project has its own', async () => {
    const { body: discount } = await create({ percentOff: 10 });
    const code = 'Sale-1';
    const make = (fields: Fields) => shop.call('POST', '/api/v2/promotion-codes', fields);
    const made = await make({ discountId: discount.id, code });
    expect([made.status, made.body]).toMatchObject([
      201,
      { discountId: discount.id, projectId, code, isActive: true },
    ]);
    const taken = await make({ discountId: discount.id, code: code.toUpperCase() });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'PROMOTION_CODE_EXISTS']);
    const elsewhere = (await create({ projectId: (await newProject(shop)).id, percentOff: 10 })).body;
    expect((await make({ discountId: elsewhere.id, code })).status).toBe(201);
    expect((await make({ discountId: discount.id })).body.code).toMatch(/^[A-Z0-9]{10}$/);
    for (const [fields, field] of [
      [{ code: 'x' }, 'discountId'],
      [{ discountId: randomUUID() }, 'discountId'],
      [{ discountId: discount.id, code: 'sommer fest' }, 'code'],
      [{ discountId: discount.id, code: 'SÜSS' }, 'code'],
      [{ discountId: discount.id, code: '' }, 'code'],
      [{ discountId: discount.id, code: 'x'.repeat(51) }, 'code'],
    ] as const) {
      expect([fields, fieldOf(await make(fields))]).toEqual([fields, [400, field]]);
    }
    const off = await shop.call('PATCH', `/api/v2/promotion-codes/${made.body.id}`, { isActive: false });
    expect(off.body).toEqual({ ...made.body, isActive: false });
    expect((await shop.call('GET', `/api/v2/promotion-codes/${made.body.id}`)).body).toEqual(off.body);
    const query = `?discountId=${discount.id}&code=${code.toLowerCase()}&isActive=false`;
    const { body: list } = await shop.call('GET', `/api/v2/promotion-codes${query}`);
    expect(list.data).toEqual([off.body]);
  });

  test('401 without a key, 403 without the scope, 404 for what is not there', async () => {
    const reader = { authorization: `Bearer ${await shop.keyWith(['billing:read'])}` };
    for (const noun of ['discounts', 'promotion-codes']) {
      const missing = `/api/v2/${noun}/${randomUUID()}`;
      expect((await call(`${service.url}/api/v2/${noun}`, 'GET')).status).toBe(401);
      expect((await shop.call('GET', missing)).status).toBe(404);
      expect((await shop.call('PATCH', missing, { isActive: true })).status).toBe(404);
      expect((await shop.call('PATCH', missing, { isActive: true }, reader)).status).toBe(403);
    }
  });
});
