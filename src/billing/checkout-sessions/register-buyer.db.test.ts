import { beforeAll, expect, test } from 'vitest';
import {
  bring,
  expectSound,
  newLink,
  newProject,
  readCustomer,
  readSession,
} from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

interface Link {
  publicToken: string;
}
const collecting = async (projectId: string, collectCustomerEmail = true): Promise<Link> =>
  (await newLink(shop, projectId, { collectCustomerEmail })).paymentLink;

async function start(link: Link, customerEmail: string, customerName?: string) {
  const url = `${service.url}/api/v2/payment-links/${link.publicToken}/checkout`;
  const { body } = await call(url, 'POST', { customerEmail, ...(customerName && { customerName }) });
  return readSession(shop, body.sessionId);
}

/** The customer of a purchase through a link. */
async function buy(link: Link, customerEmail: string, customerName?: string): Promise<string> {
  const session = await start(link, customerEmail, customerName);
  await bring(service, shop, session, 500);
  return (await readSession(shop, session.id)).customerId;
}

test('an address that buyers type finds nobody, however often it is typed and even if the merchant knows it', async () => {
  const projectId = (await newProject(shop)).id;
  const known = (await shop.call('POST', '/api/v2/customers', { projectId, email: 'ann@example.com' })).body;
  const [first, second] = [await collecting(projectId), await collecting(projectId)];
  const buyers = [
    await buy(first, 'ann@example.com', 'Ann'),
    await buy(first, 'Ann@Example.com', 'Mallory'),
    await buy(second, 'ann@example.com'),
    await buy(await collecting(projectId, false), 'ann@example.com'),
  ];
  expect(new Set([known.id, ...buyers]).size).toBe(5);
  expect(await readCustomer(shop, known.id)).toEqual(known);
  expect(await readCustomer(shop, buyers[1]!)).toMatchObject({ email: 'Ann@Example.com', name: 'Mallory' });
  const sources = await service.db.query<{ source: string }>(
    'select email_source as source from customers where project_id = $1 order by id',
    [projectId],
  );
  expect(sources.map(({ source }) => source)).toEqual(['merchant', 'typed', 'typed', 'typed', 'typed']);
  await expectSound(service);
});

test('payments with one address that arrive at once make a customer each, and one announcement each', async () => {
  const projectId = (await newProject(shop)).id;
  const link = await collecting(projectId);
  const sessions = await Promise.all(
    Array.from({ length: 12 }, (_, i) => start(link, i % 2 ? 'dee@example.com' : 'DEE@example.com')),
  );
  await Promise.all(sessions.map((session) => bring(service, shop, session, 500)));
  const buyers = await Promise.all(sessions.map(async ({ id }) => (await readSession(shop, id)).customerId));
  expect(new Set(buyers).size).toBe(12);
  const rows = await service.db.query('select from customers where project_id = $1', [projectId]);
  expect(rows).toHaveLength(12);
  const told = await service.db.query(
    `select from events where event = 'customer.created' and ordering_key = $1`,
    [buyers[0]],
  );
  expect(told).toHaveLength(1);
});
