import { beforeAll, describe, expect, test } from 'vitest';
import { newPrice, newProject } from '../../../test/support/billing.ts';
import { type TestMerchant, testService } from '../../../test/support/service.ts';

let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  const service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

const VAT = { name: 'VAT', percent: 19, country: 'DE' };
const create = (body: object = {}) => shop.call('POST', '/api/v2/tax-rates', { projectId, ...VAT, ...body });
const countRates = async () =>
  (await shop.call('GET', `/api/v2/tax-rates?projectId=${projectId}&limit=100`)).body.data.length;

describe('tax rates', () => {
  test('201, 200 and 200 with what was created, listed and read', async () => {
    const { status, body } = await create({ percent: 19.2551, country: 'de' });
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: body.id, projectId, name: 'VAT', percent: 19.2551, country: 'DE', category: 'S' },
        ...{ isDefault: false, isActive: true, createdAt: body.createdAt },
      },
    ]);
    expect((await shop.call('GET', `/api/v2/tax-rates/${body.id}`)).body).toEqual(body);
    const list = await shop.call('GET', `/api/v2/tax-rates?projectId=${projectId}&country=de`);
    expect(list.body.data).toEqual([body]);
    expect((await shop.call('GET', '/api/v2/tax-rates?country=FR')).body.data).toEqual([]);
    const { body: free } = await create({ percent: 0 });
    expect(free).toMatchObject({ percent: 0, category: 'Z' });
  });

  test.each([
    [{ percent: 19.25551 }, 'percent must be from 0 to 100, with at most four decimals'],
    [{ percent: 100.0001 }, 'percent must be from 0 to 100, with at most four decimals'],
    [{ percent: -1 }, 'percent must be from 0 to 100, with at most four decimals'],
    [{ percent: 0, category: 'S' }, 'percent must be more than 0 for category S'],
    [{ percent: 1, category: 'AE' }, 'percent must be 0 for category AE'],
    [{ percent: '19' }, 'percent must be a number'],
    [{ country: 'XX' }, 'country must be a country code'],
    [{ country: 'DEU' }, 'country must'],
    [{ category: 'X' }, 'category must'],
    [{ name: '' }, 'name must'],
    [{ projectId: '019b76da-a800-7000-8000-000000000001' }, 'projectId must'],
  ])('400 for %j, and nothing is written', async (wrong, message) => {
    const before = await countRates();
    const { status, body } = await create(wrong);
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST']);
    expect(body.error.message).toContain(message);
    expect(await countRates()).toBe(before);
  });

  test('a country has one default: the latest, also of fifty at once', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => create({ isDefault: true })));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const { body } = await shop.call('GET', `/api/v2/tax-rates?projectId=${projectId}&country=DE&limit=100`);
    expect(body.data.filter((rate: { isDefault: boolean }) => rate.isDefault)).toHaveLength(1);
    const { body: other } = await create({ country: 'FR', isDefault: true });
    const { body: again } = await shop.call('PATCH', `/api/v2/tax-rates/${made[7]!.body.id}`, {
      isDefault: true,
    });
    expect([other.isDefault, again.isDefault]).toEqual([true, true]);
  });

  test('200 for an archived rate, which is no default any more and no other price gets', async () => {
    const { body: rate } = await create({ country: 'AT', isDefault: true });
    const path = `/api/v2/tax-rates/${rate.id}`;
    const archived = await shop.call('PATCH', path, { isActive: false });
    expect(archived.body).toMatchObject({ isActive: false, isDefault: false });
    const { status, body } = await shop.call('PATCH', path, { isDefault: true });
    expect([status, body.error.message]).toEqual([400, 'isDefault must be false for an archived rate']);
    const price = await newPrice(shop, projectId);
    const taxed = { taxBehavior: 'exclusive', taxRateId: rate.id };
    const refused = await shop.call('PATCH', `/api/v2/prices/${price.id}`, taxed);
    expect([refused.status, refused.body.error.message]).toEqual([400, 'taxRateId is archived']);
  });
});

describe('prices', () => {
  test('say whether they contain tax, once; their rate can change', async () => {
    const { body: rate } = await create();
    const price = await newPrice(shop, projectId, { taxBehavior: 'inclusive', taxRateId: rate.id });
    expect(price).toMatchObject({ taxBehavior: 'inclusive', taxRateId: rate.id });
    const path = `/api/v2/prices/${price.id}`;
    const { body: other } = await create({ percent: 7 });
    expect((await shop.call('PATCH', path, { taxRateId: other.id })).body.taxRateId).toBe(other.id);
    for (const taxBehavior of ['exclusive', 'none']) {
      const { status, body } = await shop.call('PATCH', path, { taxBehavior });
      expect([status, body.error.message]).toEqual([
        400,
        'taxBehavior is inclusive and can no longer change; create another price',
      ]);
    }
    expect((await shop.call('GET', path)).body).toMatchObject({
      taxBehavior: 'inclusive',
      taxRateId: other.id,
    });
    const plain = await newPrice(shop, projectId);
    expect(plain).toMatchObject({ taxBehavior: 'none', taxRateId: null });
    const set = await shop.call('PATCH', `/api/v2/prices/${plain.id}`, { taxBehavior: 'exclusive' });
    expect(set.body).toMatchObject({ taxBehavior: 'exclusive', taxRateId: null });
  });

  test('400 for an unknown rate, a rate without a behavior, and no rate where there is no default', async () => {
    const unknown = '019b76da-a800-7000-8000-000000000001';
    const { body: rate } = await create();
    const elsewhere = (await newProject(shop)).id;
    const product = (await shop.call('POST', '/api/v2/products', { projectId: elsewhere, name: 'P' })).body;
    const price = {
      projectId: elsewhere,
      productId: product.id,
      unitAmountCents: 1,
      billingMode: 'one_time',
    };
    for (const [tax, message] of [
      [{ taxBehavior: 'exclusive', taxRateId: unknown }, 'must be the id of a tax rate of this project'],
      [{ taxBehavior: 'exclusive', taxRateId: rate.id }, 'must be the id of a tax rate of this project'],
      [{ taxRateId: rate.id }, 'requires taxBehavior inclusive or exclusive'],
      [{ taxBehavior: 'exclusive' }, 'is required, because the project has no default tax rate'],
    ] as const) {
      const { status, body } = await shop.call('POST', '/api/v2/prices', { ...price, ...tax });
      expect([status, body.error.message]).toEqual([400, `taxRateId ${message}`]);
    }
    const { body } = await shop.call('GET', `/api/v2/prices?projectId=${elsewhere}`);
    expect(body.data).toEqual([]);
  });
});

describe('seller and customers', () => {
  const SELLER = {
    legalName: 'Muster GmbH',
    address: { line1: 'Weg 1', postalCode: '10115', city: 'Berlin' },
    country: 'de',
    taxIds: [{ type: 'eu_vat', value: 'de 136 695 976' }],
    registrationNumber: 'HRB 1',
  };
  const STORED = {
    ...SELLER,
    address: { ...SELLER.address, line2: null, state: null },
    country: 'DE',
    taxIds: [{ type: 'eu_vat', value: 'DE136695976' }],
  };

  test('200 with a seller in its one form, 200 without it again', async () => {
    const { body: made } = await shop.call('POST', '/api/v2/projects', { name: 'taxed', seller: SELLER });
    expect(made.seller).toEqual(STORED);
    const path = `/api/v2/projects/${made.id}`;
    expect((await shop.call('PATCH', path, { name: 'renamed' })).body.seller).toEqual(STORED);
    expect((await shop.call('PATCH', path, { seller: null })).body.seller).toBeNull();
    expect((await shop.call('PATCH', path, { seller: SELLER })).body.seller).toEqual(STORED);
    expect((await shop.call('GET', path)).body.seller).toEqual(STORED);
  });

  test.each([
    [{ country: 'XX' }, 'seller.country must be a country code'],
    [{ legalName: '' }, 'seller.legalName must'],
    [{ taxIds: [{ type: 'eu_vat', value: 'DE1' }] }, 'seller.taxIds.0.value must be a VAT number of DE'],
    [{ taxIds: [{ type: 'moon_vat', value: '1' }] }, 'seller.taxIds.0.type must'],
    [{ address: { city: 'Berlin' } }, 'seller.address.line1 is required'],
  ])('400 for a seller with %j, and it stays', async (wrong, message) => {
    const { status, body } = await shop.call('PATCH', `/api/v2/projects/${projectId}`, {
      seller: { ...SELLER, ...wrong },
    });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
    expect((await shop.call('GET', `/api/v2/projects/${projectId}`)).body.seller).toBeNull();
  });

  test('201 and 200 with where and as what a customer is taxed; null and [] clear', async () => {
    const { body: plain } = await shop.call('POST', '/api/v2/customers', { projectId, name: 'Ada' });
    expect(plain).toMatchObject({ address: null, country: null, isBusiness: false, taxIds: [] });
    const taxed = {
      address: { line1: 'Rue 1', line2: null, postalCode: '75001', city: 'Paris', state: null },
      country: 'FR',
      isBusiness: true,
      taxIds: [{ type: 'eu_vat', value: 'FR40303265045', status: 'verified' }],
    };
    const { status, body } = await shop.call('POST', '/api/v2/customers', { projectId, ...taxed });
    expect([status, body]).toEqual([201, expect.objectContaining(taxed)]);
    const path = `/api/v2/customers/${body.id}`;
    expect((await shop.call('PATCH', path, { name: 'Ada' })).body).toMatchObject({ name: 'Ada', ...taxed });
    const cleared = { address: null, country: null, isBusiness: false, taxIds: [] };
    expect((await shop.call('PATCH', path, cleared)).body).toMatchObject(cleared);
    for (const [wrong, message] of [
      [{ country: 'XX' }, 'country must be a country code'],
      [{ taxIds: [{ type: 'eu_vat', value: 'FR1' }] }, 'taxIds.0.value must be a VAT number of FR'],
    ] as const) {
      const refused = await shop.call('PATCH', path, wrong);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(message)]);
    }
    expect((await shop.call('GET', path)).body).toMatchObject(cleared);
  });
});
