import { beforeAll, expect, test } from 'vitest';
import { newMember, newOwner } from '../../../test/support/members.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService({ TRUST_PROXY: 'true' });
  shop = await service.createMerchant();
});

const generate = (body: object, key = shop.key, from = '203.0.113.1') =>
  call(`${service.url}/api/b2b/merchants/generate-key`, 'POST', body, {
    authorization: `Bearer ${key}`,
    'x-forwarded-for': from,
  });
const useFrom = (key: string, from: string, method = 'GET', path = '/api/b2b/merchants/me', body?: unknown) =>
  call(service.url + path, method, body, { authorization: `Bearer ${key}`, 'x-forwarded-for': from });

async function keyFor(allowedAddresses: string[], rest = {}): Promise<string> {
  const { status, body, text } = await generate({ allowedAddresses, ...rest });
  expect([status, text]).toEqual([200, text]);
  expect(body.allowedAddresses).toEqual(allowedAddresses);
  return body.apiKey;
}

test('200 from an allowed address, 403 from anywhere else, before scopes and body are looked at', async () => {
  const key = await keyFor(['198.51.100.7', '2001:db8::/32'], { scopes: ['payments:read'] });
  for (const from of ['198.51.100.7', '2001:db8:1::9']) expect((await useFrom(key, from)).status).toBe(200);
  for (const [method, path] of [
    ['GET', '/api/b2b/merchants/me'],
    ['POST', '/api/merchants/intents'],
    ['GET', '/api/v2/projects'],
  ] as const) {
    const { status, body } = await useFrom(
      key,
      '198.51.100.8',
      method,
      path,
      method === 'POST' ? '{"?":1}' : undefined,
    );
    expect([path, status, body.error.code]).toEqual([path, 403, 'FORBIDDEN']);
    expect(body.error.message).toBe('This API key cannot be used from 198.51.100.8.');
  }
  expect((await useFrom(shop.key, '198.51.100.8')).status).toBe(200);
});

test('an address with its port is that address; in the form of IPv6 an IPv4 address is taken, told and kept as itself', async () => {
  const mapped = ['::ffff:198.51.100.7', '198.51.100.7', '2001:db8::1'];
  const { status, body: made } = await generate({ allowedAddresses: mapped });
  expect([status, made.allowedAddresses]).toEqual([200, ['198.51.100.7', '2001:db8::1']]);
  for (const from of ['198.51.100.7:80', '[::ffff:198.51.100.7]:80', '[2001:db8::1]:443'])
    expect([from, (await useFrom(made.apiKey, from)).status]).toEqual([from, 200]);
  for (const [from, told] of [
    ['::ffff:198.51.100.8', '198.51.100.8'],
    ['198.51.100.8:80', '198.51.100.8'],
    ['garbage1', 'an unknown address'],
  ] as const) {
    const refused = await useFrom(made.apiKey, from);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      `This API key cannot be used from ${told}.`,
    ]);
  }
});

test('the list is shown, and null for a key that may be used from anywhere', async () => {
  const { body: made } = await generate({ name: 'Office', allowedAddresses: ['192.0.2.0/24'] });
  const { body: free } = await generate({ allowedAddresses: null });
  const { body: keys } = await shop.call('GET', '/api/b2b/merchants/keys');
  const listed = (id: string) => keys.find((key: { id: string }) => key.id === id).allowedAddresses;
  expect([listed(made.id), listed(free.id)]).toEqual([['192.0.2.0/24'], null]);
});

test('400 for what is no address, too many, none or the same twice; no key is made', async () => {
  const before = (await shop.call('GET', '/api/b2b/merchants/keys')).body.length;
  for (const allowedAddresses of [
    [],
    ['localhost'],
    ['192.0.2.1/33'],
    ['192.0.2.1', '192.0.2.1'],
    Array.from({ length: 21 }, (_, i) => `192.0.2.${i}`),
    '192.0.2.1',
    [1],
  ]) {
    const { status, body } = await generate({ allowedAddresses });
    expect([allowedAddresses, status, body.error?.message?.split(/[ [.]/)[0]]).toEqual([
      allowedAddresses,
      400,
      'allowedAddresses',
    ]);
  }
  expect((await shop.call('GET', '/api/b2b/merchants/keys')).body).toHaveLength(before);
});

test('a key that makes another hands its own list on, or a narrower one; a wider one is 400', async () => {
  const key = await keyFor(['10.0.0.0/8', '192.0.2.7']);
  const mint = (body: object) => generate(body, key, '10.0.0.1');
  expect((await mint({})).body.allowedAddresses).toEqual(['10.0.0.0/8', '192.0.2.7']);
  expect((await mint({ allowedAddresses: null })).body.allowedAddresses).toEqual(['10.0.0.0/8', '192.0.2.7']);
  const narrower = await mint({ allowedAddresses: ['10.9.0.0/16'] });
  expect(narrower.body.allowedAddresses).toEqual(['10.9.0.0/16']);
  expect((await useFrom(narrower.body.apiKey, '10.0.0.1')).status).toBe(403);
  expect((await useFrom(narrower.body.apiKey, '10.9.1.1')).status).toBe(200);
  for (const wider of ['0.0.0.0/0', '10.0.0.0/7', '192.0.2.8', '::/0']) {
    const { status, body } = await mint({ allowedAddresses: ['10.1.1.1', wider] });
    expect([wider, status, body.error.message.split(' ')[0]]).toEqual([wider, 400, 'allowedAddresses']);
  }
});

test('a refusal is in the audit log at most once a minute, however many there are', async () => {
  const { id, apiKey: key } = (await generate({ allowedAddresses: ['198.51.100.7'] })).body;
  const answers = await Promise.all(Array.from({ length: 20 }, () => useFrom(key, '203.0.113.66')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
  const audited = async () =>
    (await shop.call('GET', `/api/b2b/merchants/audit-entries?action=api_key.address_refused&targetId=${id}`))
      .body.data;
  const [{ actor, detail }, ...more] = await audited();
  expect(more).toEqual([]);
  expect([actor, detail]).toEqual([`key:${id}`, { address: '203.0.113.66' }]);
  const again = await useFrom(key, '203.0.113.67');
  expect([again.status, (await audited()).length]).toEqual([403, 1]);
});

test('members choose it too; a revoked key is still 401 from anywhere', async () => {
  const owner = await newOwner(service, shop);
  const developer = await newMember(service, owner, 'developer');
  const body = { scopes: ['payments:read'], allowedAddresses: ['198.51.100.7'] };
  const made = await developer.call('POST', '/api/b2b/merchants/generate-key', body);
  expect([made.status, made.body.allowedAddresses]).toEqual([200, ['198.51.100.7']]);
  await owner.call('DELETE', `/api/b2b/merchants/keys/${made.body.id}`);
  expect((await useFrom(made.body.apiKey, '203.0.113.1')).status).toBe(401);
});
