import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newCustomer, newProject } from '../../../test/support/billing.ts';
import { MOUNTS } from '../../../test/support/billing-rows.ts';
import { logIn, newLinkToken, visit } from '../../../test/support/portal.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { hashSecret } from './portal-session.ts';
import { prunePortalSessions } from './prune-sessions.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;
let customerId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Corner Shop');
  projectId = (await newProject(shop, { name: 'Music' })).id;
  customerId = (await newCustomer(shop, projectId, { name: 'Ada', email: 'ada@example.com' })).id;
});

const minutes = (count: number) => count * 60_000;
let offsetMs = 0;
const passTime = (ms: number) => {
  offsetMs += ms;
  service.clock.setOffsetMs(offsetMs);
};

describe('POST /portal-sessions', () => {
  const create = (body: unknown, headers = {}, mount = '/api/v2') =>
    shop.call('POST', `${mount}/portal-sessions`, body, headers);

  test('201 in both versions: a link of 60 minutes, of which only a hash is stored', async () => {
    for (const mount of MOUNTS) {
      const returnUrl = 'https://shop.example/account';
      const before = service.clock.now().getTime();
      const { status, body } = await create({ projectId, customerId, returnUrl }, {}, mount);
      expect([status, Object.keys(body)]).toEqual([
        201,
        ['id', 'customerId', 'url', 'returnUrl', 'expiresAt'],
      ]);
      expect(body).toMatchObject({ customerId, returnUrl });
      expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1\/portal\/portal_00[0-9A-Za-z]{43}$/);
      const lifeMs = Date.parse(body.expiresAt) - before;
      expect(lifeMs >= minutes(60) && lifeMs < minutes(61)).toBe(true);
      const token = body.url.split('/').pop();
      const rows = await service.db.query<{ hash: string }>(
        `select encode(token_hash, 'hex') as hash, t::text as whole from portal_sessions t where id = $1`,
        [body.id],
      );
      expect(rows[0]!.hash).toBe(hashSecret(token));
      expect(JSON.stringify(rows)).not.toContain(token);
      expect(service.log.join('')).not.toContain(token);
    }
  });

  test('400 for what is no customer of the project, the same for foreign and missing', async () => {
    const other = await service.createMerchant();
    const theirProject = (await newProject(other)).id;
    const theirs = (await newCustomer(other, theirProject)).id;
    const elsewhere = (await newCustomer(shop, (await newProject(shop)).id)).id;
    for (const [body, field] of [
      [{ projectId, customerId: theirs }, 'customerId'],
      [{ projectId, customerId: elsewhere }, 'customerId'],
      [{ projectId, customerId: randomUUID() }, 'customerId'],
      [{ projectId: theirProject, customerId: theirs }, 'projectId'],
      [{ projectId: randomUUID(), customerId }, 'projectId'],
      [{ projectId }, 'customerId'],
      [{ customerId }, 'projectId'],
      [{ projectId, customerId, token: 'x' }, 'token'],
      [{ projectId, customerId, returnUrl: 'http://shop.example' }, 'returnUrl'],
      [{ projectId, customerId, returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    ] as const) {
      const answer = await create(body);
      expect([body, answer.status, answer.body.error.message.split(' ')[0]]).toEqual([body, 400, field]);
    }
    const tell = async (id: string) => (await create({ projectId, customerId: id })).body.error.message;
    expect(await tell(theirs)).toBe(await tell(randomUUID()));
    expect(await tell(elsewhere)).toBe(await tell(randomUUID()));
  });

  test('409 when its Idempotency-Key is used again: of several at once one gets the link', async () => {
    const headers = { 'idempotency-key': 'portal-1' };
    const answers = await Promise.all([1, 2, 3].map(() => create({ projectId, customerId }, headers)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
    const stored = await service.db.query(`select answer from idempotency_keys where key = 'portal-1'`);
    expect(stored).toEqual([{ answer: null }]);
  });

  test('an archived project’s customers still get in', async () => {
    const archived = (await newProject(shop)).id;
    const theirs = (await newCustomer(shop, archived)).id;
    expect((await shop.call('DELETE', `/api/v2/projects/${archived}`)).status).toBe(204);
    const visitor = await visit(service, shop, archived, theirs);
    expect((await visitor.call('GET', '/me')).status).toBe(200);
  });
});

describe('POST /api/portal/login', () => {
  test('200 with who came in, a CSRF token and a cookie that no script reads', async () => {
    const returnUrl = 'https://shop.example/account';
    const answer = await logIn(service, await newLinkToken(shop, projectId, customerId, { returnUrl }));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      customer: { id: customerId, name: 'Ada', email: 'ada@example.com', creditBalance: 0 },
      merchantName: 'Corner Shop',
      projectName: 'Music',
      returnUrl,
    });
    const header = answer.headers.get('set-cookie')!;
    expect(header).toMatch(
      /^florin_portal=portal_00[0-9A-Za-z]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    );
    const value = header.split(';')[0]!.split('=')[1]!;
    expect(answer.text).not.toContain(value);
    const dump = await service.db.query('select t::text from portal_sessions t');
    expect(JSON.stringify(dump)).not.toContain(value);
  });

  test('over https the cookie is a __Host- cookie, and the plain name opens nothing', async () => {
    const safe = await testService({ PUBLIC_URL: 'https://pay.example.com' });
    const merchant = await safe.createMerchant();
    const project = (await newProject(merchant)).id;
    const customer = (await newCustomer(merchant, project)).id;
    const visitor = await visit(safe, merchant, project, customer);
    expect(visitor.login.headers.get('set-cookie')).toMatch(
      /^__Host-florin_portal=\w+; Path=\/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await visitor.call('GET', '/me')).status).toBe(200);
    const plain = visitor.cookie.replace('__Host-', '');
    expect((await visitor.call('GET', '/me', undefined, { cookie: plain })).status).toBe(401);
    const origin = 'https://pay.example.com';
    expect((await visitor.call('PATCH', '/me', {}, { origin })).status).toBe(200);
  });

  test('of many at once with one link exactly one gets in; later it is 410', async () => {
    const token = await newLinkToken(shop, projectId, customerId);
    const answers = await Promise.all(Array.from({ length: 8 }, () => logIn(service, token)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(7).fill(410)]);
    const late = await logIn(service, token);
    expect([late.status, late.body.error.code]).toEqual([410, 'PORTAL_LINK_EXPIRED']);
    expect(late.headers.get('set-cookie')).toBeNull();
    expect(late.text).not.toContain(token);
  });

  test('401 for a link that never was, 400 without one, 403 from another site, which uses nothing up', async () => {
    const unknown = await logIn(service, `portal_${'x'.repeat(43)}`);
    expect([unknown.status, unknown.body.error.code]).toEqual([401, 'PORTAL_SESSION_REQUIRED']);
    expect((await call(`${service.url}/api/portal/login`, 'POST', {})).status).toBe(400);
    const token = await newLinkToken(shop, projectId, customerId);
    const foreign = await logIn(service, token, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect((await logIn(service, token, { origin: 'http://127.0.0.1' })).status).toBe(200);
  });

  test('410 when its hour is over; a visit lasts an hour from its beginning, whatever is done in it', async () => {
    const unused = await newLinkToken(shop, projectId, customerId);
    const late = await newLinkToken(shop, projectId, customerId);
    passTime(minutes(58));
    const visitor = await visit(service, shop, projectId, customerId);
    expect((await logIn(service, late)).status).toBe(200);
    passTime(minutes(3));
    expect((await logIn(service, unused)).body.error.code).toBe('PORTAL_LINK_EXPIRED');
    expect((await visitor.call('GET', '/me')).status).toBe(200);
    passTime(minutes(55));
    expect((await visitor.call('GET', '/me')).status).toBe(200);
    passTime(minutes(3));
    const over = await visitor.call('GET', '/me');
    expect([over.status, over.body.error.code]).toEqual([401, 'PORTAL_SESSION_REQUIRED']);
  });
});

describe('POST /api/portal/logout', () => {
  test('204: the cookie is taken back, and opens nothing any more; other visits go on', async () => {
    const visitor = await visit(service, shop, projectId, customerId);
    const other = await visit(service, shop, projectId, customerId);
    const left = await visitor.call('POST', '/logout');
    expect([left.status, left.headers.get('set-cookie')]).toEqual([
      204,
      'florin_portal=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect((await visitor.call('GET', '/me')).status).toBe(401);
    expect((await visitor.call('POST', '/logout')).status).toBe(401);
    expect((await other.call('GET', '/me')).status).toBe(200);
  });
});

test('old sessions are pruned a week after their hour, younger ones stay', async () => {
  const token = await newLinkToken(shop, projectId, customerId);
  const count = async () =>
    (await service.db.query('select from portal_sessions where token_hash = decode($1, $2)', [
      hashSecret(token),
      'hex',
    ]))!.length;
  const week = minutes(60) * 24 * 7;
  const soon = new Date(service.clock.now().getTime() + week);
  await prunePortalSessions(service.db, soon);
  expect(await count()).toBe(1);
  expect(await prunePortalSessions(service.db, new Date(soon.getTime() + minutes(61)))).toBeGreaterThan(0);
  expect(await count()).toBe(0);
});

test('every coming and going is in the audit log, without a secret', async () => {
  const visitor = await visit(service, shop, projectId, customerId);
  await visitor.call('PATCH', '/me', { name: 'Ada L.' });
  await visitor.call('POST', '/logout');
  const rows = await service.db.query<{ actor: string; action: string; detail: object }>(
    'select actor, action, detail from audit_entries where merchant_id = $1 order by id desc limit 4',
    [shop.id],
  );
  expect(rows.map(({ action }) => action).sort()).toEqual([
    'customer.changed',
    'portal_session.closed',
    'portal_session.created',
    'portal_session.opened',
  ]);
  expect(rows.filter(({ actor }) => actor.startsWith('portal:'))).toHaveLength(3);
  const value = visitor.cookie.split('=')[1]!;
  for (const text of [JSON.stringify(rows), service.log.join('')]) {
    expect(text).not.toContain(value);
    expect(text).not.toContain(visitor.csrfToken);
  }
});
