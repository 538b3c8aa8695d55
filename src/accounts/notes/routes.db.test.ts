import { beforeAll, expect, test } from 'vitest';
import { newCustomer, newProject, newSession } from '../../../test/support/billing.ts';
import { newMember, newOwner, type TestMember } from '../../../test/support/members.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { runDueErasures } from '../../operations/erasure/run-due-erasures.ts';
import { createLog } from '../../platform/lib/log.ts';

let service: TestService;
let shop: TestMerchant;
let owner: TestMember;
let projectId: string;
let customerId: string;
let paymentIntentId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  owner = await newOwner(service, shop);
  projectId = (await newProject(shop)).id;
  const session = await newSession(shop, projectId, { amountCents: 500, externalCustomerId: 'ada' });
  ({ customerId, paymentIntentId } = session);
});

const write = (about: object, text = 'Likes oat milk', by: Pick<TestMember, 'call'> = owner) =>
  by.call('POST', '/api/v2/notes', { ...about, text });
const list = async (query: string, by: Pick<TestMember, 'call'> = owner) =>
  (await by.call('GET', `/api/v2/notes?${query}`)).body.data;

test('201 with who wrote it and when; others read it and cannot change it; its author can', async () => {
  const { status, body } = await write({ customerId });
  expect([status, body]).toMatchObject([
    201,
    { customerId, paymentIntentId: null, authorName: 'Olive', isOwn: true, editedAt: null },
  ]);
  const payment = (await write({ paymentIntentId }, 'Called twice\nabout it')).body;
  expect(await list(`customerId=${customerId}`, shop)).toMatchObject([{ id: body.id, isOwn: false }]);
  expect(await list(`paymentIntentId=${paymentIntentId}`)).toMatchObject([{ id: payment.id, isOwn: true }]);
  for (const [method, message, change] of [
    ['PATCH', 'Only who wrote a note can change it.', { text: 'mine' }],
    ['DELETE', 'Only who wrote a note or an owner can delete it.'],
  ] as const) {
    const refused = await shop.call(method, `/api/v2/notes/${body.id}`, change);
    expect([refused.status, refused.body.error.message]).toEqual([409, message]);
  }
  const edited = await owner.call('PATCH', `/api/v2/notes/${body.id}`, { text: 'Likes soy milk' });
  expect([edited.status, edited.body]).toMatchObject([200, { text: 'Likes soy milk' }]);
  expect(edited.body.editedAt).not.toBeNull();
  expect((await owner.call('DELETE', `/api/v2/notes/${payment.id}`)).status).toBe(204);
  expect(await list(`paymentIntentId=${paymentIntentId}`)).toEqual([]);
});

test('an owner deletes the note of a member who has left, and of a key, and cannot change it', async () => {
  const temp = await newMember(service, owner, 'developer');
  const ids = [];
  for (const by of [temp, shop]) ids.push((await write({ customerId }, 'libel', by)).body.id);
  expect((await temp.call('DELETE', `/api/v2/notes/${ids[1]}`)).status).toBe(409);
  const { body: members } = await owner.call('GET', '/api/dashboard/members');
  const { id } = members.find(({ role }: { role: string }) => role === 'developer');
  expect((await owner.call('DELETE', `/api/dashboard/members/${id}`)).status).toBe(204);
  for (const note of ids) {
    expect((await owner.call('PATCH', `/api/v2/notes/${note}`, { text: 'kind' })).status).toBe(409);
    expect((await owner.call('DELETE', `/api/v2/notes/${note}`)).status).toBe(204);
  }
});

test('400 for a text that is none or an object that is not yours, 403 for a viewer, 404 for another’s note', async () => {
  const other = await service.createMerchant('Other');
  const theirs = (await newCustomer(other, (await newProject(other)).id)).id;
  for (const [about, text] of [
    [{ customerId }, ' \n '],
    [{ customerId }, ' \u200b'],
    [{ customerId }, 'x'.repeat(2_001)],
    [{ customerId }, ''],
    [{}, 'x'],
    [{ customerId, paymentIntentId }, 'x'],
    [{ customerId: theirs }, 'x'],
    [{ paymentIntentId: theirs }, 'x'],
  ] as const)
    expect([about, (await write(about, text)).status]).toEqual([about, 400]);
  expect((await write({ customerId }, 'x'.repeat(2_000))).status).toBe(201);
  const viewer = await newMember(service, owner, 'viewer');
  expect((await write({ customerId }, 'x', viewer)).status).toBe(403);
  const [{ id }] = await list(`customerId=${customerId}`);
  expect((await other.call('DELETE', `/api/v2/notes/${id}`)).status).toBe(404);
});

test('the audit log has no text, webhooks and other objects have nothing, and erasing the customer deletes them', async () => {
  const secret = 'Allergic to walnuts';
  await write({ customerId }, secret);
  await write({ paymentIntentId }, secret);
  const [{ found }] = (await service.db.query<{ found: bigint }>(
    `select (select count(*) from audit_entries where merchant_id = $1 and detail::text like '%walnuts%')
          + (select count(*) from events where merchant_id = $1 and body like '%walnuts%') as found`,
    [shop.id],
  )) as [{ found: bigint }];
  expect(found).toBe(0n);
  const audit = await shop.call('GET', '/api/b2b/merchants/audit-entries?action=note.created&limit=1');
  expect(audit.body.data).toMatchObject([{ actorName: 'Olive', detail: { paymentIntentId } }]);
  for (const path of [`/api/v2/customers/${customerId}`, `/api/merchants/intents/${paymentIntentId}`])
    expect((await shop.call('GET', path)).text).not.toContain('walnuts');

  expect((await shop.call('DELETE', `/api/v2/customers/${customerId}`)).status).toBeLessThan(300);
  const erasure = async () => (await shop.call('GET', `/api/v2/customers/${customerId}/erasure`)).body;
  do await runDueErasures({ db: service.db, log: createLog('silent') }, service.clock.now());
  while ((await erasure()).status !== 'erased');
  const [left] = await service.db.query<{ count: bigint }>(
    'select count(*) from notes where merchant_id = $1',
    [shop.id],
  );
  expect(left!.count).toBe(0n);
  expect((await write({ customerId })).status).toBe(400);
  expect((await write({ paymentIntentId })).status).toBe(409);
});
