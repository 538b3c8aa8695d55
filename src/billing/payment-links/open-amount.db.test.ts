import { beforeAll, describe, expect, test } from 'vitest';
import { newLink, newPrice, newProject, readSession } from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService({ RATE_LIMIT_PUBLIC_PER_SECOND: '0', RATE_LIMIT_CHECKOUT_PER_MINUTE: '0' });
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

type Fields = Record<string, unknown>;
const OPEN = { minCents: 100, maxCents: 50_000, suggestedCents: [300, 500, 1000] };
const open = async (fields: Fields = {}) =>
  (await newLink(shop, projectId, { unitAmountCents: 500, openAmount: OPEN, ...fields })).paymentLink;
const patch = (id: string, body: Fields) => shop.call('PATCH', `/api/v2/payment-links/${id}`, body);
const countSessions = async () =>
  (await service.db.query<{ count: bigint }>('select count(*) from checkout_sessions'))[0]!.count;

describe('/api/v2', () => {
  const checkOut = (token: string, body: unknown = {}) =>
    call(`${service.url}/api/v2/payment-links/${token}/checkout`, 'POST', body);

  test('201: what the buyer chose is what session, line and invoice say; the price stays', async () => {
    const link = await open();
    for (const [amountCents, expected] of [
      [100, 100],
      [777, 777],
      [50_000, 50_000],
      [undefined, 500],
      [null, 500],
    ]) {
      const { status, body } = await checkOut(link.publicToken, { amountCents });
      expect(status).toBe(201);
      const session = await readSession(shop, body.sessionId);
      expect(session).toMatchObject({ amountCents: expected, priceId: link.priceId });
      expect(session.lineItems).toMatchObject([{ quantity: 1, unitAmountCents: expected }]);
    }
  });

  test('400 beyond the limits, nothing written', async () => {
    const link = await open();
    const before = await countSessions();
    for (const amountCents of [99, 50_001, 0, -5, 1.5, '500', 2n ** 63n]) {
      const text = JSON.stringify({ amountCents }, (_, value) =>
        typeof value === 'bigint' ? Number(value) : value,
      );
      const answer = await checkOut(link.publicToken, JSON.parse(text));
      expect([amountCents, answer.status]).toEqual([amountCents, 400]);
      expect(answer.body.error.message).toMatch(/^amountCents /);
    }
    expect(await countSessions()).toBe(before);
  });

  test('400 above one million dollars where the merchant has set no limit; a limit of their own may be higher', async () => {
    const link = await open({ openAmount: { minCents: 100 } });
    const choose = (amountCents: number) => checkOut(link.publicToken, { amountCents });
    expect((await choose(100_000_000)).status).toBe(201);
    const refused = await choose(100_000_001);
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'amountCents must be from 100 to 100000000',
    ]);
    await patch(link.id, { openAmount: { minCents: 100, maxCents: 100_000_001 } });
    expect((await choose(100_000_001)).status).toBe(201);
  });

  test('400 for an amount where the price counts', async () => {
    const { paymentLink } = await newLink(shop, projectId, { unitAmountCents: 500 });
    const answer = await checkOut(paymentLink.publicToken, { amountCents: 500 });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'amountCents is only for links with an open amount',
    ]);
  });

  test('another amount under the same key is a conflict', async () => {
    const link = await open();
    const first = await checkOut(link.publicToken, { amountCents: 300, idempotencyKey: 'k/api/v2' });
    const again = await checkOut(link.publicToken, { amountCents: 300, idempotencyKey: 'k/api/v2' });
    const other = await checkOut(link.publicToken, { amountCents: 301, idempotencyKey: 'k/api/v2' });
    expect([first.status, again.text, other.status]).toEqual([201, first.text, 409]);
  });

  test('buyers see the limits; PATCH changes and closes them', async () => {
    const link = await open();
    const seen = await call(`${service.url}/api/v2/payment-links/${link.publicToken}`, 'GET');
    expect(seen.body).toMatchObject({ unitAmountCents: 500, openAmount: OPEN });
    const wider = await patch(link.id, { openAmount: { minCents: 1 } });
    expect(wider.body.openAmount).toEqual({ minCents: 1, maxCents: null, suggestedCents: [] });
    expect((await patch(link.id, { name: 'Tips' })).body.openAmount).toEqual(wider.body.openAmount);
    expect((await patch(link.id, { openAmount: null })).body.openAmount).toBeNull();
  });
});

test('400 names what is wrong with the limits, and creates or changes nothing', async () => {
  const price = await newPrice(shop, projectId, { unitAmountCents: 500 });
  const plan = await newPrice(shop, projectId, {
    ...{ unitAmountCents: 500, billingMode: 'subscription', recurringInterval: 'month' },
  });
  const link = await open();
  const wrong: [Fields, string][] = [
    [{ minCents: 0 }, 'openAmount.minCents '],
    [{}, 'openAmount.minCents is required'],
    [{ minCents: 100, maxCents: 99 }, 'openAmount.maxCents must not be less than minCents'],
    [{ minCents: 100, suggestedCents: [99] }, 'openAmount.suggestedCents must be amounts'],
    [{ minCents: 100, maxCents: 600, suggestedCents: [601] }, 'openAmount.suggestedCents must be amounts'],
    [
      { minCents: 100, suggestedCents: [300, 500, 300] },
      'openAmount.suggestedCents must not name an amount twice',
    ],
    [{ minCents: 100_000_001 }, 'openAmount.maxCents must be set where an amount is more than 100000000'],
    [{ minCents: 501 }, 'openAmount must include the price’s own amount, 500 cents'],
    [{ minCents: 1, maxCents: 499 }, 'openAmount must include the price’s own amount, 500 cents'],
    [{ minCents: 1, suggestedCents: [1, 2, 3, 4, 5, 6, 7] }, 'openAmount.suggestedCents must have at most 6'],
    [{ minCents: 1, more: 1 }, 'openAmount.more '],
  ];
  const links = async () => (await shop.call('GET', '/api/v2/payment-links?limit=100')).text;
  const before = await links();
  for (const [openAmount, message] of wrong) {
    const body = { projectId, priceId: price.id, openAmount };
    const created = await shop.call('POST', '/api/v2/payment-links', body);
    const changed = await patch(link.id, { openAmount });
    for (const { status, body } of [created, changed]) {
      expect([openAmount, status, body.error.message]).toEqual([
        openAmount,
        400,
        expect.stringContaining(message),
      ]);
    }
  }
  const renewing = { projectId, priceId: plan.id, openAmount: { minCents: 1 } };
  expect((await shop.call('POST', '/api/v2/payment-links', renewing)).body.error.message).toBe(
    'openAmount is only for billingMode one_time',
  );
  expect(await links()).toBe(before);
});
