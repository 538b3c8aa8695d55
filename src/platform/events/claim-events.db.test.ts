import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { emitEvents } from '../../../test/support/webhooks.ts';
import { claimEvents } from './claim-events.ts';

let service: TestService;
let busy: TestMerchant;
let other: TestMerchant;

beforeEach(async () => {
  service = await testService();
  busy = await service.createMerchant();
  other = await service.createMerchant();
});

const emit = (merchant: TestMerchant, count: number) =>
  emitEvents(
    service.db,
    merchant.id,
    Array.from({ length: count }, () => randomUUID()),
  );
const take = async (limit: number, later: string[] = []) =>
  (await service.db.transaction((tx) => claimEvents(tx, limit, { later }))).map(({ eventId }) => eventId);

test('the oldest first, each once', async () => {
  const first = await emit(busy, 3);
  const second = await emit(other, 2);
  expect(await take(4)).toEqual([...first, second[0]]);
  expect(await take(4)).toEqual([second[1]]);
  expect(await take(4)).toEqual([]);
});

test('many events of a merchant who comes later do not keep those of another waiting', async () => {
  const many = await emit(busy, 20);
  const few = await emit(other, 3);
  expect(await take(3, [busy.id])).toEqual(few);
  expect(await take(3, [busy.id])).toEqual(many.slice(0, 3));
});

test('what the others leave goes to those who come later, still in their order', async () => {
  const many = await emit(busy, 5);
  const few = await emit(other, 1);
  expect(await take(4, [busy.id])).toEqual([...many.slice(0, 3), ...few]);
  expect(await take(4, [busy.id])).toEqual(many.slice(3));
});

test('while one transaction takes, another gets nothing', async () => {
  await emit(busy, 2);
  await service.db.transaction(async (tx) => {
    expect(await claimEvents(tx, 1)).toHaveLength(1);
    expect(await take(1)).toEqual([]);
  });
  expect(await take(5)).toHaveLength(1);
});
