import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../src/platform/access/key.ts';
import { newMember, newOwner, stoppedClock, type TestMember } from './support/members.ts';
import { call, type TestMerchant, type TestService, testService } from './support/service.ts';

/** Reads the table of docs/scopes.md and tries each of its rows: what the page says is what the service does. */
interface Row {
  method: string;
  path: string;
  scopes: string;
  members: string;
}

let rows: Row[];
let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService({}, undefined, undefined, stoppedClock());
  rows = readRows(await readFile(new URL('../docs/scopes.md', import.meta.url), 'utf8'));
  shop = await service.createMerchant();
});

function readRows(page: string): Row[] {
  const table = /<!-- scopes: [^\n]*-->\n(.*?)<!-- end -->/s.exec(page)![1]!;
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).flatMap((line) => {
    const [, , call, scopes, members] = line.split('|').map((cell) => cell.trim());
    const [method, path] = call!.replaceAll('`', '').split(' ');
    const row = { method: method!, path: path!, scopes: scopes!, members: members! };
    const first = { ...row, path: row.path.replace('/api/v2/', '/api/') };
    return first.path !== row.path && isThere(first) ? [row, first] : [row];
  });
}

const isThere = ({ method, path }: Row) =>
  service.app.routeDescriptions.some((route) => route.method === method && route.path === path);

/** Nothing that comes so far could do anything: the ids are nobody's and the body is not what the route expects. */
const urlOf = ({ path }: Row) => path.replace(/\{\w+\}/g, randomUUID());
const bodyOf = ({ method }: Row) => (method === 'GET' ? undefined : '{"?":1}');
const nameOf = ({ method, path }: Row) => `${method} ${path}`;
const ask = (row: Row, headers = {}) => call(service.url + urlOf(row), row.method, bodyOf(row), headers);

function neededScopes({ scopes }: Row): readonly Scope[] | undefined {
  if (scopes === 'no key needed') return undefined;
  if (scopes === 'any valid key') return [];
  if (scopes === 'all four') return SCOPES;
  return scopes.split(', ').map((scope) => scope.replaceAll('`', '') as Scope);
}

test('the table names every operation that a key may call, and no other', () => {
  const described = service.app.routeDescriptions.filter(({ portal, dashboard }) => !portal && !dashboard);
  expect(rows.map(nameOf).sort()).toEqual(described.map(({ method, path }) => `${method} ${path}`).sort());
});

test('401 without a key, unless none is needed', async () => {
  for (const row of rows) {
    const { status } = await ask(row);
    expect([nameOf(row), status === 401]).toEqual([nameOf(row), neededScopes(row) !== undefined]);
  }
});

test('403 INSUFFICIENT_SCOPE for exactly the keys that lack a scope the table names', async () => {
  const subsets = Array.from({ length: 15 }, (_, bits) =>
    SCOPES.filter((_scope, i) => (bits + 1) & (1 << i)),
  );
  for (const held of subsets) {
    const authorization = `Bearer ${await shop.keyWith(held)}`;
    for (const row of rows) {
      const needed = neededScopes(row);
      if (!needed) continue;
      const { status, body } = await ask(row, { authorization });
      const isEnough = needed.every((scope) => held.includes(scope));
      expect([nameOf(row), held, status === 403 && body.error.code]).toEqual([
        nameOf(row),
        held,
        isEnough ? false : 'INSUFFICIENT_SCOPE',
      ]);
    }
  }
}, 120_000);

const ROLES: Record<string, readonly string[]> = {
  everybody: ['owner', 'developer', 'viewer'],
  'owners and developers': ['owner', 'developer'],
  owners: ['owner'],
};

test('403 for exactly the members whose role the table does not name, or who have not confirmed where it asks for it', async () => {
  const owner = await newOwner(service, shop);
  const members: Record<string, TestMember> = {
    owner,
    developer: await newMember(service, owner, 'developer'),
    viewer: await newMember(service, owner, 'viewer'),
  };
  async function walk(isConfirmed: boolean): Promise<void> {
    for (const row of rows) {
      if (!neededScopes(row)) continue;
      const [who, confirmed] = row.members.split(', ');
      const roles = ROLES[who!]!;
      for (const [role, member] of Object.entries(members)) {
        const { status, body } = await member.call(row.method, urlOf(row), bodyOf(row));
        const needsProof = confirmed === 'confirmed' && !isConfirmed;
        const wanted = !roles.includes(role) ? 'INSUFFICIENT_ROLE' : needsProof && 'STEP_UP_REQUIRED';
        expect([nameOf(row), role, status === 403 && body.error.code]).toEqual([nameOf(row), role, wanted]);
      }
    }
  }
  await walk(true);
  service.wallClock.setOffsetMs(10 * 60_000);
  await walk(false);
});

test('exceptions are settled by owners who have confirmed, or by a key with all four scopes', () => {
  const ways = rows.filter(({ path }) =>
    /^\/api\/v2\/exceptions\/.*\/(link|mark-returned|keep|credit|reopen)$/.test(path),
  );
  expect(ways.map(({ scopes, members }) => [scopes, members])).toEqual(
    Array(5).fill(['all four', 'owners, confirmed']),
  );
});
