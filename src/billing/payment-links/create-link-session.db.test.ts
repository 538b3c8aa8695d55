import { beforeAll, describe, expect, test } from 'vitest';
import {
  advance,
  bring,
  expectSound,
  newLink,
  newPrice,
  newProject,
  readCustomer,
  readInvoice,
  readSession,
  runDue,
} from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { newSignature } from '../../../test/support/transfers.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

type Fields = Record<string, unknown>;
interface Link {
  id: string;
  publicToken: string;
}
const link = async (fields: Fields = {}): Promise<Link> =>
  (await newLink(shop, projectId, fields)).paymentLink;
const readLink = async ({ id }: Link) => (await shop.call('GET', `/api/v2/payment-links/${id}`)).body;
const patch = (of: Link, body: Fields) => shop.call('PATCH', `/api/v2/payment-links/${of.id}`, body);
const inDays = (days: number) => new Date(service.clock.now().getTime() + days * DAY_MS).toISOString();
const countSessions = async () =>
  (await service.db.query<{ count: bigint }>('select count(*) from checkout_sessions'))[0]!.count;

describe('POST /api/v2/payment-links/{token}/checkout', () => {
  const checkOut = (of: Link, body?: unknown) =>
    call(`${service.url}/api/v2/payment-links/${of.publicToken}/checkout`, 'POST', body);
  const start = async (of: Link, body: unknown = {}) => {
    const answer = await checkOut(of, body);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return readSession(shop, answer.body.sessionId);
  };

  test('201 with where to pay and nothing else; the session is the link’s but for its labels', async () => {
    const of = await link({
      successUrl: 'https://shop.example/ok',
      billingMode: 'balance_top_up',
      creditAmount: 9,
    });
    const answer = await checkOut(of, {
      clientReferenceId: 'cart:1.a_b-C',
      customerEmail: 'b@example.com',
      customerName: 'B',
    });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['sessionId', 'checkoutUrl', 'expiresAt']);
    const session = await readSession(shop, answer.body.sessionId);
    expect(session).toMatchObject({
      projectId,
      mode: 'balance_top_up',
      amountCents: 500,
      clientReferenceId: 'cart:1.a_b-C',
      customerEmail: 'b@example.com',
      customerName: 'B',
      externalCustomerId: null,
      merchantReference: null,
      paymentLinkId: of.id,
      checkoutUrl: answer.body.checkoutUrl,
      expiresAt: answer.body.expiresAt,
      successUrl: 'https://shop.example/ok',
    });
    const invoice = await readInvoice(shop, session.invoiceId);
    expect(invoice).toMatchObject({ clientReferenceId: 'cart:1.a_b-C', billingReason: 'balance_top_up' });
    const nobody = await start(of);
    expect(nobody.customerId).toBeNull();
    await bring(service, shop, nobody, 500);
    const { customerId } = await readSession(shop, nobody.id);
    expect((await readCustomer(shop, customerId)).creditBalance).toBe(9);
    expect((await start(await link())).customerId).toBeNull();
    expect((await checkOut(await link())).status).toBe(201);
  });

  test('400 for anything but the four fields, and for what they may not hold; nothing is written', async () => {
    const of = await link();
    const before = await countSessions();
    for (const [body, field] of [
      [{ amountCents: 1 }, 'amountCents'],
      [{ priceId: of.id }, 'priceId'],
      [{ projectId }, 'projectId'],
      [{ mode: 'one_time' }, 'mode'],
      [{ successUrl: 'https://evil.example/' }, 'successUrl'],
      [{ externalCustomerId: 'admin' }, 'externalCustomerId'],
      [{ merchantReference: 'x' }, 'merchantReference'],
      [{ payoutAddress: 'x' }, 'payoutAddress'],
      [{ clientReferenceId: 'a\nb' }, 'clientReferenceId'],
      [{ clientReferenceId: 'a\u0085b' }, 'clientReferenceId'],
      [{ clientReferenceId: '' }, 'clientReferenceId'],
      [{ clientReferenceId: 'x'.repeat(201) }, 'clientReferenceId'],
      [{ customerEmail: 'x' }, 'customerEmail'],
      [{ customerName: 'x'.repeat(256) }, 'customerName'],
      [{ idempotencyKey: '' }, 'idempotencyKey'],
      [{ idempotencyKey: 'x'.repeat(256) }, 'idempotencyKey'],
    ] as [Fields, string][]) {
      const answer = await checkOut(of, body);
      expect([body, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([body, 400, field]);
    }
    expect(await countSessions()).toBe(before);
    expect((await checkOut(of, { clientReferenceId: 'x'.repeat(200) })).status).toBe(201);
  });

  test('400 without the client reference or the e-mail the link asks for', async () => {
    const of = await link({ requireClientReferenceId: true, collectCustomerEmail: true });
    for (const [body, field] of [
      [{}, 'clientReferenceId'],
      [{ clientReferenceId: null, customerEmail: 'a@example.com' }, 'clientReferenceId'],
      [{ clientReferenceId: 'x' }, 'customerEmail'],
    ] as [Fields, string][]) {
      const answer = await checkOut(of, body);
      expect([body, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([body, 400, field]);
    }
    expect((await checkOut(of, { clientReferenceId: 'x', customerEmail: 'a@example.com' })).status).toBe(201);
  });

  test('idempotencyKey: one session per link, key and content, in either version', async () => {
    const of = await link();
    const body = { clientReferenceId: 'c', idempotencyKey: 'k' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => checkOut(of, body)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const other = '/api';
    const path = `${other}/payment-links/${of.publicToken}/checkout`;
    expect((await call(service.url + path, 'POST', body)).text).toBe(answers[0]!.text);
    const conflict = await checkOut(of, { ...body, clientReferenceId: 'd' });
    expect([conflict.status, conflict.body.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect(conflict.body.error.message).toBe(
      'idempotencyKey was already used with other details. To buy again, start over.',
    );
    const elsewhere = await checkOut(await link(), body);
    expect(elsewhere.status).toBe(201);
    expect(elsewhere.body.sessionId).not.toBe(answers[0]!.body.sessionId);
    const free = await Promise.all([1, 2].map(() => checkOut(of, { clientReferenceId: 'c' })));
    expect(free[0]!.body.sessionId).not.toBe(free[1]!.body.sessionId);
  });

  test('409 without a payout address, said to a buyer', async () => {
    const poor = await service.createMerchant('Poor', null);
    const theirs = (await newLink(poor, (await newProject(poor)).id)).paymentLink;
    const answer = await checkOut(theirs, {});
    expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(answer.body.error.message).toBe(
      'The seller cannot take payments at the moment. Nothing was charged.',
    );
  });

  test('maxPayments: the last payment closes it, cancels the unseen, accepts what was seen', async () => {
    const of = await link();
    const [winner, unseen, seen, part] = await Promise.all([start(of), start(of), start(of), start(of)]);
    await patch(of, { maxPayments: 1 });
    const later = newSignature();
    const partly = newSignature();
    await bring(service, shop, seen, 500, { signature: later, isFinal: false });
    await bring(service, shop, part, 200, { signature: partly, isFinal: false });
    await bring(service, shop, winner, 500);
    expect(await readLink(of)).toMatchObject({ status: 'inactive', paymentsCount: 1 });
    expect((await checkOut(of, {})).status).toBe(410);
    await runDue(service);
    expect((await readSession(shop, unseen.id)).status).toBe('canceled');
    expect((await readInvoice(shop, unseen.invoiceId)).status).toBe('void');
    expect(await readSession(shop, seen.id)).toMatchObject({ status: 'open', paymentStatus: 'processing' });
    expect((await readSession(shop, part.id)).status).toBe('open');
    await bring(service, shop, seen, 500, { signature: later });
    await bring(service, shop, part, 200, { signature: partly });
    await bring(service, shop, part, 300);
    expect((await readSession(shop, seen.id)).status).toBe('complete');
    expect((await readSession(shop, part.id)).status).toBe('complete');
    expect(await readLink(of)).toMatchObject({ status: 'inactive', paymentsCount: 3 });
    const reopened = await patch(of, { status: 'active' });
    expect([reopened.status, reopened.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect((await patch(of, { status: 'active', maxPayments: 3 })).status).toBe(409);
    expect((await patch(of, { status: 'active', maxPayments: 4 })).body.status).toBe('active');
    expect((await checkOut(of, {})).status).toBe(201);
    await runDue(service);
    const open = await shop.call('GET', `/api/v2/checkout-sessions?paymentLinkId=${of.id}&status=open`);
    expect(open.body.data).toHaveLength(1);
    await expectSound(service);
  });

  test('maxPayments: as many checkouts as are left, 409 for one more, until one closes unpaid', async () => {
    const of = await link();
    await patch(of, { maxPayments: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => checkOut(of, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!.body.error;
    expect([refused.code, refused.message]).toEqual(['INVALID_STATE', expect.stringMatching(/being bought/)]);
    const [bought, left] = answers.filter(({ status }) => status === 201).map(({ body }) => body.sessionId);
    expect((await shop.call('POST', `/api/v2/checkout-sessions/${left}/cancel`)).status).toBe(200);
    const next = await start(of);
    expect((await checkOut(of, {})).status).toBe(409);
    for (const id of [bought, next.id]) await bring(service, shop, await readSession(shop, id), 500);
    expect(await readLink(of)).toMatchObject({ status: 'inactive', paymentsCount: 2 });
    await expectSound(service);
  });

  test('maxPayments: a checkout holds its own for an hour; money after that buys nothing and needs a person', async () => {
    const of = await link();
    await patch(of, { maxPayments: 1 });
    const answer = await checkOut(of, {});
    const late = await readSession(shop, answer.body.sessionId);
    const lifeMs = Date.parse(late.expiresAt) - Date.parse(late.createdAt);
    expect([lifeMs, answer.body.expiresAt]).toEqual([3_600_000, late.expiresAt]);
    await advance(service, 0.1);
    await runDue(service);
    expect((await readSession(shop, late.id)).status).toBe('canceled');
    const next = await start(of);
    await bring(service, shop, late, 500);
    expect((await readSession(shop, late.id)).status).toBe('canceled');
    const { data } = (await shop.call('GET', '/api/v2/exceptions?status=open')).body;
    expect(data).toContainEqual(
      expect.objectContaining({ kind: 'canceled', paymentIntentId: late.paymentIntentId, amountCents: 500 }),
    );
    await bring(service, shop, next, 500);
    expect(await readLink(of)).toMatchObject({ status: 'inactive', paymentsCount: 1 });
    await expectSound(service);
  });

  test('a maxPayments that is reached already ends the link when it is set', async () => {
    const of = await link();
    await bring(service, shop, await start(of), 500);
    const waiting = await start(of);
    expect((await patch(of, { maxPayments: 1 })).body.status).toBe('inactive');
    await runDue(service);
    expect((await readSession(shop, waiting.id)).status).toBe('canceled');
  });

  test('switched off by hand: no new sessions, but open ones can be finished', async () => {
    const of = await link();
    const session = await start(of);
    await patch(of, { status: 'inactive' });
    await runDue(service);
    expect((await readSession(shop, session.id)).status).toBe('open');
    await bring(service, shop, session, 500);
    expect(await readLink(of)).toMatchObject({ status: 'inactive', paymentsCount: 1 });
  });

  test('expiresAt: ended for the public to the moment, its unseen sessions canceled, seen money accepted', async () => {
    const of = await link();
    await patch(of, { expiresAt: inDays(0.5) });
    const [unseen, seen] = await Promise.all([start(of), start(of)]);
    const signature = newSignature();
    await bring(service, shop, seen, 500, { signature, isFinal: false });
    await advance(service, 0.6);
    const before = await call(`${service.url}/api/v2/payment-links/${of.publicToken}`, 'GET');
    expect([before.status, (await checkOut(of, {})).status]).toEqual([410, 410]);
    await runDue(service);
    expect((await readLink(of)).status).toBe('inactive');
    expect((await readSession(shop, unseen.id)).status).toBe('canceled');
    await bring(service, shop, seen, 500, { signature });
    expect((await readSession(shop, seen.id)).status).toBe('complete');
    expect((await patch(of, { status: 'active' })).status).toBe(409);
    expect((await patch(of, { status: 'active', expiresAt: inDays(1) })).body.status).toBe('active');
    expect((await patch(of, { expiresAt: null })).body.status).toBe('active');
    expect((await checkOut(of, {})).status).toBe(201);
    await expectSound(service);
  });

  test('the price is what it was when the buyer confirmed, and the link keeps selling at its own', async () => {
    const price = await newPrice(shop, projectId, { name: 'Large' });
    const body = { projectId, priceId: price.id };
    const of = (await shop.call('POST', '/api/v2/payment-links', body)).body;
    const session = await start(of);
    expect((await readInvoice(shop, session.invoiceId)).lines).toMatchObject([
      { description: 'Coffee – Large', amountCents: 500, priceId: price.id },
    ]);
  });
});

test('a client reference is kept to the character, and found by the same words', async () => {
  const { paymentLink } = await newLink(shop, projectId);
  const url = `${service.url}/api/payment-links/${paymentLink.publicToken}/checkout`;
  for (const clientReferenceId of ['user@example.com', 'order/17', 'two words', '<b>', '注文 "7"']) {
    const { status, body } = await call(url, 'POST', { clientReferenceId });
    expect(status).toBe(201);
    const query = `clientReferenceId=${encodeURIComponent(clientReferenceId)}`;
    for (const list of ['checkout-sessions', 'invoices']) {
      const { data } = (await shop.call('GET', `/api/v2/${list}?${query}`)).body;
      expect(data).toMatchObject([{ clientReferenceId }]);
    }
    expect(await readSession(shop, body.sessionId)).toMatchObject({ clientReferenceId });
  }
});

test('Idempotency-Key: the header counts as the body does, and two that differ are refused', async () => {
  const { paymentLink } = await newLink(shop, projectId);
  const url = `${service.url}/api/payment-links/${paymentLink.publicToken}/checkout`;
  const before = await countSessions();
  const header = { 'Idempotency-Key': 'click-1' };
  const byHeader = await call(url, 'POST', {}, header);
  expect(byHeader.status).toBe(201);
  const ways = [
    await call(url, 'POST', {}, header),
    await call(url, 'POST', { idempotencyKey: 'click-1' }),
    await call(url, 'POST', { idempotencyKey: 'click-1' }, header),
    await call(url, 'POST', { idempotencyKey: null }, header),
  ];
  for (const again of ways) expect([again.status, again.text]).toEqual([201, byHeader.text]);
  const two = await call(url, 'POST', { idempotencyKey: 'click-2' }, header);
  expect([two.status, two.body.error.message]).toEqual([
    400,
    'idempotencyKey differs from the Idempotency-Key header; send only one',
  ]);
  expect((await call(url, 'POST', {}, { 'Idempotency-Key': 'x'.repeat(256) })).status).toBe(400);
  expect(await countSessions()).toBe(before + 1n);
});
