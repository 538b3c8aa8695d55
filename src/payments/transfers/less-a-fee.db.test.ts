import { beforeAll, beforeEach, expect, test } from 'vitest';
import { advance, expectSound, newProject, newSession } from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';

/** Money from an exchange that has taken its fee from the amount. */
let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
});

beforeEach(async () => {
  shop = await service.createMerchant();
});

const LIST = '/api/v2/exceptions';

const newIntent = async (amountCents: number, orderId: string) =>
  (await shop.call('POST', '/api/merchants/intents', { amountCents, orderId })).body;

async function unmatched(baseUnits: bigint): Promise<{ id: string; txSignature: string }> {
  const signature = await arrive(service, shop.id, { baseUnits });
  return (await shop.call('GET', `${LIST}?txSignature=${signature}`)).body.data[0];
}

const suggested = async ({ id }: { id: string }): Promise<[string, string, boolean][]> =>
  (await shop.call('GET', `${LIST}/${id}/suggestions`)).body.suggestions.map(
    (each: { orderId: string; reasons: string[]; isStrong: boolean }) => [
      each.orderId,
      each.reasons.join(' '),
      each.isStrong,
    ],
  );

const claim = ({ txSignature }: { txSignature: string }, { id }: { id: string }) =>
  service.db.query(
    'insert into payment_claims (merchant_id, signature, intent_id, claimed_at) values ($1, $2, $3, now())',
    [shop.id, txSignature, id],
  );

async function reserve({ id }: { id: string }): Promise<bigint> {
  const { body } = await shop.call('POST', `/api/public/intents/${id}/reserved-amount`);
  return BigInt(body.amount.replace('.', '').padEnd(body.amount.indexOf('.') + 6, '0'));
}

test('an order that lacks the amount and a fee of 0.10 to 5.00 is suggested, and matched it is underpaid by the fee', async () => {
  const order = await newIntent(5_000, 'ours');
  const money = await unmatched(49_000_000n);
  expect(await suggested(money)).toEqual([['ours', 'less_a_fee', false]]);
  const linked = await shop.call('POST', `${LIST}/${money.id}/link`, { paymentIntentId: order.id });
  expect([linked.status, linked.body.status]).toEqual([200, 'linked']);
  const { body } = await shop.call('GET', `/api/merchants/intents/${order.id}`);
  expect(body).toMatchObject({ status: 'underpaid', amountReceivedCents: 4_900 });
  const accepted = await shop.call('POST', `/api/merchants/intents/${order.id}/accept`);
  expect(accepted.body).toMatchObject({ status: 'succeeded', waivedCents: 100 });
  await expectSound(service);
});

test.each([
  [49_900_000n, true],
  [49_910_000n, false],
  [45_000_000n, true],
  [44_990_000n, false],
  [50_010_000n, false],
])('of 50.00, %d millionths are the order less a fee: %s', async (baseUnits, isSuggested) => {
  await newIntent(5_000, 'ours');
  expect(await suggested(await unmatched(baseUnits))).toEqual(
    isSuggested ? [['ours', 'less_a_fee', false]] : [],
  );
});

test('a fee is never more than what arrived', async () => {
  await newIntent(300, 'small');
  expect(await suggested(await unmatched(1_490_000n))).toEqual([]);
  expect(await suggested(await unmatched(1_500_000n))).toEqual([['small', 'less_a_fee', false]]);
});

test('what is missing exactly is before it, the nearest in time are before the rest, and three are enough', async () => {
  for (let n = 0; n < 5; n++) {
    await newIntent(5_000 + n, `fee ${n}`);
    await advance(service, 0.01, { isRead: false });
  }
  await newIntent(4_900, 'exact');
  const money = await unmatched(49_000_000n);
  expect(await suggested(money)).toEqual([
    ['exact', 'same_amount', false],
    ['fee 4', 'less_a_fee', false],
    ['fee 3', 'less_a_fee', false],
    ['fee 2', 'less_a_fee', false],
  ]);
});

test('an order that was made after the money came, or has ended, is not', async () => {
  const gone = await newIntent(5_000, 'canceled');
  await shop.call('POST', `/api/merchants/intents/${gone.id}/cancel`);
  const money = await unmatched(49_000_000n);
  await advance(service, 0.01, { isRead: false });
  await newIntent(5_000, 'since');
  expect(await suggested(money)).toEqual([]);
});

test('what pays for the goods without their tip is no order less a fee', async () => {
  const { id: projectId } = await newProject(shop);
  const session = await newSession(shop, projectId, {
    ...{ amountCents: 1_000, tipPercents: [10], merchantReference: 'tipped' },
  });
  const answer = await fetch(`${service.url}${new URL(session.checkoutUrl).pathname}/tip?lang=en`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
    body: new URLSearchParams({ percent: '10' }),
    redirect: 'manual',
  });
  expect(answer.status).toBe(303);
  expect(await suggested(await unmatched(10_500_000n))).toEqual([]);
  expect(await suggested(await unmatched(9_900_000n))).toEqual([['tipped', 'less_a_fee', false]]);
});

test('it is never strong evidence, also if a payer claims it', async () => {
  const order = await newIntent(5_000, 'ours');
  const money = await unmatched(49_000_000n);
  await claim(money, order);
  expect(await suggested(money)).toEqual([['ours', 'claimed less_a_fee', false]]);
});

test('a reserved amount less a fee is: its digits beyond the cent are one order’s alone', async () => {
  const [ours, other] = [await newIntent(5_000, 'ours'), await newIntent(5_000, 'other')];
  const amount = await reserve(ours);
  await reserve(other);
  // Also a fee that is smaller than what exchanges are known to take.
  for (const feeCents of [5n, 100n, 500n]) {
    const money = await unmatched(amount - feeCents * 10_000n);
    const [first, ...others] = await suggested(money);
    expect(first).toEqual(['ours', 'less_a_fee', true]);
    expect(others.every(([, , isStrong]) => !isStrong)).toBe(true);
  }
  const tooMuch = await unmatched(amount - 5_010_000n);
  expect((await suggested(tooMuch)).some(([, , isStrong]) => isStrong)).toBe(false);
});

test('it is no longer where two reserved amounts have the same digits, or somebody claims the money for another order', async () => {
  const ours = await newIntent(5_000, 'ours');
  const amount = await reserve(ours);
  const rival = await newIntent(5_100, 'rival');
  await service.db.query(
    `insert into reserved_amounts (merchant_id, intent_id, destination, base_units, reserved_at)
     select merchant_id, $1, destination, base_units + 1000000, reserved_at from reserved_amounts where intent_id = $2`,
    [rival.id, ours.id],
  );
  const money = await unmatched(amount - 1_000_000n);
  expect(await suggested(money)).toEqual([
    ['rival', 'less_a_fee', false],
    ['ours', 'less_a_fee', false],
  ]);
  await service.db.query('delete from reserved_amounts where intent_id = $1', [rival.id]);
  expect((await suggested(money)).find(([, , isStrong]) => isStrong)?.[0]).toBe('ours');
  await claim(money, await newIntent(7_700, 'another'));
  expect((await suggested(money)).some(([, , isStrong]) => isStrong)).toBe(false);
});

test('where a claim points at one order and the digits at another, neither is strong', async () => {
  const ours = await newIntent(5_000, 'ours');
  const amount = await reserve(ours);
  const exact = await newIntent(4_900, 'exact');
  const money = await unmatched(amount - 1_000_000n);
  await claim(money, exact);
  const found = await suggested(money);
  expect(found.map(([order]) => order).sort()).toEqual(['exact', 'ours']);
  expect(found.some(([, , isStrong]) => isStrong)).toBe(false);
});

test('an amount that was reserved only after the money came says nothing', async () => {
  const ours = await newIntent(5_000, 'ours');
  const amount = await reserve(ours);
  const money = await unmatched(amount - 1_000_000n);
  await service.db.query(
    `update reserved_amounts set reserved_at = reserved_at + interval '1 hour' where intent_id = $1`,
    [ours.id],
  );
  expect(await suggested(money)).toEqual([['ours', 'less_a_fee', false]]);
});
