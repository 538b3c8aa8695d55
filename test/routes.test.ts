import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routesPage } from './support/routes-page.ts';
import { testService } from './support/service.ts';

/** Declarations of all routes, as src/routes.txt prints it. */
const { app } = await testService();
const routes = app.routeDescriptions;
const page = readFileSync(new URL('../src/routes.txt', import.meta.url), 'utf8');
const namesOn = (text: string) => [...text.matchAll(/ {2}(\w+\.\w+) /g)].map((match) => match[1]!);

test('src/routes.txt is what the routes say; read what changes, and refresh it with: npm run openapi', () => {
  expect(routesPage(routes, page)).toBe(page);
});

test('every operation has a line and a name of its own; version 1 has those of version 2', () => {
  const names = namesOn(page);
  expect(new Set(names).size).toBe(names.length);
  expect([...new Set(routes.map(({ sdk }) => sdk!))].sort()).toEqual(names.sort());
  expect(names.length).toBeGreaterThan(200);
});

test('lines stay where they are; a new one follows its resource, and one that is gone leaves', () => {
  const one = routes.find(({ sdk }) => sdk === 'customers.create')!;
  const added = { ...one, id: 'renameCustomer', sdk: 'customers.rename' as const };
  const names = namesOn(routesPage([added, ...routes.filter(({ sdk }) => sdk !== 'customers.list')], page));
  const expected = namesOn(page).filter((name) => name !== 'customers.list');
  expected.splice(expected.findLastIndex((name) => name.startsWith('customers.')) + 1, 0, 'customers.rename');
  expect(names).toEqual(expected);
  const other = { ...one, id: 'createVoucher', sdk: 'vouchers.create' as const };
  expect(namesOn(routesPage([other, ...routes], page)).at(-1)).toBe('vouchers.create');
});

test('version 1 of an operation that says something else than version 2 is shown', () => {
  const other = routes.map((route) => (route.id === 'createProjectV1' ? { ...route, scopes: [] } : route));
  expect(routesPage(other, page)).toContain('createProjectV1');
  expect(page).not.toContain('V1 ');
});
