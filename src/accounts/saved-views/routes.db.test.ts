import { beforeAll, expect, test } from 'vitest';
import { newMember, newOwner, type TestMember } from '../../../test/support/members.ts';
import { type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let owner: TestMember;
let developer: TestMember;
let viewer: TestMember;
const PATH = '/api/dashboard/saved-views';

beforeAll(async () => {
  service = await testService();
  owner = await newOwner(service, await service.createMerchant());
  developer = await newMember(service, owner, 'developer');
  viewer = await newMember(service, owner, 'viewer');
});

const view = { list: 'invoices', name: 'Late', query: 'from=2026-01-01&status=open' };
const save = (member: TestMember, change: object = {}) => member.call('POST', PATH, { ...view, ...change });
const namesOf = async (member: TestMember) =>
  (await member.call('GET', PATH)).body.map(({ name }: { name: string }) => name);

test('a view is its member’s alone until it is shared; who saved it changes it, and an owner a shared one', async () => {
  const own = await save(developer);
  expect([own.status, own.body]).toMatchObject([201, { ...view, isShared: false, isOwn: true }]);
  expect(await namesOf(owner)).toEqual([]);
  const path = `${PATH}/${own.body.id}`;
  expect((await owner.call('DELETE', path)).status).toBe(404);
  const shared = await developer.call('PATCH', path, { name: 'Overdue', isShared: true });
  expect([shared.status, shared.body]).toMatchObject([200, { name: 'Overdue', isShared: true }]);
  expect(await namesOf(viewer)).toEqual(['Overdue']);
  expect((await viewer.call('PATCH', path, { name: 'Mine' })).status).toBe(403);
  expect((await owner.call('DELETE', path)).status).toBe(204);
  expect(await namesOf(developer)).toEqual([]);
});

test('a viewer saves for themselves, and 403 for sharing; 409 for a second of the same name', async () => {
  expect((await save(viewer)).status).toBe(201);
  expect((await save(viewer, { name: 'Shared', isShared: true })).status).toBe(403);
  expect((await save(viewer, { name: 'LATE' })).status).toBe(409);
  expect((await save(viewer, { list: 'customers' })).status).toBe(201);
  expect((await save(developer)).status).toBe(201);
});

test('400 for what our own dashboard would not write; a value that nothing has any longer is one', async () => {
  for (const query of [
    'status',
    '',
    'status=',
    '?status=open',
    'status=open&',
    'a b=1',
    'status=<b>',
    '__proto__=1',
    'https://evil.example/',
    `q=${'x'.repeat(256)}`,
    Array.from({ length: 21 }, (_, i) => `a=${i}`).join('&'),
  ])
    expect([query, (await save(owner, { query })).status]).toEqual([query, 400]);
  for (const name of ['   ', '\u200b', '\u202ebid'])
    expect([name, (await save(owner, { name })).status]).toEqual([name, 400]);
  expect((await save(owner, { list: 'nothing' })).status).toBe(400);
  expect((await save(owner, { query: 'status=no-longer-there' })).status).toBe(201);
});
