import { beforeAll, expect, test } from 'vitest';
import { expectSound } from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

/** Lists what a follower of the events gets about the exceptions of one transaction. */
async function heardOf(signature: string) {
  const { body } = await shop.call('GET', '/api/v2/events?after=earliest&limit=100');
  return body.data
    .filter(({ event, data }: Heard) => event.startsWith('exception.') && data.txSignature === signature)
    .map(({ event, sequence, status, data }: Heard) => [event, sequence, status, data.previousStatus]);
}

interface Heard {
  event: string;
  sequence: number;
  status: string;
  data: { txSignature: string; previousStatus: string | null };
}

const listed = async (signature: string) =>
  (await shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`)).body.data[0];

test('money that matches nothing is announced once, with the exception as the API shows it', async () => {
  const signature = await arrive(service, shop.id, { baseUnits: 5_000_000n });
  expect(await heardOf(signature)).toEqual([['exception.created', 1, 'open', null]]);
  await arrive(service, shop.id, { baseUnits: 5_000_000n, signature });
  expect(await heardOf(signature)).toEqual([['exception.created', 1, 'open', null]]);
  const { body } = await shop.call('GET', '/api/v2/events?event=exception.created');
  expect(body.data[0].data.exception).toEqual(await listed(signature));
});

test('how it ended is announced too, whether it was linked or returned', async () => {
  const returned = await arrive(service, shop.id, { baseUnits: 7_000_000n });
  const path = `/api/v2/exceptions/${(await listed(returned)).id}`;
  expect((await shop.call('POST', `${path}/mark-returned`, {})).status).toBe(200);
  expect(await heardOf(returned)).toEqual([
    ['exception.created', 1, 'open', null],
    ['exception.resolved', 2, 'returned', 'open'],
  ]);
  expect((await shop.call('POST', `${path}/mark-returned`, {})).status).toBe(409);
  expect(await heardOf(returned)).toHaveLength(2);

  const intent = { amountCents: 300, orderId: 'found later' };
  const { id: paymentIntentId } = (await shop.call('POST', '/api/merchants/intents', intent)).body;
  const linked = await arrive(service, shop.id, { baseUnits: 3_000_000n });
  const { id } = await listed(linked);
  expect((await shop.call('POST', `/api/v2/exceptions/${id}/link`, { paymentIntentId })).status).toBe(200);
  expect((await heardOf(linked)).at(-1)).toEqual(['exception.resolved', 2, 'linked', 'open']);
  await expectSound(service);
});

test('nobody hears of dust, however much of it comes; only what a person decides about it', async () => {
  const signature = await arrive(service, shop.id, { baseUnits: 9_999n });
  expect(await heardOf(signature)).toEqual([]);
  const { id } = await listed(signature);
  expect((await shop.call('POST', `/api/v2/exceptions/${id}/mark-returned`, {})).status).toBe(200);
  expect(await heardOf(signature)).toEqual([['exception.resolved', 1, 'returned', 'dust']]);
});
