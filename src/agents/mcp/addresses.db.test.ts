import { beforeAll, expect, test } from 'vitest';
import { newProject, readCustomer } from '../../../test/support/billing.ts';
import { type RawAnswer, rawCall } from '../../../test/support/mcp.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

/** The mailbox of a customer signs in as them and names where a refund goes: an assistant does not decide whose it is. */

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

const write = (operation: string, body: object, params?: object) =>
  rawCall(service.url, shop.key, 'write', {
    operation,
    body,
    ...(params && { params }),
    purpose: `${operation} ${JSON.stringify(body)}`,
  });
const messageOf = ({ body }: RawAnswer): string => body.result.structuredContent.error.message;
const dataOf = ({ body }: RawAnswer) => body.result.structuredContent.data;
const MALLORY = 'mallory@example.com';

test('403 for an assistant that changes a customer’s address, or removes it; the rest it may correct', async () => {
  const { body: ada } = await shop.call('POST', '/api/v2/customers', { projectId, email: 'ada@example.com' });
  const params = { customerId: ada.id };
  for (const email of [MALLORY, null])
    expect(messageOf(await write('updateCustomer', { email }, params))).toBe(
      'email cannot be set by an assistant.',
    );
  expect(dataOf(await write('updateCustomer', { name: 'Ada' }, params))).toMatchObject({ name: 'Ada' });
  expect(await readCustomer(shop, ada.id)).toEqual({ ...ada, name: 'Ada' });
});

test('403 for an assistant that gives an address to somebody the shop will call by their own id', async () => {
  const externalCustomerId = 'member-7';
  const { body: ada } = await shop.call('POST', '/api/v2/customers', { projectId });
  const checkout = { projectId, mode: 'one_time', amountCents: 500, externalCustomerId };
  const tried = [
    await write('createCustomer', { projectId, externalCustomerId, email: MALLORY }),
    await write('createCheckoutSession', { ...checkout, customerEmail: MALLORY }),
    await rawCall(service.url, shop.key, 'create_checkout', {
      ...checkout,
      customerEmail: MALLORY,
      purpose: 'sly',
    }),
  ];
  const combined = 'cannot be set by an assistant together with externalCustomerId.';
  expect(tried.map(messageOf)).toEqual([
    `email ${combined}`,
    `customerEmail ${combined}`,
    `customerEmail ${combined}`,
  ]);
  const known = { customerId: ada.id, customerEmail: MALLORY };
  const { projectId: _, externalCustomerId: __, ...order } = checkout;
  expect(messageOf(await write('createCheckoutSession', { ...order, projectId, ...known }))).toBe(
    'customerEmail cannot be set by an assistant together with customerId.',
  );
  // The shop's own program creates them, and the mailbox is not Mallory's.
  const { body } = await shop.call('POST', '/api/v2/checkout-sessions', checkout);
  expect((await readCustomer(shop, body.customerId)).email).toBeNull();
});

test('an address that an assistant gives a new customer proves nothing', async () => {
  const made = dataOf(await write('createCustomer', { projectId, email: 'bo@example.com' }));
  const checkout = { projectId, mode: 'one_time', amountCents: 500, customerEmail: 'cy@example.com' };
  const { customerId } = dataOf(await write('createCheckoutSession', checkout));
  const sources = await service.db.query<{ source: string }>(
    'select email_source as source from customers where id = any($1)',
    [[made.id, customerId]],
  );
  expect(sources.map(({ source }) => source)).toEqual(['typed', 'typed']);
});
