import { beforeAll, expect, test } from 'vitest';
import { newProject } from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

interface Told {
  event: string;
  sequence: number;
  status: string;
  data: { customerId: string; previousStatus: string | null; customer: Record<string, unknown> };
}
/** Events of a customer's record, in order. */
async function heardOf(customerId: string): Promise<Told[]> {
  const rows = await service.db.query<{ body: string }>(
    `select body from events where merchant_id = $1 and object_type = 'customer' and ordering_key = $2 order by ordinal`,
    [shop.id, customerId],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

test('created and updated are announced with the whole record; what changes nothing is not', async () => {
  const { body: made } = await shop.call('POST', '/api/v2/customers', {
    projectId,
    email: 'ann@example.com',
  });
  const url = `/api/v2/customers/${made.id}`;
  await shop.call('PATCH', url, { email: 'ann@example.com' });
  const { body: changed } = await shop.call('PATCH', url, { name: 'Ann', metadata: { plan: 'gold' } });
  const told = await heardOf(made.id);
  expect(told.map(({ event, sequence, status }) => [event, sequence, status])).toEqual([
    ['customer.created', 1, 'active'],
    ['customer.updated', 2, 'active'],
  ]);
  expect(told.map(({ data }) => data.customer)).toEqual([made, changed]);
  expect(told.map(({ data }) => data.previousStatus)).toEqual([null, 'active']);
});

test('the balance of a customer counts its changes apart from the record', async () => {
  const { body: made } = await shop.call('POST', '/api/v2/customers', { projectId });
  const adjust = (deltaCredits: number) =>
    shop.call('POST', `/api/v2/customers/${made.id}/balance-adjustments`, { deltaCredits, reason: 'gift' });
  expect((await adjust(5)).status).toBe(201);
  expect((await shop.call('PATCH', `/api/v2/customers/${made.id}`, { name: 'Bo' })).status).toBe(200);
  expect((await adjust(5)).status).toBe(201);
  expect((await heardOf(made.id)).map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('a checkout announces somebody new once, however many begin at once', async () => {
  const begin = () =>
    shop.call('POST', '/api/v2/checkout-sessions', {
      projectId,
      mode: 'one_time',
      amountCents: 500,
      externalCustomerId: 'user-1',
    });
  const sessions = await Promise.all(Array.from({ length: 8 }, begin));
  expect(new Set(sessions.map(({ status }) => status))).toEqual(new Set([201]));
  const [customerId, ...others] = new Set(sessions.map(({ body }) => body.customerId as string));
  expect(others).toEqual([]);
  expect((await heardOf(customerId!)).map(({ event }) => event)).toEqual(['customer.created']);
});

test('a customer of an earlier release is announced from its first change on', async () => {
  const { body: made } = await shop.call('POST', '/api/v2/customers', { projectId });
  await service.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `delete from undispatched_events u using events e
        where u.ordinal = e.ordinal and e.ordering_key = $1`,
      [made.id],
    );
    await tx.query(
      'delete from event_positions p using events e where p.event_id = e.id and e.ordering_key = $1',
      [made.id],
    );
    await tx.query('delete from events where ordering_key = $1', [made.id]);
  });
  await shop.call('PATCH', `/api/v2/customers/${made.id}`, { name: 'Cleo' });
  expect((await heardOf(made.id)).map(({ event, sequence }) => [event, sequence])).toEqual([
    ['customer.updated', 1],
  ]);
});
