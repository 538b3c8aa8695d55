import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newProject } from '../../../test/support/billing.ts';
import { chunk, jpeg, png, webp } from '../../../test/support/images.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Holding Ltd');
});

const OWN = '/api/b2b/merchants/brand/logo';
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const pathOf = (url: string) => new URL(url).pathname;
const served = (path: string) => fetch(service.url + path);
const logos = async () => (await service.db.query('select from logos')).length;

/** Another image each time. */
let shade = 0;
const fresh = () => png({ pixel: [shade++ % 256, 1, 2] });

describe.each([
  ['the merchant’s', async () => ({ put: OWN, read: '/api/b2b/merchants/brand' })],
  ['a project’s', async () => projectPaths('/api/v2')],
  ['a project’s in version 1', async () => projectPaths('/api')],
])('%s logo', (_whose, paths) => {
  test.each([
    ['png', 'image/png', png()],
    ['jpg', 'image/jpeg', jpeg()],
    ['webp', 'image/webp', webp()],
  ])('200 with the address of a %s, which is served as %s for good', async (extension, type, bytes) => {
    const { put, read } = await paths();
    const answer = await shop.call('PUT', put, bytes, { 'content-type': type });
    expect([answer.status, answer.body?.error]).toEqual([200, undefined]);
    const path = `/brand/logos/${hashOf(bytes)}.${extension}`;
    expect(pathOf(answer.body.logoUrl)).toBe(path);
    expect((await shop.call('GET', read)).body.logoUrl).toBe(answer.body.logoUrl);
    const image = await served(path);
    expect(image.status).toBe(200);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(Buffer.from(await image.arrayBuffer())).toEqual(bytes);
  });

  test('what it is, its content says: a JPEG sent as PNG is served as JPEG', async () => {
    const { put } = await paths();
    const answer = await shop.call('PUT', put, jpeg({ width: 40 }), { 'content-type': 'image/png' });
    expect(answer.body.logoUrl).toMatch(/\.jpg$/);
    expect((await served(pathOf(answer.body.logoUrl))).headers.get('content-type')).toBe('image/jpeg');
  });

  test('an image that is a page as well is served as an image alone', async () => {
    const { put } = await paths();
    const bytes = Buffer.concat([fresh(), Buffer.from('<html><script>alert(1)</script>')]);
    const { body } = await shop.call('PUT', put, bytes);
    const image = await served(pathOf(body.logoUrl));
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(image.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('204 when it is removed, once more too; then nobody gets it any longer', async () => {
    const { put, read } = await paths();
    const { logoUrl } = (await shop.call('PUT', put, fresh())).body;
    for (const _ of [1, 2]) expect((await shop.call('DELETE', put)).status).toBe(204);
    expect((await shop.call('GET', read)).body.logoUrl).toBeNull();
    expect((await served(pathOf(logoUrl))).status).toBe(404);
  });

  test('another image replaces it, and only the new one is kept', async () => {
    const { put } = await paths();
    const first = (await shop.call('PUT', put, fresh())).body.logoUrl;
    const before = await logos();
    const second = (await shop.call('PUT', put, fresh())).body.logoUrl;
    expect(await logos()).toBe(before);
    expect((await served(pathOf(first))).status).toBe(404);
    expect((await served(pathOf(second))).status).toBe(200);
  });

  test.each([
    [400, 'BAD_REQUEST', 'body must be a PNG, JPEG or WebP image', Buffer.from('<svg/>'), 'image/png'],
    [400, 'BAD_REQUEST', 'is not a complete PNG image', png().subarray(0, -5), 'image/png'],
    [400, 'BAD_REQUEST', 'a width of 16 to 2048 pixels', png({ width: 2049 }), 'image/png'],
    [400, 'BAD_REQUEST', 'body is required', Buffer.alloc(0), 'image/png'],
    [413, 'PAYLOAD_TOO_LARGE', 'larger than 256 KiB', tooLarge(), 'image/png'],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'image/png, image/jpeg', Buffer.from('<svg/>'), 'image/svg+xml'],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'image/png, image/jpeg', Buffer.from('{}'), 'application/json'],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'image/png, image/jpeg', png(), 'multipart/form-data; boundary=a'],
  ])('%i %s: %s; nothing changes', async (status, code, message, bytes, type) => {
    const { put, read } = await paths();
    const before = (await shop.call('PUT', put, png())).body.logoUrl;
    const answer = await shop.call('PUT', put, bytes, { 'content-type': type });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.error.message).toContain(message);
    expect((await shop.call('GET', read)).body.logoUrl).toBe(before);
  });

  test('415 for a body that is packed', async () => {
    const { put } = await paths();
    const answer = await shop.call('PUT', put, png(), { 'content-encoding': 'gzip' });
    expect([answer.status, answer.body.error.message]).toEqual([
      415,
      'Send the body without a Content-Encoding.',
    ]);
  });

  test('the audit log has each change with the files’ names, and none for the same again', async () => {
    const { put } = await paths();
    await shop.call('DELETE', put);
    const changes = async () =>
      service.db.query<{ detail: object }>(
        `select detail from audit_entries where merchant_id = $1 and detail::text like '%"logo"%' order by sequence desc`,
        [shop.id],
      );
    const before = (await changes()).length;
    const bytes = fresh();
    for (const _ of [1, 2]) await shop.call('PUT', put, bytes);
    const [last, ...others] = await changes();
    expect(others.length).toBe(before);
    expect(last!.detail).toEqual({ before: { logo: null }, after: { logo: `${hashOf(bytes)}.png` } });
  });
});

async function projectPaths(mount: string) {
  const { id } = await newProject(shop);
  return { put: `${mount}/projects/${id}/logo`, read: `${mount}/projects/${id}` };
}

/** A whole image, of one byte too many. */
function tooLarge(): Buffer {
  const rest = 256 * 1024 + 1 - png().length - 12;
  return png({ chunks: [['tEXt', randomBytes(rest)]] });
}

test('200 for the largest there may be', async () => {
  const whole = png({ chunks: [['tEXt', randomBytes(256 * 1024 - png().length - 12)]] });
  expect(whole.length).toBe(256 * 1024);
  expect((await shop.call('PUT', OWN, whole)).status).toBe(200);
});

test('an image that two use stays until the second lets it go', async () => {
  const image = fresh();
  const [one, other] = [await newProject(shop), await newProject(shop)];
  const { logoUrl } = (await shop.call('PUT', `/api/v2/projects/${one.id}/logo`, image)).body;
  await shop.call('PUT', `/api/v2/projects/${other.id}/logo`, image);
  await shop.call('DELETE', `/api/v2/projects/${one.id}/logo`);
  expect((await served(pathOf(logoUrl))).status).toBe(200);
  await shop.call('DELETE', `/api/v2/projects/${other.id}/logo`);
  expect((await served(pathOf(logoUrl))).status).toBe(404);
});

test('set and removed by many at once, an image stays available while anyone uses it', async () => {
  const image = fresh();
  const projects = await Promise.all(Array.from({ length: 6 }, () => newProject(shop)));
  const paths = projects.map(({ id }) => `/api/v2/projects/${id}/logo`);
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      paths.map((path, at) => ((at + round) % 2 ? shop.call('PUT', path, image) : shop.call('DELETE', path))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]));
    expect((await served(`/brand/logos/${hashOf(image)}.png`)).status).toBe(200);
  }
});

test('another merchant’s: the same image is theirs too, and stays when the first removes it', async () => {
  const other = await service.createMerchant('Other Ltd');
  const image = fresh();
  const { logoUrl } = (await shop.call('PUT', OWN, image)).body;
  expect((await other.call('PUT', OWN, image)).body.logoUrl).toBe(logoUrl);
  await shop.call('DELETE', OWN);
  expect((await served(pathOf(logoUrl))).status).toBe(200);
  expect((await other.call('GET', '/api/b2b/merchants/me')).body.logoUrl).toBe(logoUrl);
  expect((await shop.call('GET', '/api/b2b/merchants/me')).body.logoUrl).toBeNull();
});

test('404 for another merchant’s project, which keeps what it has; 409 for an archived one', async () => {
  const other = await service.createMerchant('Other Ltd');
  const { id } = await newProject(shop);
  const path = `/api/v2/projects/${id}/logo`;
  const { logoUrl } = (await shop.call('PUT', path, fresh())).body;
  expect((await other.call('PUT', path, fresh())).status).toBe(404);
  expect((await other.call('DELETE', path)).status).toBe(404);
  expect((await shop.call('GET', `/api/v2/projects/${id}`)).body.logoUrl).toBe(logoUrl);
  await shop.call('DELETE', `/api/v2/projects/${id}`);
  expect((await shop.call('PUT', path, fresh())).status).toBe(409);
  expect((await shop.call('DELETE', path)).status).toBe(409);
});

test('401 without a key, before anything of the image is read', async () => {
  expect((await call(service.url + OWN, 'PUT', png())).status).toBe(401);
});

test.each([
  `/brand/logos/${'0'.repeat(64)}.png`,
  `/brand/logos/${'0'.repeat(64)}.svg`,
  `/brand/logos/${hashOf(png()).toUpperCase()}.png`,
  '/brand/logos/x',
  '/brand/logos/%00.png',
])('404 for %s', async (path) => {
  const answer = await call(service.url + path, 'GET');
  expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
});

test('404 for a file under another ending than its own', async () => {
  const { logoUrl } = (await shop.call('PUT', OWN, fresh())).body;
  expect((await served(pathOf(logoUrl).replace('.png', '.webp'))).status).toBe(404);
});

test('415 for an image where JSON belongs', async () => {
  const answer = await shop.call('PATCH', '/api/b2b/merchants/brand', png(), { 'content-type': 'image/png' });
  expect([answer.status, answer.body.error.message]).toEqual([
    415,
    'Send the body as "Content-Type: application/json".',
  ]);
});

test('the database takes no image under another name than its hash', async () => {
  const row = [shop.id, `${'0'.repeat(64)}.png`, chunk('IEND', Buffer.alloc(0))];
  await expect(
    service.db.query(
      `insert into logos (merchant_id, file_name, width, height, bytes, created_at) values ($1, $2, 16, 16, $3, now())`,
      row,
    ),
  ).rejects.toThrow('logos_check');
});
