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

test('who buys again with an address that the links ask for is the same customer, whatever its capitals', async () => {
  const projectId = (await newProject(shop)).id;
  const [first, second] = [await collecting(projectId), await collecting(projectId)];
  const customerId = await buy(first, 'Ann@Example.com', 'Ann');
  expect(await buy(second, 'ann@example.COM', 'Mallory')).toBe(customerId);
  expect(await readCustomer(shop, customerId)).toMatchObject({ email: 'Ann@Example.com', name: 'Ann' });
  await expectSound(service);
});

test('one that you created yourself is found too, the oldest first', async () => {
  const projectId = (await newProject(shop)).id;
  const create = async () =>
    (await shop.call('POST', '/api/v2/customers', { projectId, email: 'bo@example.com' })).body.id;
  const oldest = await create();
  await create();
  expect(await buy(await collecting(projectId), 'BO@example.com')).toBe(oldest);
});

test('never across projects, and never where the link does not ask', async () => {
  const [here, there] = [(await newProject(shop)).id, (await newProject(shop)).id];
  const known = await buy(await collecting(here), 'cleo@example.com');
  expect(await buy(await collecting(there), 'cleo@example.com')).not.toBe(known);
  expect(await buy(await collecting(here, false), 'cleo@example.com')).not.toBe(known);
});

test('payments of one person that arrive at once make one customer, and one announcement', async () => {
  const projectId = (await newProject(shop)).id;
  const link = await collecting(projectId);
  const sessions = await Promise.all(
    Array.from({ length: 12 }, (_, i) => start(link, i % 2 ? 'dee@example.com' : 'DEE@example.com')),
  );
  await Promise.all(sessions.map((session) => bring(service, shop, session, 500)));
  const buyers = await Promise.all(sessions.map(async ({ id }) => (await readSession(shop, id)).customerId));
  expect(new Set(buyers).size).toBe(1);
  const rows = await service.db.query('select from customers where project_id = $1', [projectId]);
  expect(rows).toHaveLength(1);
  const told = await service.db.query(
    `select from events where event = 'customer.created' and ordering_key = $1`,
    [buyers[0]],
  );
  expect(told).toHaveLength(1);
});
