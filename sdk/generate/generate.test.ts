import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generate } from './generate.ts';
import { methodsOf } from './methods.ts';
import { names, repeatable, twoFaced } from './names.ts';
import type { OpenApi, Operation } from './openapi.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const api = JSON.parse(read('../../openapi.json')) as OpenApi;
const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));

test.each(Object.entries(generate()))(
  '%s is what openapi.json says; refresh it with: npm run sdk',
  (name, text) => {
    expect(read(`../src/generated/${name}`)).toBe(text);
  },
);

test('an operation without a name, and a name without an operation, stop the generator', () => {
  const more = (operation: Partial<Operation>): OpenApi => ({
    ...api,
    paths: { ...api.paths, '/api/v2/more': { get: { ...operations[0]!, ...operation } } },
  });
  expect(() => methodsOf(more({ operationId: 'listMore' }))).toThrow('listMore has no name in the client');
  expect(() => methodsOf(more({ operationId: 'listMoreV1' }))).toThrow(
    'listMoreV1 has no name in the client',
  );
  expect(() => methodsOf({ ...api, paths: {} })).toThrow('openapi.json does not have it');
});

test('version 1 is the same as version 2 in all but the path, so one method serves both', () => {
  const second = (id: string) => operations.find(({ operationId }) => operationId === id)!;
  const first = operations.filter(({ operationId }) => operationId.endsWith('V1'));
  expect(first.length).toBeGreaterThan(30);
  for (const { operationId, ...operation } of first) {
    const { operationId: _, ...twin } = second(operationId.slice(0, -2));
    expect([operationId, operation]).toEqual([operationId, twin]);
  }
});

test('every name is given once, and what is listed apart is there', () => {
  const all = methodsOf(api).map(({ resource, name }) => `${resource}.${name}`);
  expect(new Set(all).size).toBe(all.length);
  expect([...repeatable, ...Object.keys(twoFaced)].filter((id) => !(id in names))).toEqual([]);
});
