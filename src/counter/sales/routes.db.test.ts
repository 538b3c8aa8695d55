import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPrice } from '../../../test/support/billing.ts';
import { newMember, newOwner } from '../../../test/support/members.ts';
import {
  call,
  newAddress,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { newPlace, pairedTill, type TestTill, TILLS } from '../../../test/support/till.ts';
import { arrive } from '../../../test/support/transfers.ts';
import { invariants } from '../../operations/doctor/doctor.ts';

const REQUESTS = '/api/b2b/merchants/refund-requests';

let service: TestService;
let shop: TestMerchant;
let till: TestTill;
let priceId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Bean & Co');
  const place = await newPlace(shop);
  till = await pairedTill(service, shop, { ...place, tipPercents: [10] });
  priceId = (await newPrice(shop, till.projectId, { unitAmountCents: 325 })).id;
});

const sell = (body: object, of = till, headers?: Record<string, string>) =>
  of.call('POST', '/sales', body, headers);

async function pay(saleId: string, baseUnits: bigint): Promise<void> {
  const { body } = await shop.call('GET', `/api/merchants/intents/${saleId}`);
  await arrive(service, shop.id, { references: [body.referenceAddress], baseUnits });
}

describe('a sale', () => {
  test('is a payment at the till’s terminal, at the catalog’s prices, with its tip', async () => {
    const { status, body } = await sell({
      items: [{ priceId, quantity: 2 }],
      amountCents: 105,
      tipPercent: 10,
    });
    expect([status, body.stage, body.goodsCents, body.tipCents]).toEqual([201, 'waiting', 755, 76]);
    expect(body.lines).toMatchObject([
      { quantity: 2, unitAmountCents: 325 },
      { name: null, quantity: 1, unitAmountCents: 105 },
    ]);
    expect(body.qr.path).toMatch(/^M3 3h7v1H3z/);
    const { body: intent } = await shop.call('GET', `/api/merchants/intents/${body.id}`);
    expect(intent).toMatchObject({
      expectedAmountCents: 831,
      terminalId: till.terminalId,
      orderId: `till-${till.id.slice(-6)}-1`,
      metadata: { items: expect.stringMatching(/^2 × /), tipCents: '76' },
    });
    const read = await till.call('GET', `/sales/${body.id}`);
    expect(read.body).toEqual({ ...body, now: read.body.now });
    expect(read.headers.get('cache-control')).toBe('no-store');
    expect((await till.call('GET', '/items')).body).toMatchObject([{ priceId, unitAmountCents: 325 }]);
  });

  test('can be of every item of the catalog, which is read page after page', async () => {
    const large = await pairedTill(service, shop);
    const { productId } = await newPrice(shop, large.projectId, { unitAmountCents: 1 });
    await service.db.query(
      `insert into prices select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'unit_amount_cents', 1 + n % 7))).*
         from prices r, generate_series(1, 449) n where r.product_id = $1`,
      [productId],
    );
    const read = new Set<string>();
    const sizes: number[] = [];
    for (let after = ''; sizes.at(-1) !== 50; ) {
      const { body } = await large.call('GET', `/items${after}`);
      for (const item of body) read.add(item.priceId);
      sizes.push(body.length);
      after = `?after=${body.at(-1).priceId}`;
    }
    expect([sizes, read.size]).toEqual([[200, 200, 50], 450]);
    expect((await large.call('GET', '/items?after=x')).status).toBe(400);
  });

  test('with the same Idempotency-Key is made once; the next one replaces what nobody has paid', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = await Promise.all([1, 2].map(() => sell({ amountCents: 500 }, till, headers)));
    expect([first!.status, first!.text]).toEqual([201, second!.text]);
    const next = await sell({ amountCents: 600 });
    expect(next.body.number).toBe(first!.body.number + 1);
    expect((await till.call('GET', `/sales/${first!.body.id}`)).body.stage).toBe('canceled');
    const canceled = await till.call('POST', `/sales/${next.body.id}/cancel`, {});
    expect([canceled.status, canceled.body.stage]).toEqual([200, 'canceled']);
    expect((await till.call('POST', `/sales/${next.body.id}/cancel`, {})).status).toBe(409);
    const { body: sales } = await till.call('GET', '/sales');
    expect(sales.map(({ number }: { number: number }) => number)).toEqual([3, 2, 1]);
  });

  test('goes to the project’s own payout address where it has one', async () => {
    const other = await pairedTill(service, shop);
    const payoutAddress = newAddress();
    await shop.call('PATCH', `/api/v2/projects/${other.projectId}`, { payoutAddress });
    const { body } = await sell({ amountCents: 100 }, other);
    const { body: intent } = await shop.call('GET', `/api/merchants/intents/${body.id}`);
    expect(intent.destinationAddress).toBe(payoutAddress);
  });

  test('bad input names its field and makes nothing', async () => {
    const elsewhere = await shop.call('POST', '/api/v2/projects', { name: 'Elsewhere' });
    const foreign = await newPrice(shop, elsewhere.body.id);
    const gone = await newPrice(shop, till.projectId);
    await shop.call('PATCH', `/api/v2/prices/${gone.id}`, { isActive: false });
    const before = (await till.call('GET', '/sales')).body.length;
    const bad: [object, string][] = [
      [{}, 'amountCents must be greater than 0'],
      [{ amountCents: 0 }, 'amountCents must be greater than 0'],
      [{ amountCents: -1 }, 'amountCents'],
      [{ amountCents: 100_000_000 }, 'amountCents'],
      [{ amountCents: 1.5 }, 'amountCents'],
      [{ amountCents: 100, tipPercent: 5 }, 'tipPercent must be one of'],
      [{ items: [{ priceId, quantity: 0 }] }, 'items.0.quantity'],
      [{ items: [{ priceId: foreign.id, quantity: 1 }] }, 'items.0.priceId must be'],
      [{ items: [{ priceId: gone.id, quantity: 1 }] }, 'items.0.priceId must be'],
      [{ items: [{ priceId, quantity: 1, unitAmountCents: 1 }] }, 'unitAmountCents'],
      [{ amountCents: 99_999_999, items: [{ priceId, quantity: 1 }] }, 'at most'],
    ];
    for (const [body, message] of bad) {
      const answer = await sell(body);
      expect([body, answer.status, answer.body.error.message]).toEqual([
        body,
        400,
        expect.stringContaining(message),
      ]);
    }
    expect((await till.call('GET', '/sales')).body).toHaveLength(before);
  });

  test('is refused without the token of the page, from another site, and from a till that was unpaired', async () => {
    const lost = await pairedTill(service, shop);
    const noToken = await call(
      `${service.url}/api/till/sales`,
      'POST',
      { amountCents: 100 },
      { cookie: lost.cookie },
    );
    expect(noToken.status).toBe(403);
    expect((await sell({ amountCents: 100 }, lost, { origin: 'https://evil.example' })).status).toBe(403);
    const { body: sale } = await sell({ amountCents: 100 }, lost);
    await shop.call('DELETE', `${TILLS}/${lost.id}`);
    for (const [method, path] of [
      ['POST', '/sales'],
      ['GET', '/sales'],
      ['GET', '/items'],
      ['GET', '/live'],
      ['POST', `/sales/${sale.id}/cancel`],
      ['POST', `/sales/${sale.id}/refund-request`],
    ] as const) {
      const answer = await lost.call(method, path, method === 'GET' ? undefined : {});
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 401, 'TILL_NOT_PAIRED']);
    }
    await pay(sale.id, 1_000_000n);
    expect((await shop.call('GET', `/api/merchants/intents/${sale.id}`)).body.status).toBe('succeeded');
  });

  test('of another till, or of no till, is 404 like one that never was', async () => {
    const other = await pairedTill(service, shop);
    const stranger = await pairedTill(service, await service.createMerchant('Elsewhere'));
    const { body: sale } = await sell({ amountCents: 100 });
    const { body: intent } = await shop.call('POST', '/api/merchants/intents', {
      ...{ amountCents: 5, orderId: randomUUID(), terminalId: other.terminalId },
    });
    for (const [by, id] of [
      [other, sale.id],
      [stranger, sale.id],
      [other, intent.id],
      [other, randomUUID()],
      [other, 'none'],
    ] as const) {
      const paths = [`/sales/${id}`, `/sales/${id}/cancel`, `/sales/${id}/refund-request`];
      const answers = await Promise.all(
        paths.map((path, at) => by.call(at === 0 ? 'GET' : 'POST', path, at === 0 ? undefined : {})),
      );
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
    expect((await till.call('GET', `/sales/${sale.id}`)).body.stage).toBe('waiting');
  });
});

describe('a refund request', () => {
  async function paidSale(): Promise<string> {
    const { body } = await sell({ amountCents: 400 });
    await pay(body.id, 4_000_000n);
    return body.id;
  }
  const ask = (saleId: string, body: object = {}) =>
    till.call('POST', `/sales/${saleId}/refund-request`, body);

  test('becomes a refund when an owner approves it, once', async () => {
    const id = await paidSale();
    const asked = await ask(id, { reason: 'Wrong size' });
    expect([asked.status, asked.body.refundRequest]).toEqual([201, 'open']);
    expect((await ask(id)).status).toBe(409);
    const { body: page } = await shop.call('GET', `${REQUESTS}?status=open&terminalId=${till.terminalId}`);
    const [request] = page.data;
    expect(request).toEqual({
      ...{
        id: request.id,
        status: 'open',
        paymentIntentId: id,
        terminalId: till.terminalId,
        tillId: till.id,
      },
      ...{ orderId: expect.stringMatching(/^till-/), receivedCents: 400, reason: 'Wrong size' },
      ...{ refundId: null, createdAt: request.createdAt, decidedAt: null },
    });
    const owner = await newOwner(service, shop);
    const developer = await newMember(service, owner, 'developer');
    expect((await developer.call('POST', `${REQUESTS}/${request.id}/approve`)).status).toBe(403);
    const both = await Promise.all([1, 2].map(() => owner.call('POST', `${REQUESTS}/${request.id}/approve`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { body: decided } = both.find(({ status }) => status === 200)!;
    const { body: refund } = await shop.call('GET', `/api/v2/refunds/${decided.refundId}`);
    expect(refund).toMatchObject({
      ...{ paymentIntentId: id, amountCents: 400, status: 'awaiting_address', note: 'Wrong size' },
    });
    const { body: told } = await shop.call('GET', '/api/v2/events?limit=100&after=earliest');
    expect(
      told.data
        .filter(({ event }: { event: string }) => event.startsWith('refund_request.'))
        .map(({ event, data }: { event: string; data: object }) => [event, data]),
    ).toEqual([
      ['refund_request.created', { status: 'open', previousStatus: null, refundRequest: request }],
      ['refund_request.approved', { status: 'approved', previousStatus: 'open', refundRequest: decided }],
    ]);
    expect((await till.call('GET', `/sales/${id}`)).body.refundRequest).toBe('approved');
    expect((await shop.call('POST', `${REQUESTS}/${request.id}/decline`)).status).toBe(409);
  });

  test('that is declined moves nothing, and can be made again', async () => {
    const id = await paidSale();
    await ask(id);
    const { body: page } = await shop.call('GET', `${REQUESTS}?status=open`);
    const declined = await shop.call('POST', `${REQUESTS}/${page.data[0].id}/decline`);
    expect(declined.body).toMatchObject({ status: 'declined', refundId: null });
    expect((await till.call('GET', `/sales/${id}`)).body.refundRequest).toBe('declined');
    expect((await ask(id, { reason: 'Really' })).status).toBe(201);
    expect((await shop.call('GET', `/api/v2/refunds?paymentIntentId=${id}`)).body.data).toEqual([]);
  });

  test('needs money that has come', async () => {
    const { body } = await sell({ amountCents: 400 });
    const answer = await ask(body.id);
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      'Nothing has been paid yet, so there is nothing to refund.',
    ]);
    expect((await ask(body.id, { reason: '' })).body.error.message).toContain('reason');
  });
});

test('after all of that, every sale adds up', async () => {
  const { violations } = invariants.find(({ name }) => name === 'till-sales-add-up')!;
  expect(await service.db.query(violations)).toEqual([]);
});
