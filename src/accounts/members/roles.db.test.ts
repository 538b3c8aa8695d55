import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newMember, newOwner, stoppedClock, type TestMember } from '../../../test/support/members.ts';
import {
  call,
  newAddress,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import type { Role } from '../../platform/access/role.ts';
import type { RouteDescription } from '../../platform/http/route.ts';

/**
 * Walks every operation with every role's cookie, without proof of where it comes from, and with a key beside the cookie.
 * A new operation is walked as well: what it may not do fails here.
 */
let service: TestService;
let shop: TestMerchant;
let owner: TestMember;
let developer: TestMember;
let viewer: TestMember;
let keyed: RouteDescription[];
let dashboard: RouteDescription[];

beforeAll(async () => {
  service = await testService({}, undefined, undefined, stoppedClock());
  shop = await service.createMerchant();
  owner = await newOwner(service, shop);
  developer = await newMember(service, owner, 'developer');
  viewer = await newMember(service, owner, 'viewer');
  keyed = service.app.routeDescriptions.filter(({ scopes, keyless }) => scopes && !keyless);
  dashboard = service.app.routeDescriptions.filter((route) => route.dashboard);
});

/** Nothing that comes so far could do anything: the ids are nobody's and the body is not what the route expects. */
const NONSENSE = '{"?":1}';
const urlOf = ({ path }: RouteDescription) => path.replace(/\{\w+\}/g, randomUUID());
const askAs = (member: TestMember, route: RouteDescription, headers: Record<string, string> = {}) =>
  member.call(route.method, urlOf(route), route.method === 'GET' ? undefined : NONSENSE, headers);
const isChange = ({ method }: RouteDescription) => method !== 'GET';
const codeOf = ({ status, body }: TestAnswer) => [status, body?.error?.code];

/** As it is declared, and shown in src/routes.txt. */
const mayCall = (role: Role, { members }: RouteDescription) => members!.roles.includes(role);
/** Operations that the session itself would not survive. */
const ENDS_SESSION = ['signOut', 'signOutEverywhere'];

describe('roles', () => {
  test('there is something to walk', () => {
    expect(keyed.length).toBeGreaterThan(100);
    expect(dashboard.length).toBeGreaterThan(15);
    const all = [...keyed, ...dashboard];
    expect(all.filter((route) => !mayCall('developer', route)).length).toBeGreaterThan(50);
    expect(all.filter((route) => !mayCall('viewer', route)).length).toBeGreaterThan(150);
    expect(all.filter((route) => !mayCall('owner', route))).toEqual([]);
  });

  test('403 INSUFFICIENT_ROLE for a viewer on exactly what they may not call', async () => {
    for (const route of [...keyed, ...dashboard]) {
      const answer = await askAs(viewer, route);
      const isRefused = !mayCall('viewer', route);
      if (ENDS_SESSION.includes(route.id)) {
        expect([route.id, answer.status]).toEqual([route.id, 400]);
      } else if (isRefused) {
        expect([route.id, ...codeOf(answer)]).toEqual([route.id, 403, 'INSUFFICIENT_ROLE']);
      } else expect([route.id, answer.body?.error?.code]).not.toEqual([route.id, 'INSUFFICIENT_ROLE']);
    }
  });

  test('403 INSUFFICIENT_ROLE for a developer on what is for owners, and nowhere else', async () => {
    for (const route of [...keyed, ...dashboard]) {
      const answer = await askAs(developer, route);
      const isRefused = answer.body?.error?.code === 'INSUFFICIENT_ROLE';
      expect([route.id, isRefused]).toEqual([route.id, !mayCall('developer', route)]);
    }
  });

  test('an owner is refused nothing, and every answer that is no error of theirs is in the contract', async () => {
    for (const route of [...keyed, ...dashboard]) {
      const answer = await askAs(owner, route);
      expect([route.id, answer.status < 500]).toEqual([route.id, true]);
      expect([route.id, [401, 403].includes(answer.status)]).toEqual([route.id, false]);
    }
  });

  test('a developer gets no key that may do what only owners do, nor a project’s payout address', async () => {
    const mint = (body?: object) => developer.call('POST', '/api/b2b/merchants/generate-key', body);
    for (const body of [
      undefined,
      {},
      { scopes: ['payments:write', 'payments:read', 'billing:write', 'billing:read'] },
    ]) {
      expect(codeOf(await mint(body))).toEqual([403, 'INSUFFICIENT_ROLE']);
    }
    const made = await mint({ scopes: ['billing:write', 'payments:write', 'payments:read'], name: 'CI' });
    expect([made.status, made.body.expiresAt]).toEqual([200, null]);
    const address = { payoutAddress: newAddress() };
    const project = await developer.call('POST', '/api/v2/projects', { name: 'a' });
    expect(project.status).toBe(201);
    const path = `/api/v2/projects/${project.body.id}`;
    expect(codeOf(await developer.call('PATCH', path, address))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(codeOf(await developer.call('POST', '/api/v2/projects', { name: 'b', ...address }))).toEqual([
      403,
      'INSUFFICIENT_ROLE',
    ]);
    expect((await owner.call('PATCH', path, address)).status).toBe(200);
  });

  test('a change of role counts from the next call on; the audit log names who did what', async () => {
    const member = await newMember(service, owner, 'viewer');
    const make = () => member.call('POST', '/api/v2/projects', { name: 'Theirs' });
    expect((await make()).status).toBe(403);
    await owner.call('PATCH', `/api/dashboard/members/${member.id}`, { role: 'developer' });
    const project = await make();
    expect(project.status).toBe(201);
    const log = await owner.call('GET', `/api/b2b/merchants/audit-entries?targetId=${project.body.id}`);
    expect(log.body.data).toMatchObject([{ actor: `member:${member.id}`, actorName: 'A viewer' }]);
  });
});

describe('where a change comes from', () => {
  test('403 FORBIDDEN without the CSRF token, or with a wrong one, on every change', async () => {
    const other = await newMember(service, owner, 'developer');
    for (const route of [...keyed, ...dashboard].filter(isChange)) {
      for (const token of ['', 'x', other.csrfToken, owner.cookie]) {
        const answer = await askAs(owner, route, { 'x-csrf-token': token });
        expect([route.id, ...codeOf(answer)]).toEqual([route.id, 403, 'FORBIDDEN']);
      }
    }
    const url = `${service.url}/api/b2b/merchants/terminals`;
    const bare = await call(url, 'POST', {}, { cookie: owner.cookie });
    expect(codeOf(bare)).toEqual([403, 'FORBIDDEN']);
  });

  test('403 FORBIDDEN from another site on every change, with a good token too; our own site may', async () => {
    for (const route of [...keyed, ...dashboard].filter(isChange)) {
      for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
        expect([route.id, ...codeOf(await askAs(owner, route, { origin }))]).toEqual([
          route.id,
          403,
          'FORBIDDEN',
        ]);
      }
    }
    const made = await owner.call('POST', '/api/b2b/merchants/terminals', {}, { origin: 'http://127.0.0.1' });
    expect(made.status).toBe(200);
  });

  test('reading needs no token', async () => {
    for (const path of ['/api/b2b/merchants/me', '/api/v2/projects', '/api/dashboard/session']) {
      expect((await owner.call('GET', path, undefined, { 'x-csrf-token': 'x' })).status).toBe(200);
    }
  });
});

describe('a key beside a cookie', () => {
  test('401 for a bad key, with any cookie, on every keyed route', async () => {
    for (const route of keyed) {
      for (const authorization of ['', 'Bearer', 'Bearer x', 'Basic Zm9vOmJhcg==']) {
        const answer = await askAs(owner, route, { authorization });
        expect([route.id, ...codeOf(answer)]).toEqual([route.id, 401, 'UNAUTHORIZED']);
      }
    }
  });

  test('a good key is who calls: its merchant, its scopes, no CSRF token needed', async () => {
    const other = await service.createMerchant('Other');
    const authorization = `Bearer ${other.key}`;
    const me = await owner.call('GET', '/api/b2b/merchants/me', undefined, { authorization });
    expect(me.body.id).toBe(other.id);
    const headers = { authorization, cookie: owner.cookie };
    const made = await call(`${service.url}/api/b2b/merchants/terminals`, 'POST', {}, headers);
    expect(made.status).toBe(200);
    const reader = `Bearer ${await other.keyWith(['payments:read'])}`;
    const refused = await owner.call('POST', '/api/b2b/merchants/terminals', {}, { authorization: reader });
    expect(codeOf(refused)).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  test('401 SIGN_IN_REQUIRED for a key on what is for members alone', async () => {
    for (const route of dashboard) {
      const alone = await shop.call(
        route.method,
        urlOf(route),
        route.method === 'GET' ? undefined : NONSENSE,
      );
      expect([route.id, ...codeOf(alone)]).toEqual([route.id, 401, 'SIGN_IN_REQUIRED']);
      const both = await askAs(owner, route, { authorization: `Bearer ${shop.key}` });
      expect([route.id, ...codeOf(both)]).toEqual([route.id, 401, 'SIGN_IN_REQUIRED']);
    }
  });
});

test('401 SIGN_IN_REQUIRED for a cookie that opens nothing, on every route', async () => {
  for (const route of [...keyed, ...dashboard]) {
    const cookie = `florin_dashboard=session_${'0'.repeat(65)}`;
    expect([route.id, ...codeOf(await askAs(owner, route, { cookie }))]).toEqual([
      route.id,
      401,
      'SIGN_IN_REQUIRED',
    ]);
  }
});
