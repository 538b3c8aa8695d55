import { beforeAll, expect, test } from 'vitest';
import {
  advance,
  bring,
  expectSound,
  newLink,
  newProject,
  readSession,
  runDue,
} from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';

/** The places of a link that sells so many: who keeps one, for how long, and how many one visitor can take. */
let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService({
    TRUST_PROXY: 'true',
    RATE_LIMIT_PUBLIC_PER_SECOND: '0',
    RATE_LIMIT_CHECKOUT_PER_MINUTE: '0',
  });
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

interface Link {
  id: string;
  publicToken: string;
}

async function limited(maxPayments: number): Promise<Link> {
  const { paymentLink } = await newLink(shop, projectId, {});
  await shop.call('PATCH', `/api/v2/payment-links/${paymentLink.id}`, { maxPayments });
  return paymentLink;
}

const readLink = async ({ id }: Link) => (await shop.call('GET', `/api/v2/payment-links/${id}`)).body;
let visitors = 0;
const nextVisitor = () => `10.${++visitors}.0.1`;
const checkOut = ({ publicToken }: Link, ip = nextVisitor()) =>
  call(`${service.url}/api/v2/payment-links/${publicToken}/checkout`, 'POST', {}, { 'x-forwarded-for': ip });

async function start(of: Link) {
  const answer = await checkOut(of);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return readSession(shop, answer.body.sessionId);
}

async function pass(hours: number): Promise<void> {
  await advance(service, hours / 24);
  await runDue(service);
}

test('a cent keeps no place beyond the hour; what completes it later buys nothing once nothing is left', async () => {
  const of = await limited(1);
  const sly = await start(of);
  await bring(service, shop, sly, 1);
  expect((await checkOut(of)).status).toBe(409);
  await pass(1.1);
  const honest = await start(of);
  await bring(service, shop, honest, 500);
  expect(await readLink(of)).toMatchObject({ status: 'inactive', paymentsCount: 1 });
  await bring(service, shop, sly, 499);
  expect((await readSession(shop, sly.id)).status).toBe('canceled');
  expect(await readLink(of)).toMatchObject({ paymentsCount: 1 });
  await runDue(service);
  const { body } = await shop.call('GET', '/api/v2/exceptions?status=open');
  const listed = body.data.filter(
    ({ paymentIntentId }: { paymentIntentId: string }) => paymentIntentId === sly.paymentIntentId,
  );
  expect(listed.map(({ amountCents }: { amountCents: number }) => amountCents).sort()).toEqual([1, 499]);
  await expectSound(service);
});

test('a decision that would sell one more is refused, and changes nothing', async () => {
  const of = await limited(1);
  const late = await start(of);
  await bring(service, shop, late, 300);
  await pass(49);
  await bring(service, shop, await start(of), 500);
  await arrive(service, shop.id, { baseUnits: 2_000_000n });
  const list = '/api/v2/exceptions?status=open&kind=unmatched';
  const [unmatched] = (await shop.call('GET', list)).body.data;
  const read = async () => [
    await readSession(shop, late.id),
    (await shop.call('GET', `/api/merchants/intents/${late.paymentIntentId}`)).body,
    (await shop.call('GET', '/api/v2/exceptions')).body,
  ];
  const before = await read();
  const { paymentIntentId } = late;
  for (const answer of [
    await shop.call('POST', `/api/merchants/intents/${paymentIntentId}/accept`),
    await shop.call('POST', `/api/v2/invoices/${late.invoiceId}/accept`),
    await shop.call('POST', `/api/v2/exceptions/${unmatched.id}/link`, { paymentIntentId }),
  ])
    expect([answer.status, answer.body.error?.message]).toEqual([
      409,
      'Its place among a limited number has gone to somebody else.',
    ]);
  expect(await read()).toEqual(before);
  await expectSound(service);
});

test('what completes it later buys it while a place is left', async () => {
  const of = await limited(1);
  const slow = await start(of);
  await bring(service, shop, slow, 1);
  await pass(30);
  await bring(service, shop, slow, 499);
  expect((await readSession(shop, slow.id)).status).toBe('complete');
  expect(await readLink(of)).toMatchObject({ status: 'inactive', paymentsCount: 1 });
  await expectSound(service);
});

test('half of it keeps the place for a day, and no longer', async () => {
  const of = await limited(1);
  const [half, less] = [await start(of), await limited(1).then(start)];
  await bring(service, shop, half, 250);
  await bring(service, shop, less, 249);
  await pass(20);
  expect((await checkOut(of)).status).toBe(409);
  await bring(service, shop, half, 250);
  expect((await readSession(shop, half.id)).status).toBe('complete');
  const other = await limited(1);
  const again = await start(other);
  await bring(service, shop, again, 250);
  await pass(25);
  expect((await checkOut(other)).status).toBe(201);
  await expectSound(service);
});

test('one network has a few open and unpaid at once, a wide one a few times more; each link counts for itself', async () => {
  const of = await limited(15);
  const statuses = async (ips: readonly string[]) => {
    const answers: Awaited<ReturnType<typeof checkOut>>[] = [];
    for (const ip of ips) answers.push(await checkOut(of, ip));
    return answers;
  };
  const [first, second, third, fourth] = await statuses(Array<string>(4).fill('2001:db8:1:1::1'));
  expect([first, second, third].map((answer) => answer!.status)).toEqual([201, 201, 201]);
  expect([fourth!.status, fourth!.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(fourth!.body.error.message).toMatch(/from your network/);
  expect((await checkOut(await limited(15), '2001:db8:1:1::1')).status).toBe(201);
  const others = await statuses([2, 2, 2, 3, 3, 3, 4].map((n) => `2001:db8:1:${n}::1`));
  expect(others.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201, 429]);
  expect((await checkOut(of)).status).toBe(201);
  await bring(service, shop, await readSession(shop, first!.body.sessionId), 500);
  await shop.call('POST', `/api/v2/checkout-sessions/${second!.body.sessionId}/cancel`);
  const freed = await statuses(Array<string>(3).fill('2001:db8:1:1::9'));
  expect(freed.map(({ status }) => status)).toEqual([201, 201, 429]);
});

test('at once as one after the other', async () => {
  const of = await limited(15);
  const answers = await Promise.all(Array.from({ length: 6 }, () => checkOut(of, '10.200.0.1')));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect((await checkOut(await limited(100), '10.200.0.1')).status).toBe(201);
});
